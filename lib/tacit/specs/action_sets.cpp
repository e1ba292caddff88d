#include "tacit/specs/action_sets.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tacit/actions/approximate.hpp"
#include "tacit/actions/explicit_list.hpp"
#include "tacit/actions/scaled.hpp"
#include "tacit/actions/top_k.hpp"
#include "tacit/core/nearest_name.hpp"
#include "tacit/core/one_line.hpp"
#include "tacit/specs/action_argument.hpp"
#include "tacit/specs/values.hpp"

namespace tacit::specs {

void refuse(const Argument& a, const std::string& requirement) {
  throw InvalidParameter(Option{"actions"}, a.spec, requirement);
}

std::pair<std::string, std::vector<std::string>> from_the_right(const Argument& a,
                                                                std::size_t count,
                                                                const char* form) {
  std::vector<std::string> fields = split(a.text, ':');
  if (fields.size() < count + 1) refuse(a, fmt::format("is written {}", form));
  const auto middle = fields.end() - static_cast<std::ptrdiff_t>(count);
  const std::string path = fmt::format("{}", fmt::join(fields.begin(), middle, ":"));
  const bool gap = path.empty() || std::find(middle, fields.end(), "") != fields.end();
  if (gap) refuse(a, fmt::format("is written {}", form));
  // Rather too many fields than a colon in the file's name.
  std::error_code ignored;
  if (fields.size() > count + 1 && !std::filesystem::exists(path, ignored)) {
    refuse(a, fmt::format("there is no file '{}'; is written {}", path, form));
  }
  return {path, {middle, fields.end()}};
}

int count_at(const Argument& a, const std::string& text, int most, const std::string& of_what) {
  if (const auto count = integer_in(text, 1, most)) return static_cast<int>(*count);
  refuse(a, fmt::format("'{}' must be an integer from 1 to {}, {}", in_short(text), most, of_what));
}

std::string joined(const TextFile::Row& row) {
  return fmt::format("{}", fmt::join(row.fields, ","));
}

namespace {

Actions top(const Argument& a) {
  return std::make_shared<actions::TopK>(
      a.arms, count_at(a, a.text, a.arms, "the number of arms of the problem"));
}

Actions list(const Argument& a) {
  const TextFile file = read_file("actions", a.text);
  std::vector<std::vector<Arm>> sets;
  std::map<std::vector<Arm>, int> line_of;  // by sorted set
  for (const TextFile::Row& row : file.rows) {
    std::vector<Arm> sorted = sets.emplace_back(file.arms(row, 0, a.arms));
    std::sort(sorted.begin(), sorted.end());
    const auto [found, is_new] = line_of.try_emplace(std::move(sorted), row.line);
    if (!is_new) {
      file.refuse(row, joined(row),
                  fmt::format("is the set of line {}; list it once", found->second));
    }
  }
  return in_the_name_of(Option{"actions"}, a.spec, [&]() -> Actions {
    return std::make_shared<actions::ExplicitList>(a.arms, sets);
  });
}

/// The `count` numbers before another action set, and that one: "2:top:3".
std::pair<std::vector<double>, Actions> numbers_and_set(const Argument& a, std::size_t count,
                                                        const char* form) {
  std::vector<double> numbers;
  std::size_t begin = 0;
  while (numbers.size() < count) {
    const std::size_t colon = a.text.find(':', begin);
    if (colon == std::string::npos) refuse(a, fmt::format("is written {}", form));
    const std::string number = a.text.substr(begin, colon - begin);
    numbers.push_back(in_the_name_of(Option{"actions"}, a.spec, [&] {
      return read_positive(Parameter{"actions", "number"}, number);
    }));
    begin = colon + 1;
  }
  Actions inside = action_set(a.text.substr(begin), a.arms);
  if (!inside) refuse(a, "needs sets of arms; of single arms there is top:1");
  return {std::move(numbers), std::move(inside)};
}

// Parts of a pair are captured by name: clang 14 has no other way.

Actions scale(const Argument& a) {
  const auto [numbers, inside] = numbers_and_set(a, 1, "scale:B:ACTIONS");
  return in_the_name_of(Option{"actions"}, a.spec,
                        [&numbers = numbers, &inside = inside]() -> Actions {
                          return std::make_shared<actions::Scaled>(inside, numbers[0]);
                        });
}

Actions approximate(const Argument& a) {
  const auto [numbers, inside] = numbers_and_set(a, 2, "approximate:ALPHA:BETA:ACTIONS");
  return in_the_name_of(
      Option{"actions"}, a.spec, [&numbers = numbers, &inside = inside]() -> Actions {
        return std::make_shared<actions::Approximate>(inside, numbers[0], numbers[1]);
      });
}

struct Form {
  std::string prefix;  // up to the argument
  std::string argument;
  std::string meaning;
  Actions (*make)(const Argument&);
};

const std::vector<Form>& forms() {
  static const std::vector<Form> all = {
      {"top:", "K", "any K arms", top},
      {"matroid:linear:", "FILE", "linearly independent rows; one row of numbers an arm", linear},
      {"matroid:graphic:", "FILE", "spanning trees (forests); one edge from,to an arm", graphic},
      {"matroid:partition:", "FILE", "one arm a block; a row block[,how many] an arm", partition},
      {"matroid:transversal:", "FILE", "arms in different slots; a row of slots an arm",
       transversal},
      {"matroid:laminar:", "FILE", "nested limits; a row capacity,arm,arm,... a set", laminar},
      {"matroid:uniform:", "K", "the same as top:K", uniform},
      {"paths:", "FILE:SOURCE:TARGET[:undirected]", "paths; one edge from,to an arm", paths},
      {"matching:", "FILE", "matchings; one edge left,right an arm", matching},
      {"list:", "FILE", "sets as listed; one row of arms (from 0) a set", list},
      {"cover:", "FILE:K", "K sets that cover items; one edge set,item an arm", cover},
      {"influence:", "FILE:K", "K seeds of a cascade; one edge from,to an arm", influence},
      {"cut:", "FILE", "edges between two parts of the nodes; one edge from,to an arm", cut},
      {"neighbours:", "FILE", "one arm, and others are seen too; a row of what is seen an arm",
       neighbours},
      {"scale:", "B:ACTIONS", "another set whose rewards count B times", scale},
      {"approximate:", "ALPHA:BETA:ACTIONS",
       "another set, found as badly as an (alpha, beta)-approximate oracle may", approximate},
  };
  return all;
}

/// The form whose name is nearest: what follows the name is the user's own.
const std::string& nearest_form(const std::string& spec, const std::vector<std::string>& known) {
  const std::vector<std::string> given = split(spec, ':');
  std::map<std::string, const std::string*> form_of;  // by name
  std::map<std::string, const std::string*> matroid_of;
  std::vector<std::string> names{"matroid"};
  std::vector<std::string> matroids;
  for (const std::string& form : known) {
    const std::vector<std::string> parts = split(form, ':');
    const bool matroid = parts[0] == "matroid";
    const std::string& name = parts[matroid ? 1 : 0];
    names.push_back(name);
    form_of[name] = &form;
    if (!matroid) continue;
    matroids.push_back(name);
    matroid_of[name] = &form;
  }
  const std::string name = nearest_name(given[0], names);
  if (name != "matroid") return *form_of.at(name);
  return *matroid_of.at(nearest_name(given.size() > 1 ? given[1] : "", matroids));
}

}  // namespace

const std::vector<ActionSetForm>& action_set_forms() {
  static const std::vector<ActionSetForm> written = [] {
    std::vector<ActionSetForm> all{{"single", "one arm (the default)"}};
    for (const Form& form : forms()) all.push_back({form.prefix + form.argument, form.meaning});
    return all;
  }();
  return written;
}

Actions action_set(const std::string& text, int arms) {
  if (text == "single") return nullptr;
  std::vector<std::string> known;
  for (const ActionSetForm& form : action_set_forms()) known.push_back(form.form);
  for (const Form& form : forms()) {
    if (!text.starts_with(form.prefix)) continue;
    const Argument argument{text, text.substr(form.prefix.size()), arms};
    if (argument.text.empty()) refuse(argument, "is written " + form.prefix + form.argument);
    Actions actions = form.make(argument);
    if (actions->arms() != arms) {
      refuse(argument, fmt::format("has {} arms, the problem has {}", actions->arms(), arms));
    }
    return actions;
  }
  const std::string all = fmt::format("{}", fmt::join(known, ", "));
  throw InvalidParameter(Option{"actions"}, text,
                         text.empty() ? "must be one of " + all
                                      : fmt::format("unknown; did you mean {}? Allowed: {}",
                                                    nearest_form(text, known), all));
}

}  // namespace tacit::specs
