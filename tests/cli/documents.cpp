#include "documents.hpp"

#include <algorithm>
#include <iterator>

#include <gtest/gtest.h>

namespace tacit::cli_test {

Json document_of(const Arguments& arguments) {
  const Arguments all = arguments + Arguments{"--json"};
  SCOPED_TRACE(command_line(all));
  const Result result = run_tacit(all);
  EXPECT_EQ(result.exit, 0);
  EXPECT_EQ(result.err, "");
  Json document = Json::parse(result.out, nullptr, /*allow_exceptions=*/false);
  EXPECT_TRUE(document.is_array()) << result.out;
  return document.is_array() ? document : Json::array();
}

std::vector<std::string> all_policies() {
  std::vector<std::string> names;
  for (const Json& row : document_of({"list"})) names.push_back(row.at("name"));
  EXPECT_FALSE(names.empty());
  return names;
}

bool samples_posteriors_lazily(const std::string& policy) {
  constexpr const char* kNames[] = {"lazy-dp-ts", "dpts-mat",    "thompson-beta",
                                    "ts-cf",      "cts-beta",    "thompson-gaussian",
                                    "dp-ts-tree", "cts-gaussian"};
  return std::find(std::begin(kNames), std::end(kNames), policy) != std::end(kNames);
}

void expect_fields(const Json& object, const Fields& fields, const std::string& where) {
  for (const auto& [name, allowed] : fields) {
    const auto field = object.find(name);
    if (field == object.end()) {
      ADD_FAILURE() << where << " has no " << name << ": " << object;
      continue;
    }
    const std::string type = field->type_name();
    EXPECT_NE(("|" + allowed + "|").find("|" + type + "|"), std::string::npos)
        << where << "." << name << " is " << *field << ", must be " << allowed;
  }
}

}  // namespace tacit::cli_test
