#include "tacit/reports/page/guarantees.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tacit/reports/page/sample_figures_test.hpp"
#include "tacit/reports/page/well_formed_test.hpp"

namespace tacit::reports::page {
namespace {

struct Sample {
  std::string policy;
  double epsilon = 1;
  double multiple = 1;  // that is kept; 0: nothing
  std::string because;
};

ReproducedFigure figure_with(const std::string& name, const std::vector<Sample>& samples) {
  std::vector<Curve> curves;
  for (const Sample& sample : samples) {
    curves.push_back(curve({.policy = sample.policy,
                            .epsilon = sample.epsilon,
                            .runs = around(10),
                            .guarantee_of_epsilon = sample.multiple}));
    curves.back().document.promises.guarantee.because = sample.because;
  }
  return reproduced_of(request_of(name, "x"), curves);
}

std::string laplace(double epsilon) { return fmt::format("Laplace(scale {:.4g})", 1 / epsilon); }

TEST(Guarantees, SayAnArgumentOnceWhateverEpsilonIs) {
  std::vector<Sample> samples;
  for (const char* policy : {"a", "b"}) {
    for (const double epsilon : {0.25, 1.0, 1e-6, 1e6})
      samples.push_back({policy, epsilon, 1, laplace(epsilon)});
  }
  const std::vector<ReproducedFigure> figures{figure_with("one", samples),
                                              figure_with("two", samples)};
  const Guarantees guarantees(figures);
  ASSERT_EQ(guarantees.arguments().size(), 1U);
  const Argument& argument = guarantees.arguments()[0];
  EXPECT_EQ(argument.kept, "central ε");
  EXPECT_EQ(argument.published, "central ε");
  EXPECT_EQ(argument.policies, (std::vector<std::string>{"a", "b"}));
  EXPECT_NE(guarantees_html(guarantees)
                .find("<strong>central ε</strong>, because, for example at ε = 0.25, Laplace(scale "
                      "4).</p>"),
            std::string::npos)
      << guarantees_html(guarantees);
  EXPECT_EQ(differences_html(figures[0].verdict, guarantees), "");
}

TEST(Guarantees, AreToldApartByWhatIsKeptAndWhy) {
  const std::vector<ReproducedFigure> figures{figure_with("one", {{"a", 2, 1, laplace(2)},
                                                                  {"b", 2, 2, laplace(2)},
                                                                  {"c", 2, 1, "another reason"},
                                                                  {"d", 2, 0, "its exact value"}})};
  const Guarantees guarantees(figures);
  ASSERT_EQ(guarantees.arguments().size(), 4U);
  EXPECT_EQ(guarantees.arguments()[1].kept, "central 2 ε");
  EXPECT_EQ(guarantees.arguments()[3].kept, "none");
  EXPECT_NE(guarantees_html(guarantees).find("because, at ε = 2, another reason."),
            std::string::npos);
  const std::string promises = promises_html(figures[0].verdict, guarantees);
  EXPECT_EQ(occurrences(promises, "<td class=\"same\">central ε</td>"), 2) << promises;
  EXPECT_EQ(occurrences(promises, "<td class=\"less\">central ε</td>"), 2) << promises;
}

TEST(Guarantees, HaveARangeWhereEpsilonDecides) {
  const std::vector<ReproducedFigure> figures{
      figure_with("one", {{"a", 0.5, 3, "k 1"}, {"a", 1, 0.5, "k 2"}}),
      figure_with("two", {{"a", 2, 0.25, "k 3"}})};
  const Guarantees guarantees(figures);
  ASSERT_EQ(guarantees.arguments().size(), 1U);
  EXPECT_EQ(guarantees.arguments()[0].kept, "central 0.25 ε to 3 ε");
}

TEST(Guarantees, ShowWhereLessOrMoreIsKeptThanWasPublished) {
  const std::vector<ReproducedFigure> figures{figure_with("one", {{"same", 2, 1, "r"},
                                                                  {"twice", 2, 2, "r"},
                                                                  {"also twice", 2, 2, "r"},
                                                                  {"nothing", 2, 0, "r"},
                                                                  {"half", 2, 0.5, "r"}})};
  const Guarantees guarantees(figures);
  const std::string text = differences_html(figures[0].verdict, guarantees);
  EXPECT_EQ(occurrences(text, "<div class=\"differences"), 2) << text;
  EXPECT_NE(text.find("<code>twice</code>, <code>also twice</code>: published central ε, keeps "
                      "<strong>central 2 ε</strong>"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("<code>nothing</code>: published central ε, keeps <strong>none</strong>"),
            std::string::npos)
      << text;
  const std::size_t more = text.find("More is kept than was published:");
  ASSERT_NE(more, std::string::npos);
  EXPECT_NE(text.find("<code>half</code>", more), std::string::npos);
  EXPECT_EQ(text.find("<code>same</code>"), std::string::npos);
}

}  // namespace
}  // namespace tacit::reports::page
