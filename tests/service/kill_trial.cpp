#include "service/kill_trial.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "service/kill_books.hpp"
#include "tacit/service/api_keys.hpp"
#include "tacit/service/keeping/sqlite_store.hpp"

namespace tacit::service {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kPatience{30000};
constexpr double kMissing = 0.25;
constexpr int kCap = 3;
constexpr std::size_t kHands = 6;

/// Slots that are closed after a while, so that there are many, of every kind: of an arm, of all arms, of those held out; shown
/// later, and of users.
std::vector<Visited> visited() {
  return {{.name = "sums", .defers = true},
          {.name = "every", .all_arms = true},
          {.name = "shop"},
          {.name = "users", .units = 400}};
}

std::string configuration(const std::string& folder, Durability durability) {
  const std::string common =
      fmt::format("arms = ['a', 'b', 'c']\nwait = '{}ms'\ndefault = {}\nphase_max_age = '700ms'\n",
                  kWait.count(), kMissing);
  const auto experiment = [&](const char* name, const char* of) {
    return fmt::format("[[experiment]]\nname = '{}'\n{}\n{}", name, of, common);
  };
  return fmt::format(
             "store = '{0}/shop.db'\nkeys = '{0}/state.key'\nlisten = '127.0.0.1:0'\n"
             "durability = '{1}'\n"
             "limits = {{ decide = 1e9, report = 1e9, read = 1e9 }}\n"
             "[[population]]\nname = 'visitors'\nepsilon = 10\n"
             "[[population]]\nname = 'users'\nepsilon = 10\nuser_level = true\n",
             folder, durability == Durability::kFast ? "fast" : "strict") +
         experiment("sums", "population = 'visitors'\npolicy = 'anytime-lazy-ucb'\nepsilon = 1") +
         experiment("every", "population = 'visitors'\npolicy = 'ftnl'\nepsilon = 1") +
         experiment("shop",
                    "population = 'visitors'\npolicy = 'mgf-imed'\nepsilon = 1\nfloor = 0.05\n"
                    "holdout = 0.1") +
         experiment("users", fmt::format("population = 'users'\npolicy = 'anytime-lazy-ucb'\n"
                                         "user = {{ epsilon = 3, cap = {} }}",
                                         kCap)
                                 .c_str());
}

std::string add_key(SqliteStore& store, const std::string& role) {
  const NewApiKey key = new_api_key(role, "", SteadyClock().now());
  store.begin();
  store.put(key.row);
  store.commit();
  return key.text;
}

std::string line_of(const std::string& arm, Round phase, Round n,
                    const std::vector<double>& values) {
  return fmt::format("{} {} {} {}", arm, phase, n, fmt::join(values, " "));
}

}  // namespace

Trial::Trial(std::string folder, Durability durability)
    : folder_(std::move(folder)), durability_(durability), visitors_(visited(), kHands, 19) {
  std::ofstream(aside_.file("serve.toml")) << configuration(folder_, durability_);
  SqliteStore store(file("shop.db"), SqliteStore::Opening::kBesideOrNew);
  app_key_ = add_key(store, "app");
  operator_key_ = add_key(store, "operator");
}

bool Trial::start(const Words& words, const Variables& variables) {
  Words all{aside_.file("serve.toml"), "--tick", "100"};
  all.insert(all.end(), words.begin(), words.end());
  service_.reset();
  service_ = std::make_unique<UnderTest>(all, aside_.file("said"), variables);
  return service_->await_ready();
}

void Trial::close_doors() {
  service_->kill();
  visitors_.end();
}

bool Trial::await_outcomes(std::uint64_t more, milliseconds patience) {
  const std::uint64_t enough = counts().acknowledged + more;
  return await([&] { return counts().acknowledged >= enough; }, patience);
}

demo::Reply Trial::get(const std::string& path) {
  return demo::Client(service_->address(), operator_key_).get(path);
}
demo::Reply Trial::post(const std::string& path, const std::string& json) {
  return demo::Client(service_->address(), operator_key_).post(path, json);
}

std::string Trial::all_said() const {
  std::ostringstream all;
  all << std::ifstream(aside_.file("said")).rdbuf();
  return all.str();
}

bool Trial::has_said(const std::string& part) const {
  return all_said().find(part) != std::string::npos;
}

std::string Trial::said() const {
  const std::string text = all_said();
  constexpr std::size_t kMost = 2000;
  return text.size() > kMost ? "..." + text.substr(text.size() - kMost) : text;
}

void Trial::compare_with_api() {
  releases_.clear();
  for (const Visited& each : visitors_.experiments()) {
    std::string path = fmt::format("/v1/experiments/{}/releases?limit=1000", each.name);
    while (!path.empty()) {
      const demo::Reply reply = get(path);
      ASSERT_EQ(reply.status, 200);
      const auto json = nlohmann::json::parse(reply.body);
      for (const auto& release : json.at("releases")) {
        releases_.push_back(each.name + " " +
                            line_of("", release.at("phase"), release.at("n"),
                                    release.at("values").get<std::vector<double>>()));
      }
      path = json.at("next").is_null() ? "" : json.at("next").get<std::string>();
    }
  }
}

void Trial::finish(std::size_t least_exact, const Variables& variables) {
  if (!service_ || service_->was_killed()) {
    ASSERT_TRUE(start({}, variables)) << said();
    open_doors();
  }
  EXPECT_TRUE(visitors_.settle(kPatience)) << counts().owed << " outcomes could not be sent";
  visitors_.end();
  for (const Visited& each : visitors_.experiments()) {
    ASSERT_EQ(post("/v1/experiments/" + each.name + "/stop", "{}").status, 200) << each.name;
  }
  const auto all_released = [&] {
    return SqliteStore(file("shop.db"), SqliteStore::Opening::kBeside).load().slots.empty();
  };
  EXPECT_TRUE(await(all_released, kPatience));
  compare_with_api();
  ASSERT_TRUE(service_->stop());
  service_.reset();
  EXPECT_EQ(counts().wrong, 0U);

  const Books books(file("shop.db"), file("state.key"), visitors_, durability_, kMissing);
  books.check(kCap);
  EXPECT_GE(books.exact(), least_exact);
  EXPECT_LE(books.unsure() * 10, books.exact());
  std::vector<std::string> kept;
  for (const Visited& each : visitors_.experiments()) {
    for (const ExperimentRow& row : books.kept().experiments) {
      if (row.name != each.name) continue;
      for (const ReleaseRow& made : books.kept().made) {
        if (made.experiment != row.id) continue;
        kept.push_back(row.name + " " + line_of("", made.slot.phase, made.n, made.values));
      }
    }
  }
  EXPECT_EQ(releases_, kept) << "the API tells other releases than the store has";
  fmt::print(
      "  {} decisions, {} without an answer; {} outcomes acknowledged, {} requests not kept; {} "
      "slots "
      "to the last bit, {} unsure\n",
      counts().decisions.load(), counts().unanswered.load(), counts().acknowledged.load(),
      counts().not_kept.load(), books.exact(), books.unsure());
}

}  // namespace tacit::service
