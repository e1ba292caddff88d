// How rows are read from the store's tables, and everything at once, as a start does.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "tacit/service/store.hpp"
#include "tacit/storage/sqlite.hpp"

namespace tacit::service {

/// A statement that is read lets go of the file also before its end.
class Reading {
 public:
  explicit Reading(storage::Statement& statement) : statement_(statement) {}
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
  ~Reading() { statement_.reset(); }

 private:
  storage::Statement& statement_;
};

template <class Read>
auto all_rows(storage::Statement& statement, Read read) {
  const Reading reading(statement);
  std::vector<decltype(read(statement))> rows;
  while (statement.step()) rows.push_back(read(statement));
  return rows;
}

template <std::size_t size>
storage::Bytes bytes_of(const std::array<unsigned char, size>& array) {
  return {{reinterpret_cast<const char*>(array.data()), size}};  // NOLINT: its bytes
}
/// What is too short ends with zeros.
template <std::size_t size>
std::array<unsigned char, size> array_of(std::string_view bytes) {
  std::array<unsigned char, size> array{};
  bytes.copy(reinterpret_cast<char*>(array.data()), size);  // NOLINT: its bytes
  return array;
}

// Of a statement that selects these columns, in order.
inline constexpr const char* kReleaseColumns =
    "experiment, version, arm, phase, n, noises, released, at";
ReleaseRow release_of(const storage::Statement& row);
inline constexpr const char* kApiKeyColumns = "id, role, note, hash, created, revoked";
ApiKeyRow api_key_of(const storage::Statement& row);
inline constexpr const char* kTrafficColumns = "experiment, arm, hour, decisions";
TrafficRow traffic_of(const storage::Statement& row);

Snapshot read_snapshot(const storage::Database& database);

}  // namespace tacit::service
