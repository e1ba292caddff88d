// The JSON documents that the program prints.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace tacit::cli_test {

using Json = nlohmann::json;

/// Runs with --json. Fails the test unless that gives exit 0, one document and nothing on stderr.
Json document_of(const Arguments& arguments);

/// Every policy of the catalogue, so that a new one is picked up unasked.
std::vector<std::string> all_policies();

/// Skipping draws fewer of a posterior sampler's own choices: its two paths agree in law, which the
/// simulation's own tests compare, and not number by number.
bool samples_posteriors_lazily(const std::string& policy);

/// What a documented field may hold: any of "null", "string", "number", "boolean", "array",
/// "object", separated by |.
using Fields = std::map<std::string, std::string>;

/// Fails the test for every field that is missing or of another type. Others may be there too:
/// adding one breaks no script.
void expect_fields(const Json& object, const Fields& fields, const std::string& where);

}  // namespace tacit::cli_test
