// What a recipe is given to build its learner and its plan, and how its own parameters are named, read and
// listed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tacit/actions/action_set.hpp"
#include "tacit/core/round.hpp"
#include "tacit/policies/choice.hpp"

namespace tacit::policies {

/// The second privacy parameter of policies that have one, when it is not given.
inline constexpr double kDefaultDelta = 1e-6;

struct Setting {
  int arms = 0;
  std::optional<double>
      epsilon;  // no default anywhere: a private policy refuses to be built without
  std::optional<double> delta;
  Round horizon = 0;
  Pace pace = Pace::kSkipping;
  std::shared_ptr<const actions::ActionSet> actions = nullptr;  // null: one arm a round

  double delta_or_default() const { return delta.value_or(kDefaultDelta); }
};

/// The setting's action set; a single arm a round when it has none.
std::shared_ptr<const actions::ActionSet> action_set(const Setting& setting);

/// The setting's epsilon, > 0 and finite, or InvalidParameter that names the policy.
double required_epsilon(std::string_view policy, const Setting& setting);

/// A parameter as given by a user ("a=3.1") or as shown to one.
struct ParameterValue {
  std::string name;
  std::string value;
};

/// A recipe's parameter with its range, for `tacit list` and error messages.
struct ParameterInfo {
  std::string name;
  std::string value;  // in force
  std::string range;
  std::string meaning;
};

/// Visits a recipe's fields once to describe them, once to set them. A recipe writes
///   template <class V> static void fields(V& v) { v.real("a", &Parameters::a, 0, 10, "level"); }
/// and both come from it. Bounds are exclusive.
template <class Parameters>
class FieldReader;
template <class Parameters>
class FieldLister;

/// What a user writes for each value that can be chosen.
template <class T>
using Names = std::vector<std::pair<std::string, std::type_identity_t<T>>>;
template <class T>
std::vector<std::string> words_of(const std::vector<std::pair<std::string, T>>& names) {
  std::vector<std::string> words;
  for (const auto& [word, value] : names) words.push_back(word);
  return words;
}

namespace detail {
double read_real(std::string_view policy, const ParameterValue& given, double low, double high);
int read_integer(std::string_view policy, const ParameterValue& given, int low, int high);
[[noreturn]] void refuse_choice(std::string_view policy, const ParameterValue& given,
                                const std::vector<std::string>& allowed);
[[noreturn]] void refuse_unknown(std::string_view policy, const ParameterValue& given,
                                 const std::vector<std::string>& known);
std::string show(double value);
std::string range_text(double low, double high);
}  // namespace detail

template <class Parameters>
class FieldReader {
 public:
  FieldReader(std::string_view policy, Parameters& target, const ParameterValue& given)
      : policy_(policy), target_(target), given_(given) {}

  void real(std::string_view name, double Parameters::*field, double low, double high,
            std::string_view) {
    known_.emplace_back(name);
    if (given_.name != name) return;
    target_.*field = detail::read_real(policy_, given_, low, high);
    used_ = true;
  }
  /// A parameter that depends on the setting unless given; `unless` says how.
  void real(std::string_view name, std::optional<double> Parameters::*field, double low,
            double high, std::string_view /*unless*/, std::string_view) {
    known_.emplace_back(name);
    if (given_.name != name) return;
    target_.*field = detail::read_real(policy_, given_, low, high);
    used_ = true;
  }
  /// Bounds are inclusive.
  void integer(std::string_view name, int Parameters::*field, int low, int high, std::string_view) {
    known_.emplace_back(name);
    if (given_.name != name) return;
    target_.*field = detail::read_integer(policy_, given_, low, high);
    used_ = true;
  }
  template <class T>
  void choice(std::string_view name, T Parameters::*field, const Names<T>& names,
              std::string_view) {
    known_.emplace_back(name);
    if (given_.name != name) return;
    for (const auto& [word, value] : names) {
      if (word != given_.value) continue;
      target_.*field = value;
      used_ = true;
    }
    if (!used_) detail::refuse_choice(policy_, given_, words_of(names));
  }
  void finish() const {
    if (!used_) detail::refuse_unknown(policy_, given_, known_);
  }

 private:
  std::string_view policy_;
  Parameters& target_;
  const ParameterValue& given_;
  std::vector<std::string> known_;
  bool used_ = false;
};

template <class Parameters>
class FieldLister {
 public:
  explicit FieldLister(const Parameters& values) : values_(values) {}

  void real(std::string_view name, double Parameters::*field, double low, double high,
            std::string_view meaning) {
    infos.push_back({std::string(name), detail::show(values_.*field), detail::range_text(low, high),
                     std::string(meaning)});
  }
  void real(std::string_view name, std::optional<double> Parameters::*field, double low,
            double high, std::string_view unless, std::string_view meaning) {
    const std::optional<double>& value = values_.*field;
    infos.push_back({std::string(name), value ? detail::show(*value) : std::string(unless),
                     detail::range_text(low, high), std::string(meaning)});
  }
  void integer(std::string_view name, int Parameters::*field, int low, int high,
               std::string_view meaning) {
    infos.push_back({std::string(name), std::to_string(values_.*field),
                     std::to_string(low) + ".." + std::to_string(high), std::string(meaning)});
  }
  template <class T>
  void choice(std::string_view name, T Parameters::*field, const Names<T>& names,
              std::string_view meaning) {
    std::string range;
    std::string chosen;
    for (const auto& [word, value] : names) {
      range += (range.empty() ? "" : "|") + word;
      if (value == values_.*field) chosen = word;
    }
    infos.push_back({std::string(name), chosen, range, std::string(meaning)});
  }

  std::vector<ParameterInfo> infos;

 private:
  const Parameters& values_;
};

/// For recipes without parameters of their own.
struct NoParameters {
  template <class V>
  static void fields(V&) {}
};

template <class Parameters>
Parameters read_parameters(std::string_view policy, const std::vector<ParameterValue>& given) {
  Parameters parameters;
  for (const ParameterValue& one : given) {
    FieldReader<Parameters> reader(policy, parameters, one);
    Parameters::fields(reader);
    reader.finish();
  }
  return parameters;
}

template <class Parameters>
std::vector<ParameterInfo> list_parameters(const Parameters& values) {
  FieldLister<Parameters> lister(values);
  Parameters::fields(lister);
  return lister.infos;
}

}  // namespace tacit::policies
