#include "known_names.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <sstream>

#include "cli/program.hpp"
#include "paper_items.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/policies/catalogue.hpp"
#include "tacit/reports/reproduce.hpp"
#include "tacit/specs/action_sets.hpp"
#include "tacit/specs/priors.hpp"
#include "tacit/specs/problem_catalogue.hpp"
#include "tacit/theory/bound.hpp"

namespace tacit::papers_test {
namespace {

namespace fs = std::filesystem;

/// "top:" of top:K, "kveton" of kveton[:ITEMS:...].
std::string fixed_part(const std::string& form) {
  const auto is_argument = [](unsigned char c) { return std::isupper(c) != 0 || c == '['; };
  return {form.begin(), std::find_if(form.begin(), form.end(), is_argument)};
}

std::string without_comments(const std::string& source) {
  std::istringstream text(source);
  std::string code;
  for (std::string line; std::getline(text, line);) {
    code += line.substr(0, line.find("//")) + "\n";
  }
  return code;
}

bool matches(const std::string& text, const std::string& pattern) {
  return std::regex_search(text, std::regex(pattern));
}

}  // namespace

KnownNames::KnownNames() {
  for (const policies::Entry& entry : policies::catalogue()) names_.insert(entry.card.name);
  for (const theory::Bound& bound : theory::bounds()) names_.insert(bound.name);
  for (const reports::PaperFigure& figure : reports::paper_figures()) figures_.insert(figure.name);
  for (const auto& form : specs::problem_forms()) forms_.push_back(fixed_part(form.form()));
  for (const auto& form : specs::prior_forms()) forms_.push_back(fixed_part(form.form()));
  for (const auto& form : specs::action_set_forms()) forms_.push_back(fixed_part(form.form));
  for (const char* command : {"simulate", "audit", "bounds", "list", "run", "plot", "reproduce"}) {
    const std::string help = cli_test::run_tacit({command, "--help"}).out;
    const std::regex option("--[a-z][a-z-]*");
    for (std::sregex_iterator at(help.begin(), help.end(), option), end; at != end; ++at) {
      options_.insert(at->str());
    }
  }
  const fs::path library = root() / "lib/tacit";
  for (const auto& entry : fs::recursive_directory_iterator(library)) {
    const std::string path = fs::relative(entry.path(), library).string();
    if (!path.ends_with(".hpp") || path.ends_with("_test.hpp")) continue;
    headers_[path] = without_comments(text_of(entry.path()));
  }
}

bool KnownNames::have(const std::string& name) const {
  if (names_.contains(name) || figures_.contains(name) || has_form(name)) return true;
  if (name.starts_with("--")) return options_.contains(name);
  if (name.find("::") != std::string::npos) return declared(name);
  if (name.find('=') != std::string::npos) return is_parameter(name);
  return !name.empty() && (fs::exists(root() / name) || fs::exists(root() / "lib/tacit" / name));
}

bool KnownNames::has_form(const std::string& name) const {
  return std::any_of(forms_.begin(), forms_.end(), [&](const std::string& form) {
    if (form.ends_with(':')) return name.starts_with(form) && name != form;
    return name == form || name.starts_with(form + ":");
  });
}

bool KnownNames::declared(const std::string& name) const {
  const std::size_t colons = name.rfind("::");
  const std::string owner = name.substr(0, colons);
  const std::string member = name.substr(colons + 2);
  const bool is_folder = fs::is_directory(root() / "lib/tacit" / owner);
  const std::string type = "\\b(class|struct) ";
  return std::any_of(headers_.begin(), headers_.end(), [&](const auto& header) {
    const auto& [path, code] = header;
    if (is_folder) {
      return path.starts_with(owner + "/") &&
             matches(code, "\\b" + member + "\\s*\\(|" + type + member + "\\b");
    }
    return matches(code, type + owner + "\\b") && matches(code, "\\b" + member + "\\b");
  });
}

int claims_of(const std::string& figure) {
  for (const reports::PaperFigure& one : reports::paper_figures()) {
    if (one.name != figure || one.experiment == nullptr) continue;
    const auto& claims = one.experiment->asked.claims;
    return static_cast<int>(std::count_if(claims.begin(), claims.end(),
                                          [&](const auto& c) { return c.figure == figure; }));
  }
  return -1;
}

bool is_parameter(const std::string& text) {
  const std::size_t equals = text.find('=');
  const policies::ParameterValue given{text.substr(0, equals), text.substr(equals + 1)};
  const auto& all = policies::catalogue();
  return std::any_of(all.begin(), all.end(), [&](const policies::Entry& entry) {
    try {
      entry.parameters({given});
      return true;
    } catch (const InvalidParameter&) {
      return false;
    }
  });
}

}  // namespace tacit::papers_test
