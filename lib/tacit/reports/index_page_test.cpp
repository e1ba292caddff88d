#include "tacit/reports/index_page.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/reports/page/html.hpp"
#include "tacit/reports/page/sample_figures_test.hpp"
#include "tacit/reports/page/well_formed_test.hpp"

namespace tacit::reports {
namespace {

using page::claim_of;
using page::expect_whole;
using page::occurrences;
using page::reproduced_of;
using page::request_of;

using theory::Kind;
using theory::Side;

TEST(IndexPage, IsWholeHoweverLittleThereIs) {
  expect_whole(index_page({}));
  expect_whole(index_page({reproduced_of({}, {curve({.runs = {{5, 10}}})})}));
}

TEST(IndexPage, HasEveryVerdictAndEveryClaimOnce) {
  const std::vector<Curve> curves{
      curve({.policy = "a", .runs = around(10), .bounds = {bound(Kind::kFinite, Side::kUpper, 5)}}),
      curve({.policy = "b", .runs = around(20)})};
  const std::vector<Claim> claims{
      claim_of("one", "the first holds", "a", 10), claim_of("one", "the second fails", "a", 20),
      claim_of("one", "the third is open", "nobody", 1), claim_of("two", "of another", "b", 20)};
  const std::string text =
      index_page({reproduced_of(request_of("one", "Hu et al., Figure 1"), curves, claims),
                  reproduced_of(request_of("two", "Hu et al., Figure 2"), curves, claims),
                  reproduced_of(request_of("three", "Wang et al., Figure 1"), {curves[1]})});
  expect_whole(text);
  for (const Claim& claim : claims) EXPECT_EQ(occurrences(text, claim.says), 1) << claim.says;
  for (const char* name : {"one", "two", "three"}) {
    EXPECT_EQ(occurrences(text, "<a href=\"#figure-" + std::string(name) + "\">"), 1) << name;
    EXPECT_EQ(occurrences(text, "<article id=\"figure-" + std::string(name) + "\">"), 1) << name;
    EXPECT_EQ(occurrences(text, ">tacit reproduce " + std::string(name) + "<"), 1) << name;
  }
  // In its row of the overview and over its figure.
  EXPECT_EQ(occurrences(text, "</span> nothing is claimed"), 2);
  EXPECT_EQ(occurrences(text, "</span> 1 does not hold"), 3) << "and in the sum of all";
  EXPECT_EQ(occurrences(text, "</span> 1 bound broken"), 4) << "of two figures";
  EXPECT_EQ(occurrences(text, "</span> 2 bounds broken"), 2) << "the sum, of claims and of bounds";
  EXPECT_EQ(occurrences(text, "4 claims:"), 1);
  EXPECT_EQ(occurrences(text, "3 figures of 2 papers"), 1);
}

TEST(IndexPage, SaysAnArgumentOnceForAllFiguresAndEpsilons) {
  std::vector<Curve> curves;
  for (const char* policy : {"a", "b"}) {
    for (const double epsilon : {0.5, 1.0, 2.0}) {
      curves.push_back(curve({.policy = policy, .epsilon = epsilon, .runs = around(10)}));
    }
  }
  const std::string text = index_page({reproduced_of(request_of("one", "x"), curves),
                                       reproduced_of(request_of("two", "y"), curves)});
  expect_whole(text);
  EXPECT_EQ(occurrences(text, "it is said"), 1);
}

TEST(IndexPage, IsNotBrokenByNames) {
  const std::string evil = "<b>\"x'&amp; </script><!-- --><script>alert(1)</script>";
  FigureRequest request = request_of("f" + evil, evil + ", Figure 1");
  request.title = evil;
  request.note = evil;
  Curve one = curve({.policy = evil,
                     .problem = evil,
                     .runs = around(10),
                     .bounds = {bound(Kind::kFinite, Side::kUpper, 20)}});
  one.document.promises.guarantee.because = evil;
  FigureRequest other = request_of("f" + evil + "2", evil);
  const std::vector<Claim> claims{claim_of(request.name, evil, evil, 10)};
  const std::string text =
      index_page({reproduced_of(request, {one}, claims), reproduced_of(other, {one}, claims)});
  expect_whole(text);
  EXPECT_EQ(occurrences(text, "<b>\"x"), 0);
  EXPECT_EQ(occurrences(text, "alert(1)</script>"), 0);
  EXPECT_EQ(occurrences(text, "<script>"), 1) << "the page's own";
  EXPECT_EQ(occurrences(text, "<p class=\"note\">" + page::escaped(evil) + "</p>"), 1);
  EXPECT_EQ(occurrences(text, "<h3>" + page::escaped(evil) + "</h3>"), 1);
}

TEST(IndexPage, HasScriptAndStyleOfItsOwn) {
  const std::string text = index_page({});
  EXPECT_EQ(occurrences(text, "\"use strict\";"), 1);
  EXPECT_EQ(occurrences(text, "prefers-color-scheme: dark"), 2) << "in the style and in the script";
  EXPECT_EQ(occurrences(text, "default-src 'none'"), 1);
  EXPECT_EQ(occurrences(text, "<html lang=\"en\">"), 1);
}

}  // namespace
}  // namespace tacit::reports
