#include "tacit/service/aside.hpp"

#include <future>

#include <gtest/gtest.h>

#include "tacit/service/service_rig_test.hpp"

namespace tacit::service {
namespace {

TEST(Aside, DoesEverythingInTurnBeforeItEnds) {
  for (const bool own_thread : {false, true}) {
    std::vector<int> done;
    {
      Aside aside(own_thread);
      for (int i = 0; i < 100; ++i) aside.run([&done, i] { done.push_back(i); });
    }
    ASSERT_EQ(done.size(), 100U);
    EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
  }
}

TEST(Aside, KeepsNobodyWaitingButThoseWhoRead) {
  Folder folder;
  KeysInMemory keys;
  SqliteStore store(folder.file("store.db"));
  SteadyClock clock;
  Service service({.store = store,
                   .keys = keys,
                   .releaser = exact,
                   .dice = [](Id) { return random::Dice::numbered(1); }},
                  clock, {});
  std::promise<void> go_on;
  std::promise<int> read;
  std::promise<int> decided;
  service.submit_look(
      [&](Engine&, Time) -> std::function<Answer()> {
        return [until = go_on.get_future().share()] {
          until.wait();
          return Answer{.status = 200};
        };
      },
      [&](Answer&& answer) { read.set_value(answer.status); });
  service.submit(
      Lane::kDecide, [](Engine&, Time) { return Answer{}; },
      [&](Answer&& answer) { decided.set_value(answer.status); });
  auto answer = decided.get_future();
  EXPECT_EQ(answer.wait_for(std::chrono::seconds(10)), std::future_status::ready);
  go_on.set_value();
  EXPECT_EQ(answer.get(), 200);
  EXPECT_EQ(read.get_future().get(), 200);
}

TEST(Aside, TellsWhatIsRefusedAndWhatFails) {
  Turned rig;
  int status = 0;
  const auto look = [&](const Look& what) {
    rig.service.submit_look(what, [&](Answer&& answer) { status = answer.status; });
    rig.service.turn();
    return status;
  };
  EXPECT_EQ(look([](Engine& engine, Time) -> std::function<Answer()> {
              engine.at(7);
              return nullptr;
            }),
            404);
  EXPECT_EQ(look([](Engine&, Time) -> std::function<Answer()> {
              return []() -> Answer { throw std::runtime_error("of this nothing is told"); };
            }),
            500);
}

}  // namespace
}  // namespace tacit::service
