// The commands: what each is told, as it was typed, and what it does. Nothing is printed before everything has
// succeeded, so a failure never leaves half a document.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tacit/reports/audits/policy_audit.hpp"
#include "tacit/service/configuration.hpp"
#include "tacit/specs/instances.hpp"
#include "tacit/specs/requests.hpp"

namespace tacit::cli {

struct AuditOptions {
  reports::AuditText text;
  bool json = false;
};
void audit(const AuditOptions& options);
/// Of means that are released, without a policy.
void audit_environment(const AuditOptions& options);

struct BoundsOptions {
  specs::InstanceText instance;
  bool all = false;
  bool json = false;
};
void bounds(const BoundsOptions& options);

struct ExportOptions {
  std::string folder;
  std::optional<std::string> output;
  bool csv = false;
  bool json = false;
  bool markdown = false;
};
void export_results(const ExportOptions& options);

struct IdentifyOptions {
  specs::RequestText request;  // but for the policy and its parameters
  std::string policies;        // one or more, separated by commas
  std::vector<std::string> params;
  std::optional<std::string> threads;
  bool json = false;
};
void identify(const IdentifyOptions& options);

struct ListOptions {
  bool problems = false;
  bool json = false;
};
void list(const ListOptions& options);

struct MergeOptions {
  std::vector<std::string> folders;
  std::string output;
};
void merge(const MergeOptions& options);

struct PlotOptions {
  std::string folder;
  std::optional<std::string> output, figure, format, axes, y;
};
void plot(const PlotOptions& options);

struct ReproduceOptions {
  std::vector<std::string> names;
  std::string folder = "reproduced";
  std::optional<std::string> movies, threads;
  bool list = false;
};
void reproduce(const ReproduceOptions& options);

struct RunOptions {
  std::string experiment;
  std::optional<std::string> folder, shard, threads;
};
void run(const RunOptions& options);

void serve(const service::ConfigurationText& text);

struct ServeDemoOptions {
  std::optional<std::string> listen, store, visitors;
};
void serve_demo(const ServeDemoOptions& options);

struct ServeKeyOptions {
  std::string store;
  std::string role, note;  // of a new one
  std::string id;          // of one that is revoked
};
void add_key(const ServeKeyOptions& options);
void list_keys(const ServeKeyOptions& options);
void revoke_key(const ServeKeyOptions& options);

struct ServeStoreOptions {
  std::string store;
  std::optional<std::string> keys;
};
/// Of the service that serves the store, or of the store itself where nobody does.
void rotate_keys(const ServeStoreOptions& options);
void check_store(const ServeStoreOptions& options);

struct ServeCopyOptions {
  std::string store, copy;
  std::optional<std::string> keys;
  bool replace = false;
};
void back_up_store(const ServeCopyOptions& options);
void restore_store(const ServeCopyOptions& options);

struct SimulateOptions {
  specs::RequestText request;  // but for the policy and its parameters
  std::string policies;        // one or more, separated by commas
  std::vector<std::string> params;
  std::optional<std::string> threads, ledger, bands;
  bool arms = false;
  bool json = false;
};
void simulate(const SimulateOptions& options);

}  // namespace tacit::cli
