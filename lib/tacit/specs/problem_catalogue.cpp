#include "tacit/specs/problem_catalogue.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "tacit/actions/explicit_list.hpp"
#include "tacit/actions/scaled.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/nearest_name.hpp"
#include "tacit/problems/adversaries.hpp"
#include "tacit/problems/environment_private.hpp"
#include "tacit/problems/hard_instances.hpp"
#include "tacit/problems/independent_arms.hpp"
#include "tacit/problems/movielens.hpp"
#include "tacit/problems/open_bandit.hpp"
#include "tacit/problems/prior.hpp"
#include "tacit/problems/replay_matrix.hpp"
#include "tacit/problems/shared_outcomes.hpp"
#include "tacit/problems/table.hpp"
#include "tacit/specs/action_sets.hpp"
#include "tacit/specs/files.hpp"
#include "tacit/specs/priors.hpp"
#include "tacit/specs/values.hpp"
#include "tacit/theory/bound.hpp"

namespace tacit::specs {
namespace {

ChosenProblem bernoulli(std::vector<double> means) {
  return {.problem = std::make_shared<problems::IndependentArms>(std::move(means),
                                                                 problems::Rewards::kBernoulli)};
}

ChosenProblem hu_linear(const std::string&) { return bernoulli({0.75, 0.625, 0.5, 0.375, 0.25}); }
ChosenProblem hu_equal(const std::string&) { return bernoulli({0.5, 0.4, 0.4, 0.4, 0.4}); }

ChosenProblem chandak_vectors(const std::string&) {
  ChosenProblem chosen = bernoulli({0.8, 0.75, 0.6, 0.2, 0.3, 0.4, 0.7});
  chosen.actions =
      linear_matroid({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {2, 0, 0}, {0, 0, 0}});
  chosen.actions_text = chosen.actions->name();
  return chosen;
}

/// Something in the argument of a named problem, to be said in the problem's name.
Parameter in_argument(const char* name) { return {"problem", name}; }

/// "20:4:0.4" as numbers.
std::vector<double> numbers(const std::string& argument, std::size_t count, bool one_more = false) {
  std::vector<double> values;
  for (const std::string& part : split(argument, ':')) {
    values.push_back(read_number(in_argument("part"), part));
  }
  if (values.size() != count && !(one_more && values.size() == count + 1)) {
    throw InvalidParameter(in_argument("numbers given"), fmt::format("{}", values.size()),
                           fmt::format("must be {}{}, separated by colons", count,
                                       one_more ? fmt::format(" or {}", count + 1) : ""));
  }
  return values;
}

int whole(double value) {
  constexpr int kMost = 1000000;
  return static_cast<int>(read_integer(in_argument("part"), fmt::format("{}", value), 0, kMost));
}

Round rounds(double value) {
  return read_integer(in_argument("part"), fmt::format("{}", value), 0, kLastRound);
}

ChosenProblem hard(const problems::HardInstance& instance) {
  ChosenProblem chosen{
      .problem = std::make_shared<problems::SharedOutcomes>(instance.means, instance.group_of_arm)};
  if (instance.actions.empty()) return chosen;
  chosen.actions =
      std::make_shared<actions::ExplicitList>(chosen.problem->arms(), instance.actions);
  chosen.actions_text = chosen.actions->name();
  return chosen;
}

/// ARMS:K:GAP[:B]: rewards are B times the sum, and means fall short by GAP/(B K).
ChosenProblem scaled(const std::string& argument,
                     problems::HardInstance (*make)(int arms, int k, double gap, double factor)) {
  const auto n = numbers(argument, 3, true);
  if (n.size() == 3) return hard(make(whole(n[0]), whole(n[1]), n[2], 1));
  const double factor = read_positive(in_argument("B"), split(argument, ':').back());
  ChosenProblem chosen = hard(make(whole(n[0]), whole(n[1]), n[2], factor));
  chosen.actions = std::make_shared<actions::Scaled>(chosen.actions, factor);
  chosen.actions_text = chosen.actions->name();
  return chosen;
}
ChosenProblem k_path(const std::string& argument) { return scaled(argument, problems::k_path); }
ChosenProblem public_arms(const std::string& argument) {
  return scaled(argument, problems::public_arms);
}
ChosenProblem common_arms(const std::string& argument) {
  const auto n = numbers(argument, 3);
  return hard(problems::common_arms(whole(n[0]), whole(n[1]), n[2]));
}
ChosenProblem equal_gaps(const std::string& argument) {
  const auto n = numbers(argument, 2);
  return hard(problems::equal_gaps(whole(n[0]), n[1]));
}
ChosenProblem doubling_gaps(const std::string& argument) {
  const auto n = numbers(argument, 2);
  return hard(problems::doubling_gaps(whole(n[0]), n[1]));
}

ChosenProblem played_back(const std::vector<std::vector<double>>& rows) {
  return {.problem = std::make_shared<problems::Table>(rows)};
}
ChosenProblem switching(const std::string& argument) {
  const auto n = numbers(argument, 2);
  return played_back(problems::switching_rows(whole(n[0]), rounds(n[1])));
}
ChosenProblem alternating(const std::string& argument) {
  return played_back(problems::alternating_rows(rounds(numbers(argument, 1)[0])));
}
ChosenProblem exp3_lower(const std::string& argument) {
  const auto n = numbers(argument, 2);
  return bernoulli(problems::exp3_lower_means(whole(n[0]), rounds(n[1])));
}

ChosenProblem worst(const std::string& argument) {
  const std::vector<std::string> parts = split(argument, ':');
  if (parts.size() != 4) {
    throw InvalidParameter(in_argument("parts given"), fmt::format("{}", parts.size()),
                           "must be 4: BOUND:ARMS:EPSILON:HORIZON");
  }
  const theory::Bound& bound = theory::find_bound(parts[0]);
  return bernoulli(
      theory::worst_instance(bound, whole(read_number(in_argument("arms"), parts[1])),
                             read_positive(in_argument("epsilon"), parts[2]),
                             read_integer(in_argument("horizon"), parts[3], 1, kLastRound)));
}

ChosenProblem kveton(const std::string& argument) {
  const auto n = numbers(argument, 4);
  const problems::HardInstance instance =
      problems::cascade_instance(whole(n[0]), whole(n[1]), n[2], n[3]);
  ChosenProblem chosen = bernoulli(instance.means);
  chosen.actions_text = fmt::format("top:{}", whole(n[1]));
  chosen.actions = action_set(chosen.actions_text, chosen.problem->arms());
  return chosen;
}

ChosenProblem open_bandit(const std::string& campaign) {
  return bernoulli(problems::open_bandit_means(campaign));
}

/// Title and genres of every movie.
std::vector<std::string> movie_names(const problems::MovieLens& data) {
  std::vector<std::string> names;
  for (std::size_t movie = 0; movie < data.titles.size(); ++movie) {
    std::vector<std::string_view> genres;
    for (std::size_t g = 0; g < problems::kMovieLensGenres.size(); ++g) {
      if (data.genres[movie][g] != 0) genres.push_back(problems::kMovieLensGenres[g]);
    }
    names.push_back(fmt::format("{}: {}", data.titles[movie], fmt::join(genres, ", ")));
  }
  return names;
}

ChosenProblem movielens(const std::string& folder) {
  constexpr int kMovies = 100;
  problems::MovieLens data = problems::read_movielens(folder, kMovies);
  std::vector<std::string> names = movie_names(data);
  ChosenProblem chosen{.problem =
                           std::make_shared<problems::ReplayMatrix>(std::move(data.ratings))};
  chosen.actions = linear_matroid(data.genres);
  chosen.actions_text = chosen.actions->name();
  chosen.arm_names = std::move(names);
  return chosen;
}

ChosenProblem replay(const std::string& path) {
  const TextFile file = read_file("problem", path);
  file.require_equal_rows("bits");
  problems::BitMatrix bits(static_cast<int>(file.rows.size()),
                           static_cast<int>(file.rows.front().fields.size()));
  for (std::size_t user = 0; user < file.rows.size(); ++user) {
    const TextFile::Row& row = file.rows[user];
    for (std::size_t item = 0; item < row.fields.size(); ++item) {
      if (row.fields[item] == "1") {
        bits.set(static_cast<int>(user), static_cast<int>(item));
      } else if (row.fields[item] != "0") {
        file.refuse(row, row.fields[item], "every entry must be 0 or 1");
      }
    }
  }
  return {.problem = std::make_shared<problems::ReplayMatrix>(std::move(bits))};
}

/// Attractions by the cascade model: of the users who looked at an item, the share that clicked it. A
/// user looked at everything up to the first click; an item that nobody looked at attracts nobody.
ChosenProblem sessions(const std::string& path) {
  const TextFile file = read_file("problem", path);
  struct Item {
    double examined = 0;
    double clicked = 0;
  };
  std::map<std::string, std::size_t> numbers;
  std::vector<Item> items;
  for (const TextFile::Row& row : file.rows) {
    const auto shown = static_cast<int>(row.fields.size()) - 1;
    if (shown < 1) {
      file.refuse(row, row.fields[0],
                  "needs the position of the first click (0 for none) and the items shown, "
                  "separated by commas");
    }
    const std::string& first = row.fields[0];
    const bool whole = !first.empty() && first.size() < 10 &&
                       first.find_first_not_of("0123456789") == std::string::npos;
    const int click = whole ? std::stoi(first) : -1;
    if (click < 0 || click > shown) {
      file.refuse(row, first,
                  fmt::format("the first column is the position of the first click, 1 to {}, or 0 "
                              "for none; there is no heading",
                              shown));
    }
    for (int k = 1; k <= shown; ++k) {
      const std::string& name = row.fields[static_cast<std::size_t>(k)];
      if (name.empty()) file.refuse(row, "", "an item needs a name");
      if (std::find(row.fields.begin() + 1, row.fields.begin() + k, name) !=
          row.fields.begin() + k) {
        file.refuse(row, name, "is shown twice in one list");
      }
      const auto [found, is_new] = numbers.try_emplace(name, items.size());
      if (is_new) items.emplace_back();
      if (click != 0 && k > click) continue;
      items[found->second].examined += 1;
      items[found->second].clicked += k == click ? 1 : 0;
    }
  }
  std::vector<double> means;
  for (const Item& item : items) {
    means.push_back(item.examined > 0 ? item.clicked / item.examined : 0);
  }
  ChosenProblem chosen = bernoulli(std::move(means));
  chosen.arm_names.resize(items.size());
  for (const auto& [name, number] : numbers) chosen.arm_names[number] = name;
  return chosen;
}

ChosenProblem table(const std::string& path) {
  return {.problem = std::make_shared<problems::Table>(read_table(path))};
}

EdgeFile numbered_edges(const std::string& path, const char* what) {
  EdgeFile file = read_edges("problem", path);
  if (file.numbers.empty()) {
    throw InvalidParameter(Option{"problem"}, path, fmt::format("needs a third column: {}", what));
  }
  return file;
}

/// Independent edges, each with the names of its ends.
ChosenProblem edges_with(const EdgeFile& file, std::vector<double> means) {
  ChosenProblem chosen = bernoulli(std::move(means));
  for (const actions::Edge& edge : file.graph.edges) {
    chosen.arm_names.push_back(fmt::format("{} - {}",
                                           file.names[static_cast<std::size_t>(edge.from)],
                                           file.names[static_cast<std::size_t>(edge.to)]));
  }
  return chosen;
}

ChosenProblem lengths(const std::string& path) {
  const EdgeFile file = numbered_edges(path, "the length of each edge");
  std::vector<double> means = file.numbers;
  const double longest = *std::max_element(means.begin(), means.end());
  for (double& mean : means) mean = longest > 0 ? 1 - mean / longest : 1;
  return edges_with(file, std::move(means));
}

ChosenProblem edge_means(const std::string& path) {
  const TextFile file = read_file("problem", path);
  const EdgeFile edges = numbered_edges(path, "the mean of each edge");
  const std::size_t heading = file.rows.size() - edges.numbers.size();
  for (std::size_t i = 0; i < edges.numbers.size(); ++i) {
    if (edges.numbers[i] > 1) {
      file.refuse(file.rows[i + heading], file.rows[i + heading].fields[2],
                  "a mean must be in [0, 1]");
    }
  }
  return edges_with(edges, edges.numbers);
}

ChosenProblem weighted_cascade(const std::string& path) {
  const EdgeFile file = read_edges("problem", path);
  std::vector<double> entering(file.names.size(), 0);
  for (const actions::Edge& edge : file.graph.edges) {
    entering[static_cast<std::size_t>(edge.to)] += 1;
  }
  std::vector<double> means;
  for (const actions::Edge& edge : file.graph.edges) {
    means.push_back(1 / entering[static_cast<std::size_t>(edge.to)]);
  }
  return edges_with(file, std::move(means));
}

problems::Rewards read_rewards(const std::string& text) {
  using problems::Rewards;
  for (const Rewards family :
       {Rewards::kBernoulli, Rewards::kBeta, Rewards::kPoint, Rewards::kTruncatedNormal}) {
    if (text == problems::name_of(family)) return family;
  }
  throw InvalidParameter(Option{"rewards"}, text, "must be bernoulli, beta, point or normal");
}

const ProblemForm& find_form(const std::string& name, const std::string& given) {
  std::vector<std::string> names;
  std::vector<std::string> longer;  // that the name abbreviates
  for (const ProblemForm& form : problem_forms()) {
    if (form.name == name) return form;
    names.push_back(form.name);
    if (form.name.starts_with(name)) longer.push_back(form.name);
  }
  throw InvalidParameter(Option{"problem"}, given,
                         "unknown; did you mean " +
                             nearest_name(name, longer.empty() ? names : longer) +
                             "? `tacit list --problems` shows all");
}

ChosenProblem named(const std::string& given) {
  const std::size_t colon = given.find(':');
  const ProblemForm& form = find_form(given.substr(0, colon), given);
  std::optional<std::string> argument = form.fallback;
  if (colon != std::string::npos) argument = given.substr(colon + 1);
  const bool unwanted = form.argument.empty() && colon != std::string::npos;
  if (unwanted || (!form.argument.empty() && (!argument || argument->empty()))) {
    throw InvalidParameter(Option{"problem"}, given, "is written " + form.form());
  }
  return in_the_name_of(Option{"problem"}, given, [&] { return form.make(argument.value_or("")); });
}

/// Every run draws an environment of its own.
ChosenProblem drawn(const ProblemText& text) {
  if (text.environment_epsilon) {
    throw InvalidParameter(Option{"environment-epsilon"}, *text.environment_epsilon,
                           "is for means that are given: with --prior every run has others");
  }
  return {.problem = std::make_shared<problems::DrawnEnvironment>(
              read_prior(*text.prior), read_rewards(text.rewards.value_or("bernoulli")))};
}

/// The problem as it is in truth, before actions are chosen.
ChosenProblem true_problem(const ProblemText& text) {
  if (text.prior) return drawn(text);
  if (text.name && !text.rewards) return named(*text.name);
  std::vector<double> means;
  if (text.name) {
    const ChosenProblem chosen = named(*text.name);
    // What is played arm by arm is its means: other laws may have them.
    if (chosen.problem->dependence() != problems::Dependence::kIndependent || chosen.actions) {
      throw InvalidParameter(Option{"rewards"}, *text.rewards,
                             "the problem is played as it is; give means instead");
    }
    means = chosen.problem->means();
  } else {
    means = read_means(*text.means);
  }
  const problems::Rewards rewards = read_rewards(text.rewards.value_or("bernoulli"));
  return {.problem = std::make_shared<problems::IndependentArms>(std::move(means), rewards)};
}

/// Whether regret is against the true means.
bool read_environment_regret(const ProblemText& text) {
  const std::string given = text.environment_regret.value_or("released");
  if (given != "released" && given != "true") {
    throw InvalidParameter(Option{"environment-regret"}, given,
                           "must be released (one release, which may be shared) or true (one in "
                           "every run, and regret against the true means)");
  }
  if (text.environment_regret && !text.environment_epsilon) {
    throw InvalidParameter(Option{"environment-regret"}, given,
                           "goes with --environment-epsilon, which is not given");
  }
  return given == "true";
}

/// What is played, before actions are chosen.
ChosenProblem without_actions(const ProblemText& text) {
  const bool against_truth = read_environment_regret(text);
  ChosenProblem chosen = true_problem(text);
  if (!text.environment_epsilon) return chosen;
  if (chosen.problem->environment().empty()) {
    throw InvalidParameter(
        Option{"environment-epsilon"}, *text.environment_epsilon,
        chosen.problem->playback() != nullptr
            ? "the problem is a table of outcomes, with no means that could be released"
            : "the problem is recorded users, with no means that could be released; give means "
              "instead");
  }
  // From secure randomness, not from the seed: whoever knows the seed could subtract the noise. To play on
  // the same release again, give the means that were printed.
  const double epsilon = read_number(Option{"environment-epsilon"}, *text.environment_epsilon);
  if (!(epsilon >= 0x1p-10 && epsilon <= 0x1p20)) {
    throw InvalidParameter(Option{"environment-epsilon"}, *text.environment_epsilon,
                           "must be a number from 0.0009765625 (2^-10) to 1048576 (2^20)");
  }
  if (against_truth) {
    chosen.environment = problems::guarantee_of_runs(*chosen.problem, epsilon, 1);
    chosen.environment_epsilon = epsilon;
    return chosen;
  }
  random::SecureSource source;
  auto released = problems::release_environment(*chosen.problem, epsilon, source);
  chosen.problem = released.problem;
  chosen.environment = released.guarantee;
  return chosen;
}

}  // namespace

std::string ProblemForm::form() const {
  if (argument.empty()) return name;
  return needs_argument() ? fmt::format("{}:{}", name, argument)
                          : fmt::format("{}[:{}]", name, argument);
}

const std::vector<ProblemForm>& problem_forms() {
  static const std::vector<ProblemForm> forms = {
      {"hu-linear", "", {}, "Hu et al. sec. 6, first setting: evenly spaced means", hu_linear},
      {"hu-equal", "", {}, "Hu et al. sec. 6, second setting: one good arm, four equal", hu_equal},
      {"equal-gaps", "ARMS:GAP", "10:0.1", "one best arm, all others worse by GAP", equal_gaps},
      {"worst", "BOUND:ARMS:EPSILON:HORIZON", "azize-basu-minimax:10:1:1e6",
       "the instance of a minimax bound (tacit bounds), its gap tuned to the horizon", worst},
      {"doubling-gaps", "ARMS:GAP", "6:0.02", "gaps GAP, 2 GAP, 4 GAP, ...", doubling_gaps},
      {"switching", "ARMS:ROUNDS", "3:20000",
       "no law: the best arm changes after two fifths of the rounds", switching},
      {"alternating", "ROUNDS", "20000",
       "no law: two arms take turns, so that whoever leads fails next", alternating},
      {"exp3-lower", "ARMS:ROUNDS", "4:1e6",
       "Auer et al. 2002: one arm better by less than so many rounds tell", exp3_lower},
      {"chandak-vectors",
       "",
       {},
       "Chandak's thesis, Table 6.1: seven vectors, play a basis",
       chandak_vectors},
      {"k-path", "ARMS:K:GAP[:B]", "20:4:0.4",
       "Chen et al. 2020: disjoint sets of K arms with equal outcomes, one set better by GAP; "
       "rewards are sums, or B times that",
       k_path},
      {"public-arms", "ARMS:K:GAP[:B]", "20:4:0.4",
       "Chen et al. 2020: all sets but the best, better by GAP, share K-1 arms; B as above",
       public_arms},
      {"common-arms", "SETS:K:GAP", "2:4:0.4",
       "sets of K arms that differ in one arm, better by GAP in one set", common_arms},
      {"kveton", "ITEMS:K:P:GAP", "16:4:0.2:0.15",
       "Kveton et al. 2015: ranked lists of K, K items attract with P and the others with P - GAP",
       kveton},
      {"open-bandit", "CAMPAIGN", "all",
       "click rates of the Open Bandit Dataset; all, men or women", open_bandit},
      {"movielens",
       "FOLDER",
       {},
       "MovieLens 1M from its files in FOLDER: users rate, movies of different genres are shown",
       movielens},
      {"replay",
       "FILE",
       {},
       "a CSV of 0 and 1, one row a user, one column an arm; every round is one user drawn",
       replay},
      {"sessions",
       "FILE",
       {},
       "recorded lists, rows of first click (0: none),item,item,...; items attract as they did "
       "there",
       sessions},
      {"table", "FILE", {}, "a CSV of outcomes replayed in order, one row a round", table},
      {"lengths", "FILE", {}, "edges from,to,length: mean outcome 1 - length/longest", lengths},
      {"edges", "FILE", {}, "edges from,to,mean", edge_means},
      {"weighted-cascade",
       "FILE",
       {},
       "edges from,to: mean 1/(edges that enter `to`)",
       weighted_cascade},
  };
  return forms;
}

ChosenProblem problem(const ProblemText& text) {
  const int given = static_cast<int>(text.name.has_value()) +
                    static_cast<int>(text.means.has_value()) +
                    static_cast<int>(text.prior.has_value());
  if (given != 1) {
    const bool two = given > 1;
    throw InvalidParameter(Option{two ? (text.prior ? "prior" : "means") : "problem"},
                           two ? text.prior.value_or(text.means.value_or("")) : "",
                           "give either --problem NAME, --means M1,M2,... or --prior LAW");
  }
  ChosenProblem chosen = without_actions(text);
  if (!text.actions) return chosen;
  if (chosen.actions) {
    throw InvalidParameter(
        Option{"actions"}, *text.actions,
        fmt::format("leave it out; {} has its own, {}", *text.name, chosen.actions_text));
  }
  chosen.actions = action_set(*text.actions, chosen.problem->arms());
  chosen.actions_text = *text.actions;
  return chosen;
}

void refuse_actions(const ProblemText& text, const actions::UnfitActions& why) {
  throw InvalidParameter(Option{text.actions ? "actions" : "problem"},
                         text.actions ? *text.actions : text.name.value_or(""), why.requirement());
}

}  // namespace tacit::specs
