#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/actions/explicit_list.hpp"
#include "tacit/actions/paths.hpp"
#include "tacit/actions/top_k.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/problems/independent_arms.hpp"
#include "tacit/simulation/checkpoints.hpp"
#include "tacit/specs/action_sets.hpp"
#include "tacit/specs/files.hpp"
#include "tacit/specs/instances.hpp"
#include "tacit/specs/priors.hpp"
#include "tacit/specs/problem_catalogue.hpp"
#include "tacit/specs/requests.hpp"
#include "tacit/specs/values.hpp"

namespace tacit::specs {
namespace {

/// A file that exists as long as this object.
class File {
 public:
  explicit File(const std::string& content) {
    static int made = 0;
    path_ = (std::filesystem::temp_directory_path() /
             ("tacit_specs_" + std::to_string(getpid()) + "_" + std::to_string(made++)))
                .string();
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~File() { std::filesystem::remove(path_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// What is said of something that cannot be made.
template <class Make>
std::string refusal(Make make) {
  try {
    make();
  } catch (const InvalidParameter& error) {
    return error.what();
  }
  return "accepted";
}

const RequestText kSmall{.problem = {.name = "hu-linear"},
                         .policy = "anytime-lazy-ucb",
                         .epsilon = "0.5",
                         .horizon = "1e3",
                         .runs = "4"};

/// The small request with something changed.
template <class Change>
RequestText with(Change change) {
  RequestText text = kSmall;
  change(text);
  return text;
}

TEST(Values, AreReadWholeOrRefused) {
  EXPECT_EQ(read_number(Option{"x"}, "0.5"), 0.5);
  EXPECT_EQ(read_integer(Option{"x"}, "1e6", 1, kLastRound), 1000000);
  EXPECT_EQ(integer_in("7", 1, 7), 7);
  EXPECT_FALSE(integer_in("8", 1, 7));
  EXPECT_FALSE(integer_in("7 ", 1, 7));
  EXPECT_FALSE(integer_in("0.5", 0, 7));
  EXPECT_EQ(refusal([] { read_number(Option{"epsilon"}, "1 "); }),
            "epsilon = 1 : must be a number");
  EXPECT_EQ(refusal([] { read_positive(Option{"epsilon"}, "-1"); }),
            "epsilon = -1: must be a finite number > 0");
  EXPECT_EQ(refusal([] { read_share(Option{"delta"}, "1"); }),
            "delta = 1: must be a number in (0, 1)");
  EXPECT_EQ(refusal([] { read_integer(Option{"horizon"}, "1.5", 1, kLastRound); }),
            "horizon = 1.5: must be an integer from 1 to 2^53");
}

TEST(Values, OfAParameterConcernThePoliciesThatHaveIt) {
  const ParameterOptions options({"growth=3", "dp-imed.growth=4"}, {"dp-klucb", "dp-imed", "ucb1"});
  ASSERT_EQ(options.of("dp-klucb").size(), 1U);
  EXPECT_EQ(options.of("dp-klucb")[0].value, "3");
  EXPECT_EQ(options.of("dp-imed").size(), 2U);
  EXPECT_TRUE(options.of("ucb1").empty());
  EXPECT_EQ(refusal([] { ParameterOptions({"growht=3"}, {"dp-klucb"}); }),
            "param = growht=3: no such parameter; did you mean growth?");
}

TEST(Problem, ByNameIsWhatItsNameSays) {
  const problems::IndependentArms first({0.75, 0.625, 0.5, 0.375, 0.25},
                                        problems::Rewards::kBernoulli);
  EXPECT_EQ(problem("hu-linear").problem->name(), first.name());
  EXPECT_EQ(problem("hu-linear").actions, nullptr);
  EXPECT_EQ(problem("hu-linear").actions_text, "single");
  EXPECT_EQ(problem("kveton:6:2:0.5:0.25").actions_text, "top:2");
}

TEST(Problem, OfEveryFormThatNeedsNoFileCanBeMade) {
  for (const ProblemForm& form : problem_forms()) {
    if (form.needs_argument()) continue;
    const ChosenProblem chosen = problem(form.name);
    EXPECT_GE(chosen.problem->arms(), 2) << form.name;
    if (chosen.actions) {
      EXPECT_EQ(chosen.actions->arms(), chosen.problem->arms()) << form.name;
    }
  }
}

TEST(Problem, OfMeansIsTheSameFromTextAndFromAFile) {
  const File file("# three\n0.5, 0.25 0.125\n");
  const auto text = problem({.means = "0.5,0.25,0.125", .rewards = "beta"});
  EXPECT_EQ(text.problem->name(),
            problem({.means = "@" + file.path(), .rewards = "beta"}).problem->name());
  EXPECT_EQ(text.problem->name(),
            problems::IndependentArms({0.5, 0.25, 0.125}, problems::Rewards::kBeta).name());
}

TEST(Problem, MayBeGivenActionsUnlessItHasItsOwn) {
  const ChosenProblem chosen = problem({.name = "hu-linear", .actions = "top:2"});
  EXPECT_EQ(chosen.actions->name(), "top:2");
  EXPECT_EQ(refusal([] { problem({.name = "kveton", .actions = "top:2"}); }),
            "actions = top:2: leave it out; kveton has its own, top:4");
}

TEST(Problem, ThatCannotBeMadeIsRefusedInItsOwnName) {
  EXPECT_EQ(
      refusal([] { problem("hu-linaer"); }),
      "problem = hu-linaer: unknown; did you mean hu-linear? `tacit list --problems` shows all");
  EXPECT_EQ(refusal([] { problem("k-path:20:4"); }),
            "problem = k-path:20:4: numbers given = 2: must be 3 or 4, separated by colons");
  EXPECT_EQ(refusal([] { problem("k-path:x:4:0.4"); }),
            "problem = k-path:x:4:0.4: part = x: must be a number");
  EXPECT_EQ(refusal([] { problem("k-path:21:4:0.4"); }),
            "problem = k-path:21:4:0.4: arms = 21: must be a multiple of k = 4");
  EXPECT_EQ(refusal([] { problem("worst:no-bound:3:1:1e3"); }).substr(0, 68),
            "problem = worst:no-bound:3:1:1e3: bound = no-bound: unknown; did you");
  EXPECT_EQ(refusal([] { problem("table:/no/such"); }),
            "problem = /no/such: there is no such file");
  EXPECT_EQ(refusal([] { problem({.name = "k-path", .rewards = "beta"}); }),
            "rewards = beta: the problem is played as it is; give means instead");
  EXPECT_EQ(refusal([] { problem(ProblemText{}); }),
            "problem: missing; give either --problem NAME, --means M1,M2,... or --prior LAW");
  const File bits("0,1\n0,2\n");
  EXPECT_EQ(refusal([&] { problem("replay:" + bits.path()); }),
            "problem = 2: every entry must be 0 or 1 (" + bits.path() + ", line 2)");
}

TEST(ActionSet, IsWhatItsTextSays) {
  EXPECT_EQ(action_set("single", 4), nullptr);
  EXPECT_EQ(action_set("top:2", 4)->name(), actions::TopK(4, 2).name());
  const File edges("a,b\nb,d\na,c\nc,d\n");
  const actions::Graph graph{
      .nodes = 4, .edges = {{0, 1}, {1, 2}, {0, 3}, {3, 2}}, .directed = true};
  EXPECT_EQ(action_set("paths:" + edges.path() + ":a:d", 4)->name(),
            actions::Paths(graph, 0, 2).name());
  const File sets("0,1\n2,3\n");
  EXPECT_EQ(action_set("list:" + sets.path(), 4)->name(),
            actions::ExplicitList(4, {{0, 1}, {2, 3}}).name());
  EXPECT_EQ(action_set("matroid:graphic:" + edges.path(), 4)->structure(),
            actions::Structure::kMatroid);
  EXPECT_EQ(action_set("matching:" + edges.path(), 4)->structure(), actions::Structure::kOther);
}

TEST(ActionSet, ThatCannotBeMadeNamesTheFileAndTheLine) {
  EXPECT_EQ(
      refusal([] { action_set("top:5", 4); }),
      "actions = top:5: '5' must be an integer from 1 to 4, the number of arms of the problem");
  EXPECT_EQ(refusal([] { action_set("tpo:2", 4); }).substr(0, 48),
            "actions = tpo:2: unknown; did you mean top:K? Al");
  EXPECT_EQ(refusal([] { action_set("list:/no/such", 4); }),
            "actions = /no/such: there is no such file");
  const File sets("0,1\n\n1,0 # again\n");
  EXPECT_EQ(refusal([&] { action_set("list:" + sets.path(), 4); }),
            "actions = 1,0: is the set of line 1; list it once (" + sets.path() + ", line 3)");
  const File edges("a,b\nc,b\n");
  const std::string there = "paths:" + edges.path() + ":a:c";
  EXPECT_EQ(refusal([&] { action_set(there, 2); }),
            "actions = " + there + ": no path of " + edges.path() +
                " leads from 'a' to 'c'; :undirected at the end lets edges lead both ways");
  EXPECT_EQ(refusal([&] { action_set("paths:" + edges.path() + ":a:a", 2); }),
            "actions = paths:" + edges.path() + ":a:a: source and target are both 'a'");
  EXPECT_EQ(refusal([&] { action_set("matching:" + edges.path(), 4); }),
            "actions = matching:" + edges.path() + ": has 2 arms, the problem has 4");
}

TEST(Request, FromTextPlaysWhatTheSameRequestInCodePlays) {
  simulation::Request coded;
  coded.policy = "anytime-lazy-ucb";
  coded.epsilon = 0.5;
  coded.problem = std::make_shared<problems::IndependentArms>(
      std::vector<double>{0.75, 0.625, 0.5, 0.375, 0.25}, problems::Rewards::kBernoulli);
  coded.horizon = 1000;
  coded.runs = 4;
  coded.checkpoints = simulation::log_checkpoints(1000, 50);
  const ReadRequest read = request(kSmall);
  EXPECT_EQ(read.actions, "single");
  EXPECT_EQ(simulation::simulate(read.request).final_regrets,
            simulation::simulate(coded).final_regrets);
}

TEST(Request, DropsWhatThePolicyHasNoUseFor) {
  RequestText text = with([](RequestText& t) {
    t.policy = "ucb1";
    t.delta = "1e-3";
  });
  EXPECT_FALSE(request(text).request.epsilon);
  EXPECT_FALSE(request(text).request.delta);
  text.policy = "dp-ucb-int";
  EXPECT_EQ(request(text).request.epsilon, 0.5);
  EXPECT_EQ(request(text).request.delta, 1e-3);
}

TEST(Request, IsRefusedByTheNameOfTheOption) {
  const auto said = [](auto change) { return refusal([&] { request(with(change)); }); };
  EXPECT_EQ(said([](auto& t) { t.epsilon = "0"; }), "epsilon = 0: must be a finite number > 0");
  EXPECT_EQ(said([](auto& t) { t.epsilon.reset(); }),
            "epsilon: missing; a private policy needs one, a finite number > 0 (anytime-lazy-ucb)");
  EXPECT_EQ(said([](auto& t) { t.runs = "none"; }),
            "runs = none: must be an integer from 1 to 100000000");
  EXPECT_EQ(said([](auto& t) { t.noise = "loud"; }),
            "noise = loud: must be ideal (doubles) or exact (integers)");
  EXPECT_EQ(said([](auto& t) { t.checkpoints = "log"; }),
            "checkpoints = log: must be log:N or linear:N with N from 1 to 100000");
  EXPECT_EQ(said([](auto& t) { t.feedback = "full"; }),
            "feedback = full: anytime-lazy-ucb needs feedback bandit");
  EXPECT_EQ(
      said([](auto& t) { t.policy = "anytime-lazy-ubc"; }),
      "policy = anytime-lazy-ubc: unknown; did you mean anytime-lazy-ucb? `tacit list` shows all");
  EXPECT_EQ(said([](auto& t) {
              t.parameters = {{"speed", "1"}};
            }),
            "speed = 1: anytime-lazy-ucb has no parameter of this name; did you mean index?");
  EXPECT_EQ(said([](auto& t) {
              t.policy = "lazy-dp-ts";
              t.parameters = {{"speed", "1"}};
            }),
            "speed = 1: lazy-dp-ts has no parameters");
}

TEST(Request, SaysOfActionsThatDoNotFitWhereTheyCameFrom) {
  const std::string why =
      "anytime-lazy-ucb plays a single arm a round; sets need a policy with feedback semi or "
      "cascade";
  EXPECT_EQ(refusal([] { request(with([](auto& t) { t.problem.actions = "top:2"; })); }),
            "actions = top:2: " + why);
  EXPECT_EQ(refusal([] { request(with([](auto& t) { t.problem.name = "k-path"; })); }),
            "problem = k-path: " + why);
}

TEST(RequestReader, MakesAProblemThatSeveralShareOnce) {
  RequestReader reader;
  RequestText text = with([](RequestText& t) { t.problem.environment_epsilon = "1"; });
  const ReadRequest one = reader.read(text);
  text.policy = "ucb1";
  const ReadRequest other = reader.read(text);
  EXPECT_EQ(one.request.problem, other.request.problem) << "both play on what was released once";
  ASSERT_TRUE(other.environment);
  EXPECT_EQ(other.environment->notion, privacy::Notion::kEnvironment);
  text.problem.environment_epsilon.reset();
  EXPECT_NE(reader.read(text).request.problem, one.request.problem);
}

TEST(EnvironmentEpsilon, IsTakenByEveryProblemThatIsMadeOfMeans) {
  for (const char* name : {"hu-linear", "chandak-vectors", "kveton", "k-path", "public-arms",
                           "common-arms", "equal-gaps", "exp3-lower", "open-bandit"}) {
    const ChosenProblem truth = problem(name);
    const ChosenProblem released = problem({.name = name, .environment_epsilon = "10"});
    ASSERT_TRUE(released.environment) << name;
    EXPECT_NE(released.problem->means(), truth.problem->means()) << name;
    EXPECT_EQ(released.problem->dependence(), truth.problem->dependence()) << name;
    EXPECT_EQ(released.actions_text, truth.actions_text)
        << name << ": what may be played is public";
    EXPECT_EQ(released.actions == nullptr, truth.actions == nullptr) << name;
  }
  const ChosenProblem sets =
      problem({.means = "0.1,0.5,0.9", .actions = "top:2", .environment_epsilon = "4"});
  EXPECT_TRUE(sets.environment && sets.actions);
}

TEST(EnvironmentEpsilon, KeepsTheGroupsOfArmsThatShareTheirOutcomes) {
  const ChosenProblem released = problem({.name = "k-path:6:3:0.4", .environment_epsilon = "8"});
  const std::vector<double>& means = released.problem->means();
  ASSERT_EQ(means.size(), 6U);
  EXPECT_EQ(means[0], means[2]);
  EXPECT_EQ(means[3], means[5]);
  EXPECT_NE(means[0], means[3]);
  EXPECT_NE(released.environment->because.find("one mean a group"), std::string::npos);
  EXPECT_NEAR(released.environment->epsilon, 8 * (1 + 2 * 0x1p-20), 1e-4) << "two means, not six";
}

TEST(EnvironmentEpsilon, IsRefusedWhereThereAreNoMeans) {
  const auto said = [](ProblemText text) {
    text.environment_epsilon = "1";
    return refusal([&] { problem(text); });
  };
  for (const char* name : {"switching", "alternating:20"}) {
    EXPECT_EQ(said({.name = name}),
              "environment-epsilon = 1: the problem is a table of outcomes, with no means that "
              "could be released");
  }
  const File users("0,1\n1,1\n");
  EXPECT_EQ(said({.name = "replay:" + users.path()}),
            "environment-epsilon = 1: the problem is recorded users, with no means that could be "
            "released; give means instead");
}

TEST(EnvironmentRegret, IsOfWhatIsReleasedOrOfTheTruth) {
  const ChosenProblem truth =
      problem({.name = "kveton", .environment_epsilon = "3", .environment_regret = "true"});
  EXPECT_EQ(truth.problem->means(), problem("kveton").problem->means());
  EXPECT_EQ(truth.environment_epsilon, 3);
  EXPECT_NE(truth.environment->because.find("must not be shared"), std::string::npos);
  EXPECT_FALSE(problem({.name = "kveton", .environment_epsilon = "3"}).environment_epsilon);
  EXPECT_EQ(refusal([] { problem({.name = "kveton", .environment_regret = "true"}); }),
            "environment-regret = true: goes with --environment-epsilon, which is not given");
  EXPECT_NE(refusal([] {
              problem({.name = "kveton", .environment_epsilon = "3", .environment_regret = "no"});
            }).find("must be released"),
            std::string::npos);
}

TEST(EnvironmentRegret, AgainstTheTruthCostsAReleaseARun) {
  RequestText text{
      .problem = {.name = "kveton", .environment_epsilon = "3", .environment_regret = "true"},
      .policy = "cascade-ucb1",
      .horizon = "10"};
  for (const int runs : {1, 2, 40}) {
    text.runs = std::to_string(runs);
    const privacy::Guarantee environment = *request(text).environment;
    EXPECT_EQ(environment.notion, privacy::Notion::kEnvironment);
    EXPECT_EQ(environment.epsilon, 3 * runs);
    const auto says = [&](const std::string& what) {
      return environment.because.find(what) != std::string::npos;
    };
    EXPECT_TRUE(says("every run releases them anew, by Laplace(scale 0.333"))
        << environment.because;
    EXPECT_TRUE(says("must not be shared"));
    EXPECT_FALSE(says("released once"));
    EXPECT_FALSE(says("use nothing else"));
    EXPECT_EQ(
        says("so that the histories of " + text.runs + " runs cost " + std::to_string(3 * runs)),
        runs > 1)
        << environment.because;
  }
  text.runs = "40";
  text.problem.environment_regret.reset();
  EXPECT_LT(request(text).environment->epsilon, 3.01) << "one release for all runs";
  EXPECT_NE(request(text).environment->because.find("released once"), std::string::npos);
}

TEST(Instance, IsWhatTheProblemIsToTheory) {
  const theory::Instance linear =
      instance({.problem = {.name = "hu-linear"}, .epsilon = "0.5", .horizon = "1e6"});
  EXPECT_EQ(linear.feedback, feedback::Kind::kBandit);
  EXPECT_EQ(linear.arms(), 5);
  EXPECT_EQ(linear.epsilon, 0.5);
  EXPECT_EQ(linear.delta, policies::kDefaultDelta);
  EXPECT_FALSE(linear.equal_outcomes);
  const theory::Instance paths = instance({.problem = {.name = "k-path"}, .horizon = "1e6"});
  EXPECT_EQ(paths.feedback, feedback::Kind::kSemi);
  EXPECT_TRUE(paths.equal_outcomes);
  EXPECT_FALSE(paths.epsilon);
  ASSERT_TRUE(paths.sets);
  EXPECT_EQ(paths.sets->overlap, theory::Overlap::kDisjoint);
}

TEST(Instance, ThatNoBoundSpeaksOfSaysWhy) {
  const auto said = [](InstanceText text) {
    text.horizon = "100";
    return refusal([&] { instance(text); });
  };
  EXPECT_EQ(said({.problem = {.means = "0.5"}}),
            "means = 0.5: number of means = 1: must be an integer >= 2");
  EXPECT_EQ(said({.problem = {.name = "k-path"}, .feedback = "cascade"}),
            "problem = k-path: items must attract independently for the bounds on ranked lists");
  EXPECT_EQ(said({.problem = {.name = "chandak-vectors"}, .feedback = "cascade"}),
            "problem = chandak-vectors: a ranked list needs top:K");
  EXPECT_EQ(said({.problem = {.name = "hu-linear"}, .feedback = "semi"}),
            "feedback = semi: needs --actions, such as top:2; without, bandit or full");
  const File rounds("0.5,0.4\n0.1,0.3\n");
  EXPECT_EQ(said({.problem = {.name = "table:" + rounds.path()}}),
            "problem = table:" + rounds.path() +
                ": outcomes are replayed in order, not drawn: no bound speaks of them");
}

TEST(Priors, EveryFormCanBeRead) {
  const std::vector<std::string> written = {"uniform:3", "beta:2:3:4", "two-point:5:0.1",
                                            "worst:basu-corollary-1:5:1:1e5"};
  ASSERT_EQ(written.size(), prior_forms().size());
  for (std::size_t i = 0; i < written.size(); ++i) {
    EXPECT_EQ(written[i].substr(0, written[i].find(':')), prior_forms()[i].name);
    const ChosenProblem chosen = problem({.prior = written[i]});
    EXPECT_GE(chosen.problem->arms(), 3);
    EXPECT_NE(chosen.problem->prior(), nullptr);
  }
  EXPECT_EQ(problem({.prior = "uniform:3", .rewards = "point"}).problem->name(),
            "point drawn from beta:1:1:3");
}

TEST(Priors, RefusalsNameWhatIsAllowed) {
  const auto message = [](const ProblemText& text) -> std::string {
    try {
      problem(text);
    } catch (const InvalidParameter& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_EQ(message({.prior = "unform:3"}),
            "prior = unform:3: unknown; did you mean uniform? `tacit list --problems` shows all");
  EXPECT_EQ(message({.prior = "beta"}), "prior = beta: is written beta:A:B:ARMS");
  EXPECT_EQ(message({.prior = "beta:0:1:3"}),
            "prior = beta:0:1:3: A = 0: must be a number in [1e-06, 1000000000]");
  EXPECT_EQ(message({.prior = "beta:1:1e308:3"}),
            "prior = beta:1:1e308:3: B = 1e+308: must be a number in [1e-06, 1000000000]");
  EXPECT_EQ(message({.prior = "two-point:5"}),
            "prior = two-point:5: is written two-point:ARMS:GAP");
  EXPECT_EQ(message({.prior = "uniform:5:6"}), "prior = uniform:5:6: is written uniform:ARMS");
  EXPECT_EQ(message({.prior = "worst:hu-theorem-3:5"}),
            "prior = worst:hu-theorem-3:5: is written worst:BOUND:ARMS:EPSILON:HORIZON");
  EXPECT_EQ(message({.prior = ""}),
            "prior: missing; must be one of uniform:ARMS, beta:A:B:ARMS, two-point:ARMS:GAP, "
            "worst:BOUND:ARMS:EPSILON:HORIZON");
  EXPECT_EQ(message({.prior = "two-point:1:0.1"}).substr(0, 31), "prior = two-point:1:0.1: arms =");
  EXPECT_EQ(message({.prior = "uniform:3", .environment_epsilon = "1"}),
            "environment-epsilon = 1: is for means that are given: with --prior every run has "
            "others");
  EXPECT_EQ(message({.name = "hu-linear", .prior = "uniform:3"}),
            "prior = uniform:3: give either --problem NAME, --means M1,M2,... or --prior LAW");
}

TEST(Files, OfTheProgramAreNamedWithAnAt) {
  for (const char* name : {"nethept_part", "rome99_part"}) {
    const TextFile inside = read_file("problem", std::string("@") + name);
    const TextFile outside = read_file("problem", std::string(TACIT_TEST_DATA "/") + name + ".csv");
    ASSERT_EQ(inside.rows.size(), outside.rows.size());
    for (std::size_t i = 0; i < inside.rows.size(); ++i) {
      EXPECT_EQ(inside.rows[i].fields, outside.rows[i].fields);
    }
  }
  try {
    read_file("problem", "@rome");
    FAIL() << "there is no such graph";
  } catch (const InvalidParameter& error) {
    EXPECT_EQ(std::string(error.what()),
              "problem = @rome: there is none of this name; must be @nethept_part, @rome99_part or "
              "a file");
  }
}

}  // namespace
}  // namespace tacit::specs
