#include "tacit/reports/verdict_text.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/reports/sample_curves_test.hpp"

namespace tacit::reports {
namespace {

using theory::Kind;
using theory::Side;

TEST(Verdict, SaysWhatWasPromisedAndWhatIsTrue) {
  const std::vector<Curve> curves{
      curve({.policy = "broken", .runs = around(10), .guarantee_of_epsilon = 0})};
  FigureRequest request;
  request.name = "f";
  Claim claim;
  claim.figure = "f";
  claim.says = "it is ten";
  claim.policy = "broken";
  claim.value = 10;
  claim.within = 0.1;
  const Verdict verdict = give_verdict(request, make_figure(request, curves), {claim}, curves);
  EXPECT_EQ(verdict.summary(), "1 of 1 claim holds");
  EXPECT_NE(verdict_text(verdict).find("none (published: central 1), because it is said"),
            std::string::npos)
      << verdict_text(verdict);
}

TEST(Verdict, IsWrappedButForWhatIsOneLineAlready) {
  const std::string words = std::string(60, 'a') + " " + std::string(60, 'b');
  Verdict verdict{.name = "f", .title = "t", .source = ""};
  verdict.claims = {{words, {Judgement::kOpen, words + "\n"}}};
  EXPECT_EQ(verdict_text(verdict),
            "f: t\n\nVerdict: 0 of 1 claim holds, 1 open\n\nWhat is said\n  open:\n    " +
                std::string(60, 'a') + "\n    " + std::string(60, 'b') +
                "\n    measured: " + words + "\n");
}

TEST(Verdict, SaysOfABoundOnceAtWhichEpsilonItIsKept) {
  const auto at = [](double epsilon, double regret) {
    return curve({.epsilon = epsilon,
                  .runs = around(regret),
                  .bounds = {bound(Kind::kFinite, Side::kUpper, 20)}});
  };
  const auto theory = [](const std::vector<Curve>& curves) {
    const std::string text = verdict_text(give_verdict({}, make_figure({}, curves), {}, curves));
    const std::size_t from = text.find("What theory says");
    return from == std::string::npos ? "" : text.substr(from, text.find("\n\n", from) - from);
  };
  const std::string head = "What theory says (finite bounds, at every checkpoint)\n";
  const std::string bound_of = "hu-theorem-3, upper bound of some on p";
  EXPECT_EQ(
      theory({at(0.5, 10), at(1, 8), at(2, 2)}),
      head + "  kept     " + bound_of + ", at all 3 epsilon, 0.5 to 2: measured at most 0.5 of it");
  EXPECT_EQ(theory({at(0.5, 10), at(1, 30), at(2, 2)}),
            head + "  kept     " + bound_of +
                ", at 2 of 3 epsilon, 0.5 to 2: measured at most 0.5 of it\n  BROKEN   " +
                bound_of + ", at epsilon 1 of 3: measured at most 1.5 of it");
  EXPECT_EQ(theory({at(0.5, 10)}),
            head + "  kept     " + bound_of + ", epsilon 0.5: measured at most 0.5 of it");
  EXPECT_EQ(theory({curve({.epsilon = {},
                           .runs = around(10),
                           .bounds = {bound(Kind::kFinite, Side::kUpper, 20)}})}),
            head + "  kept     " + bound_of + ": measured at most 0.5 of it");
  EXPECT_EQ(theory({curve({.runs = around(10)})}), "");
}

TEST(Verdict, OfWhatIsIdentifiedSpeaksOfSamples) {
  const std::vector<Curve> curves{curve({.runs = found_after(50, 4, 1),
                                         .bounds = {{.name = "fewest-samples",
                                                     .kind = Kind::kFinite,
                                                     .side = Side::kLower,
                                                     .values = {std::nullopt, 25}}},
                                         .goal = with_error(0.1)})};
  FigureRequest request;
  request.x = Axis::kEpsilon;
  request.y = Quantity::kSamples;
  const std::string text =
      verdict_text(give_verdict(request, make_figure(request, curves), {}, curves));
  EXPECT_EQ(text.find("regret"), std::string::npos) << text;
  EXPECT_NE(text.find("lower bound of some on p, error 0.1, epsilon 1: measured at least 2 of it"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("    50.0        0.0      25%\n"), std::string::npos) << text;
}

TEST(Verdict, CountsTheBestArmsAmongTheMostPlayed) {
  Curve sets = curve({.runs = around(10)});
  sets.document.best_set = {0, 2, 3};
  sets.measured.mean_pulls = {9, 8, 7, 1};
  const Verdict verdict = give_verdict({}, make_figure({}, {sets}), {}, {sets});
  EXPECT_NE(verdict_text(verdict).find("2 of 3\n"), std::string::npos) << verdict_text(verdict);
}

}  // namespace
}  // namespace tacit::reports
