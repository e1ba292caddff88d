// An audit of means that are released, without a policy, as people ask for it, and what it found.
#pragma once

#include <variant>

#include "tacit/audit/environment.hpp"
#include "tacit/lab/json.hpp"
#include "tacit/reports/audits/policy_audit.hpp"

namespace tacit::reports {

struct EnvironmentAudit {
  audit::EnvironmentPlay play;
  double confidence = 1;
  std::variant<audit::EnvironmentResult, audit::ExactEnvironment> result;
};

/// Throws InvalidParameter that names the option, also for what only a policy has.
EnvironmentAudit audit_environment(const AuditText& text);

lab::Json audit_json(const EnvironmentAudit& audit);

}  // namespace tacit::reports
