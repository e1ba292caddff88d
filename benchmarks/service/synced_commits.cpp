#include "synced_commits.hpp"

#include <chrono>

#include "tacit/storage/sqlite.hpp"

namespace tacit::benchmarks {

Histogram synced_commits(const std::string& file, Seconds duration) {
  const storage::Database database(file, storage::Database::Access::kCreate);
  database.execute(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
      "CREATE TABLE IF NOT EXISTS rows(number INTEGER PRIMARY KEY, content BLOB);");
  storage::Statement add(database, "INSERT INTO rows(content) VALUES(zeroblob(100))");
  Histogram times;
  const Moment start = Clock::now();
  for (Moment begun = start; begun - start < duration;) {
    add.run();
    const Moment done = Clock::now();
    times.add(std::chrono::duration_cast<std::chrono::nanoseconds>(done - begun).count());
    begun = done;
  }
  return times;
}

}  // namespace tacit::benchmarks
