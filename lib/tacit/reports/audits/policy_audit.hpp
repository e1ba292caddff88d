// An audit of a policy as people ask for it, and what it found: for the command line and for Python.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tacit/audit/audit.hpp"
#include "tacit/audit/exact.hpp"
#include "tacit/lab/json.hpp"
#include "tacit/policies/catalogue.hpp"

namespace tacit::reports {

/// Every value as text, by the name that the command line gives it.
struct AuditText {
  std::string policy = {}, epsilon = {};
  std::string notion = {};  // "": the policy's own
  std::string seed = "1";
  std::optional<std::string> delta = {}, samples = {}, rounds = {}, threads = {};
  std::vector<std::string> params = {};
  bool exact = false;
  bool replay = false;
  /// A policy that is in no catalogue, in the place of what is found there by the policy's name.
  std::shared_ptr<const policies::Entry> own_entry = nullptr;
  const std::atomic<bool>* stop = nullptr;  // once true, simulation::Stopped is thrown
};

/// By playing.
struct SampledAudit {
  audit::AuditRequest request;
  audit::Play play;
  bool instantaneous = false;  // one action at a time was asked about
  double confidence = 0;
  audit::AuditResult result = {};

  bool local() const { return play.entry.card.trust == policies::Trust::kLocal; }
};
/// The true worst-case epsilon, in place of a bound from samples.
struct ExactAudit {
  audit::AuditRequest request;
  bool local = false;
  bool instantaneous = false;
  accounting::Cost claimed = {};
  audit::ExactResult result = {};
  audit::Verdict verdict = audit::Verdict::kNothingSeen;
};
using PolicyAudit = std::variant<SampledAudit, ExactAudit>;

/// Throws InvalidParameter that names the option.
PolicyAudit audit_policy(const AuditText& text);

lab::Json audit_json(const PolicyAudit& audit);

}  // namespace tacit::reports
