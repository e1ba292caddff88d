#include "tacit/specs/priors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/nearest_name.hpp"
#include "tacit/specs/files.hpp"
#include "tacit/specs/values.hpp"
#include "tacit/theory/bound.hpp"

namespace tacit::specs {
namespace {

using PriorPointer = std::shared_ptr<const problems::Prior>;

constexpr int kMostArms = 1000000;

/// Something in the argument, to be said in the name of the whole.
Parameter in_argument(const char* name) { return {"prior", name}; }

int read_arms(const std::string& text, int least) {
  return static_cast<int>(read_integer(in_argument("arms"), text, least, kMostArms));
}

PriorPointer uniform(const std::vector<std::string>& given) {
  return problems::beta_prior(1, 1, read_arms(given[0], 1));
}

PriorPointer beta(const std::vector<std::string>& given) {
  return problems::beta_prior(read_number(in_argument("A"), given[0]),
                              read_number(in_argument("B"), given[1]), read_arms(given[2], 1));
}

PriorPointer two_point(const std::vector<std::string>& given) {
  return problems::two_point_prior(read_arms(given[0], 2),
                                   read_positive(in_argument("gap"), given[1]));
}

PriorPointer worst(const std::vector<std::string>& given) {
  const int arms = read_arms(given[1], 2);
  const std::vector<double> means = theory::worst_instance(
      theory::find_bound(given[0]), arms, read_positive(in_argument("epsilon"), given[2]),
      read_integer(in_argument("horizon"), given[3], 1, kLastRound));
  return problems::two_point_prior(arms, means.front() - means.back());
}

}  // namespace

const std::vector<PriorForm>& prior_forms() {
  static const std::vector<PriorForm> forms = {
      {"uniform", "ARMS", "means uniform in [0, 1]", uniform},
      {"beta", "A:B:ARMS", "means from Beta(A, B)", beta},
      {"two-point", "ARMS:GAP",
       "one arm better by GAP or, as likely, another by 2 GAP: the prior of lower bounds",
       two_point},
      {"worst", "BOUND:ARMS:EPSILON:HORIZON",
       "that prior with the gap of a minimax bound (tacit bounds)", worst},
  };
  return forms;
}

PriorPointer read_prior(const std::string& text) {
  const std::string name = text.substr(0, text.find(':'));
  std::vector<std::string> names;
  std::vector<std::string> written;
  for (const PriorForm& form : prior_forms()) {
    names.push_back(form.name);
    written.push_back(form.form());
    if (form.name != name) continue;
    std::vector<std::string> given = split(text, ':');
    if (given.size() != split(form.form(), ':').size()) {
      throw InvalidParameter(Option{"prior"}, text, "is written " + form.form());
    }
    given.erase(given.begin());
    return in_the_name_of(Option{"prior"}, text, [&] { return form.make(given); });
  }
  if (text.empty()) {
    throw InvalidParameter(Option{"prior"}, text,
                           fmt::format("must be one of {}", fmt::join(written, ", ")));
  }
  throw InvalidParameter(
      Option{"prior"}, text,
      "unknown; did you mean " + nearest_name(name, names) + "? `tacit list --problems` shows all");
}

}  // namespace tacit::specs
