// A client that says the same thing again and again, and one that makes events up: nothing of the store is another than before, and
// the sums are those of the first answers.
#include <gtest/gtest.h>
#include <sodium.h>
#include <sqlite3.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "service/rig.hpp"
#include "tacit/service/api/bodies.hpp"

namespace tacit::service {
namespace {

// Set by the build: in `make audit` it is a million.
constexpr int kFlood = TACIT_FLOOD;
constexpr int kBatch = 1000;

/// Every table as text, but for the clock; of what is sealed, which is never the same twice, the length.
std::string content_of(const std::string& path) {
  sqlite3* store = nullptr;
  EXPECT_EQ(sqlite3_open_v2(path.c_str(), &store, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
  std::string all;
  const auto each_row = [&](const std::string& sql, auto use) {
    sqlite3_stmt* rows = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(store, sql.c_str(), -1, &rows, nullptr), SQLITE_OK) << sql;
    while (sqlite3_step(rows) == SQLITE_ROW) use(rows);
    sqlite3_finalize(rows);
  };
  const auto text = [](sqlite3_stmt* row, int column) {
    const unsigned char* given = sqlite3_column_text(row, column);
    return given == nullptr ? std::string("null") : reinterpret_cast<const char*>(given);  // NOLINT
  };
  std::vector<std::string> tables;
  each_row("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
           [&](sqlite3_stmt* row) { tables.push_back(text(row, 0)); });
  EXPECT_GT(tables.size(), 10U);
  for (const std::string& table : tables) {
    all += "\n" + table + "\n";
    each_row("SELECT * FROM " + table, [&](sqlite3_stmt* row) {
      for (int i = 0; i < sqlite3_column_count(row); ++i) {
        const std::string column = sqlite3_column_name(row, i);
        if (column == "clock") continue;
        const bool is_sealed = column == "sealed";
        all += column + " " +
               (is_sealed ? std::to_string(sqlite3_column_bytes(row, i)) : text(row, i)) + "\n";
      }
    });
  }
  each_row("PRAGMA page_count", [&](sqlite3_stmt* row) { all += "pages " + text(row, 0); });
  sqlite3_close(store);
  return all;
}

class Flood : public testing::Test {
 protected:
  Flood() : rig_(releaser_) {
    rig_.population();
    shop_ = rig_.create(small_spec());
  }
  std::string content() {
    rig_.store().tidy();
    return content_of(rig_.folder.file("store.db"));
  }
  /// As it comes over HTTP. True: accepted.
  bool report(const std::string& token, const char* value = "0.25") {
    std::string body = R"({"event":")" + token + R"(","value":)" + value + "}";
    try {
      const api::OutcomesBody read = api::outcomes_of(body, *rig_.engine().directory());
      for (const api::OutcomesBody::One& one : read.each) {
        rig_.engine().report(one.event, read.of(one), rig_.clock.now());
      }
      return true;
    } catch (const Problem& problem) {
      EXPECT_EQ(problem.status(), 422);
      EXPECT_STREQ(problem.what(), "event: is no event that this service has given out");
      return false;
    }
  }

  SumsAsTheyAre releaser_;
  Rig rig_;
  Id shop_ = 0;
};

TEST_F(Flood, OfOneReportLeavesTheStoreAsTheFirstDid) {
  std::vector<Decision> decisions;
  for (int i = 0; i < 6; ++i) decisions.push_back(rig_.decide(shop_));
  for (const Decision& decision : decisions) EXPECT_TRUE(report(decision.event));
  rig_.commit();
  const std::string before = content();
  for (int i = 0; i < kFlood; ++i) {
    // Also with another outcome, which comes too late.
    EXPECT_TRUE(report(decisions[0].event, i % 2 == 0 ? "0.25" : "1"));
    if (i % kBatch == kBatch - 1) rig_.commit();
  }
  rig_.commit();
  EXPECT_EQ(content(), before);
  rig_.restart();
  const auto released = rig_.release_all();
  EXPECT_GE(released.size(), 3U);
  for (const ReleaseRow& row : released) {
    EXPECT_EQ(row.values, std::vector<double>{0.25 * static_cast<double>(row.n)});
  }
}

TEST_F(Flood, OfForgedEventsLeavesTheStoreUntouched) {
  const Decision decision = rig_.decide(shop_);
  EXPECT_TRUE(report(decision.event, "1"));
  rig_.commit();
  const std::string before = content();
  TokenKeys others;
  others.add(1, TokenKeys::fresh_key());
  const Event event = rig_.event(decision);
  int accepted = 0;
  for (int i = 0; i < kFlood; ++i) {
    std::string token = decision.event;
    switch (i % 4) {
      case 0: {  // one letter is another
        char& letter = token[static_cast<std::size_t>(i / 4) % token.size()];
        letter = letter == 'A' ? 'B' : 'A';
        break;
      }
      case 1: token = others.token(event); break;  // of another service
      case 2: {                                    // of nobody
        std::array<unsigned char, 48> bytes{};
        randombytes_buf(bytes.data(), bytes.size());
        bytes[0] = 1;
        token.resize(64);
        sodium_bin2base64(token.data(), token.size() + 1, bytes.data(), bytes.size(),
                          sodium_base64_VARIANT_URLSAFE_NO_PADDING);
        break;
      }
      default: token.resize(static_cast<std::size_t>(i / 4) % token.size());
    }
    if (report(token)) ++accepted;
    if (i % kBatch == kBatch - 1) rig_.commit();
  }
  rig_.commit();
  EXPECT_EQ(accepted, 0);
  EXPECT_EQ(content(), before);
}

}  // namespace
}  // namespace tacit::service
