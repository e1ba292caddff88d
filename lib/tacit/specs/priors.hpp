// Laws over environments as people write them: --prior NAME:ARGUMENT.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tacit/problems/prior.hpp"

namespace tacit::specs {

struct PriorForm {
  std::string name;
  std::string argument;  // its form
  std::string title;
  std::shared_ptr<const problems::Prior> (*make)(
      const std::vector<std::string>& given);  // by colons

  std::string form() const { return name + ":" + argument; }
};

const std::vector<PriorForm>& prior_forms();

/// Throws InvalidParameter about --prior.
std::shared_ptr<const problems::Prior> read_prior(const std::string& text);

}  // namespace tacit::specs
