#include "jobs.hpp"

#include "tacit/policies/catalogue.hpp"
#include "tacit/specs/files.hpp"
#include "tacit/specs/values.hpp"

namespace tacit::cli {

std::vector<specs::ReadRequest> read_jobs(const specs::RequestText& text,
                                          const std::string& policies,
                                          const std::vector<std::string>& params,
                                          const std::optional<std::string>& threads) {
  const std::vector<std::string> names = specs::split(policies, ',');
  for (const std::string& name : names) policies::find_policy(name);
  const specs::ParameterOptions given(params, names);
  specs::RequestReader reader;
  std::vector<specs::ReadRequest> jobs;
  for (const std::string& name : names) {
    specs::RequestText one = text;
    one.policy = name;
    one.parameters = given.of(name);
    jobs.push_back(reader.read(one));
    jobs.back().request.threads = specs::read_threads(threads);
  }
  return jobs;
}

}  // namespace tacit::cli
