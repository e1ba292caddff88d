#include "tacit/reports/page/guarantees.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "tacit/reports/page/html.hpp"

namespace tacit::reports::page {
namespace {

/// To the digits that are shown.
double multiple_of(double epsilon, double parameter) {
  return std::stod(fmt::format("{:.3g}", epsilon / parameter));
}

std::string times_epsilon(double multiple) {
  return multiple == 1 ? "ε" : fmt::format("{:.3g} ε", multiple);
}

/// "central 2 ε, δ = 0.001", "central 0.1 ε to 3 ε" for a policy that has several, or "none".
std::string in_words(privacy::Notion notion, double epsilon, double delta,
                     const std::optional<double>& parameter, const std::set<double>& multiples) {
  if (notion == privacy::Notion::kNone) return privacy::name_of(notion);
  std::string text = privacy::name_of(notion);
  if (!parameter) {
    text += fmt::format(" {:.4g}", epsilon);
  } else if (multiples.size() > 1) {
    text += fmt::format(" {} to {}", times_epsilon(*multiples.begin()),
                        times_epsilon(*multiples.rbegin()));
  } else {
    text += fmt::format(" {}", times_epsilon(multiple_of(epsilon, *parameter)));
  }
  return delta > 0 ? fmt::format("{}, δ = {:.2g}", text, delta) : text;
}

/// The same for arguments that differ in numbers alone.
std::string without_numbers(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto is_digit = [&](std::size_t at) {
      return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
    };
    if (!is_digit(i)) {
      out += text[i];
      continue;
    }
    while (is_digit(i + 1) || (i + 2 < text.size() && text[i + 1] == '.' && is_digit(i + 2))) ++i;
    // An exponent, as in 1e-06.
    if (i + 3 < text.size() && text[i + 1] == 'e' && (text[i + 2] == '-' || text[i + 2] == '+')) {
      i += 2;
      while (is_digit(i + 1)) ++i;
    }
    out += '#';
  }
  return out;
}

/// Each of a figure's policies once for every argument.
std::vector<const PolicyPromise*> first_of_each(const std::vector<PolicyPromise>& promises,
                                                const Guarantees& guarantees) {
  std::vector<const PolicyPromise*> first;
  for (const PolicyPromise& promise : promises) {
    const bool known = std::any_of(first.begin(), first.end(), [&](const PolicyPromise* other) {
      return other->policy == promise.policy &&
             guarantees.argument_of(*other) == guarantees.argument_of(promise);
    });
    if (!known) first.push_back(&promise);
  }
  return first;
}

const char* class_of(Kept kept) {
  switch (kept) {
    case Kept::kAsPublished: break;
    case Kept::kMore: return "more";
    case Kept::kLess: return "less";
    case Kept::kOther: return "other";
  }
  return "same";
}

const char* heading_of(Kept kept) {
  switch (kept) {
    case Kept::kAsPublished: break;
    case Kept::kMore: return "More is kept than was published:";
    case Kept::kLess: return "What was published is not kept:";
    case Kept::kOther: return "Something else is kept than was published:";
  }
  return "What was published is kept:";
}

std::string codes(const std::vector<std::string>& names) {
  std::vector<std::string> all;
  all.reserve(names.size());
  for (const std::string& name : names)
    all.push_back(fmt::format("<code>{}</code>", escaped(name)));
  return fmt::format("{}", fmt::join(all, ", "));
}

}  // namespace

Guarantees::Guarantees(const std::vector<ReproducedFigure>& figures) {
  for (const ReproducedFigure& each : figures) {
    for (const PolicyPromise& promise : each.verdict.promises) {
      const privacy::Guarantee& kept = promise.promises.guarantee;
      if (promise.epsilon && kept.is_private())
        multiples_[promise.policy].insert(multiple_of(kept.epsilon, *promise.epsilon));
    }
  }
  for (const ReproducedFigure& each : figures) {
    for (const PolicyPromise& promise : each.verdict.promises) {
      const Words words = words_for(promise);
      const std::string& because = promise.promises.guarantee.because;
      const auto [known, is_new] = numbers_.try_emplace(words, arguments_.size());
      if (is_new) {
        arguments_.push_back({.kept = words.kept,
                              .published = words.published,
                              .because = because,
                              .epsilon = promise.epsilon,
                              .only_one = true,
                              .policies = {}});
      }
      Argument& argument = arguments_[known->second];
      argument.only_one = argument.only_one && argument.because == because;
      std::vector<std::string>& policies = argument.policies;
      if (std::find(policies.begin(), policies.end(), promise.policy) == policies.end())
        policies.push_back(promise.policy);
    }
  }
}

Guarantees::Words Guarantees::words_for(const PolicyPromise& promise) const {
  const auto& [kept, published] = promise.promises;
  const auto found = multiples_.find(promise.policy);
  return {in_words(kept.notion, kept.epsilon, kept.delta, promise.epsilon,
                   found == multiples_.end() ? std::set<double>{} : found->second),
          in_words(published.notion, published.epsilon, published.delta, promise.epsilon, {}),
          without_numbers(kept.because)};
}

std::size_t Guarantees::argument_of(const PolicyPromise& promise) const {
  return numbers_.at(words_for(promise));
}

std::string Guarantees::id_of_argument(std::size_t number) const {
  return id_of("argument", std::to_string(number + 1));
}

std::string guarantees_html(const Guarantees& guarantees) {
  std::string items;
  for (std::size_t i = 0; i < guarantees.arguments().size(); ++i) {
    const Argument& argument = guarantees.arguments()[i];
    const bool differs = argument.kept != argument.published;
    // Its numbers are those of one epsilon, and perhaps of one problem.
    std::string example = argument.only_one ? "" : ", for example";
    if (argument.epsilon)
      example += fmt::format("{} at ε = {:.4g}", argument.only_one ? "," : "", *argument.epsilon);
    if (!example.empty()) example += ',';
    items += fmt::format(
        "<li id=\"{}\"><p><strong>{}</strong>{}, because{} {}.</p>\n<p class=\"who\">{}</p></li>\n",
        guarantees.id_of_argument(i), escaped(argument.kept),
        differs ? fmt::format(" <span class=\"published\">(published: {})</span>",
                              escaped(argument.published))
                : "",
        example, escaped(argument.because), codes(argument.policies));
  }
  return fmt::format("<ol class=\"arguments\">\n{}</ol>\n", items);
}

std::string promises_html(const Verdict& verdict, const Guarantees& guarantees) {
  std::string rows;
  for (const PolicyPromise* promise : first_of_each(verdict.promises, guarantees)) {
    const std::size_t number = guarantees.argument_of(*promise);
    const Argument& argument = guarantees.arguments()[number];
    rows += fmt::format(
        "<tr><th scope=\"row\">{}</th><td>{}</td><td class=\"{}\">{}</td><td><a "
        "href=\"#{}\">why ({})</a></td></tr>\n",
        escaped(promise->policy), escaped(argument.kept), class_of(promise->kept()),
        escaped(argument.published), guarantees.id_of_argument(number), number + 1);
  }
  return fmt::format(
      "<table>\n<thead><tr><th scope=\"col\">policy</th><th scope=\"col\">keeps</th><th "
      "scope=\"col\">published</th><th scope=\"col\">argument</th></tr></thead>\n"
      "<tbody>\n{}</tbody>\n</table>\n",
      rows);
}

std::string differences_html(const Verdict& verdict, const Guarantees& guarantees) {
  std::string text;
  for (const Kept kept : {Kept::kLess, Kept::kOther, Kept::kMore}) {
    // Those of whom the same is to be said, together.
    std::vector<std::pair<std::string, std::vector<std::string>>> said;
    for (const PolicyPromise* promise : first_of_each(verdict.promises, guarantees)) {
      if (promise->kept() != kept) continue;
      const Argument& argument = guarantees.arguments()[guarantees.argument_of(*promise)];
      const std::string what = fmt::format("published {}, keeps <strong>{}</strong>",
                                           escaped(argument.published), escaped(argument.kept));
      auto known = std::find_if(said.begin(), said.end(),
                                [&](const auto& other) { return other.first == what; });
      if (known == said.end()) known = said.insert(said.end(), {what, {}});
      known->second.push_back(promise->policy);
    }
    if (said.empty()) continue;
    std::string items;
    for (const auto& [what, policies] : said) {
      items += fmt::format("<li>{}: {}</li>\n", codes(policies), what);
    }
    text += fmt::format("<div class=\"differences {}\"><p>{}</p>\n<ul>\n{}</ul></div>\n",
                        class_of(kept), heading_of(kept), items);
  }
  return text;
}

}  // namespace tacit::reports::page
