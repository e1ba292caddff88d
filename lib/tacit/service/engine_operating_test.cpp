// What operators set, and what they are told where they may not.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "service/rig.hpp"

namespace tacit::service {
namespace {

SumsAsTheyAre exact;

TEST(Engine, ShowsTheFallbackOfWhatIsStoppedAndLearnsNothingMore) {
  Rig rig(exact);
  rig.population();
  Json spec = small_spec();
  spec["fallback"] = "b";
  const Id id = rig.create(spec);
  rig.report(rig.decide(id), 1);
  rig.engine().stop(id, "too slow", "test", rig.clock.now());
  rig.commit();
  const Decision decision = rig.decide(id);
  EXPECT_TRUE(decision.fallback);
  EXPECT_EQ(decision.arms, std::vector<Arm>{1});
  EXPECT_TRUE(decision.observe.empty());
  rig.engine().report(rig.event(decision), secret(1), rig.clock.now());
  EXPECT_EQ(rig.release_all().size(), 1U) << "what was learned before comes out in time";
  rig.restart();
  EXPECT_TRUE(rig.experiment(id).stopped());
  EXPECT_EQ(rig.experiment(id).row().why, "too slow");
}

TEST(Engine, RecordsNothingWhilePaused) {
  Rig rig(exact);
  rig.population();
  const Id id = rig.create(small_spec());
  rig.engine().pause(id, true, "test", rig.clock.now());
  EXPECT_FALSE(rig.event(rig.decide(id)).recorded);
  rig.engine().pause(id, false, "test", rig.clock.now());
  EXPECT_TRUE(rig.event(rig.decide(id)).recorded);
}

TEST(Engine, ChoosesAmongTheEligibleAndTheUnretired) {
  Rig rig(exact);
  rig.population();
  const Id id = rig.create(small_spec());
  const auto arm_of = [&](std::vector<Arm> eligible) {
    return rig.engine()
        .decide({.experiment = id, .unit = {}, .eligible = std::move(eligible)}, rig.clock.now())
        .arms[0];
  };
  for (int i = 0; i < 30; ++i) EXPECT_NE(arm_of({0, 2}), 1);
  rig.engine().retire_arm(id, "c", "test", rig.clock.now());
  rig.commit();
  rig.restart();
  for (int i = 0; i < 30; ++i) EXPECT_NE(rig.decide(id).arms[0], 2);
  EXPECT_EQ(status_of([&] { arm_of({2}); }), 422);
  rig.engine().retire_arm(id, "b", "test", rig.clock.now());
  EXPECT_EQ(status_of([&] { rig.engine().retire_arm(id, "a", "test", rig.clock.now()); }), 409);
}

TEST(Engine, CreatesNothingThatHasTooFewArmsToShow) {
  Rig rig(exact);
  rig.population();
  const auto create = [&](const Json& spec) {
    return refusal_of([&] { rig.engine().create(spec_of(spec), "test", rig.clock.now()); });
  };
  Json spec = small_spec();
  for (Json& arm : spec["arms"]) arm = Json{{"name", arm}, {"retired", true}};
  EXPECT_EQ(create(spec), "arms: too few would be left: 0, and at least 1 must be");
  spec["arms"][1]["retired"] = false;
  spec["holdout"] = 0.1;
  EXPECT_EQ(create(spec), "holdout: its control is retired; name another control");
  spec["control"] = "b";
  EXPECT_EQ(create(spec), "accepted");
  Json list = small_spec("list");
  list["policy"] = "lazy-kl-cucb";
  list["actions"] = "top:2";
  list["arms"] = spec["arms"];
  EXPECT_EQ(create(list), "arms: too few would be left: 1, and at least 2 must be");
  rig.commit();
  rig.restart();
  EXPECT_EQ(rig.decide(1).arms, std::vector<Arm>{1});
  rig.engine().stop(1, "", "test", rig.clock.now());
  EXPECT_EQ(rig.decide(1).arms, std::vector<Arm>{1});
}

TEST(Engine, CreatesNothingThatNoPathLeadsTo) {
  Rig rig(exact);
  rig.population();
  const std::string why =
      ": must have a letter, a digit, an underscore or a dash in it: to browsers a step of dots "
      "alone is none";
  const auto create = [&](const Json& spec) {
    return refusal_of([&] { rig.engine().create(spec_of(spec), "test", rig.clock.now()); });
  };
  for (const char* name : {".", "..", "..."}) {
    EXPECT_EQ(create(small_spec(name)), "name = \"" + std::string(name) + "\"" + why);
    EXPECT_EQ(refusal_of(
                  [&] { rig.engine().create_population(name, 1, false, "test", rig.clock.now()); }),
              "name = \"" + std::string(name) + "\"" + why);
  }
  EXPECT_EQ(create(small_spec("..a")), "accepted");
  Json arms = small_spec();
  arms["arms"] = {"a", ".."};
  EXPECT_EQ(create(arms), "arms[1] = \"..\"" + why);
  const Id id = rig.create(small_spec());
  EXPECT_EQ(refusal_of([&] {
              rig.engine().add_arm(id, {.name = "..", .value = "1", .retired = false}, "test",
                                   rig.clock.now());
            }),
            "name = \"..\"" + why);
}

TEST(Engine, TakesAnyUnitOfClientsWhereItWasMadeBeforeTheyWereSigned) {
  Rig rig(exact);
  rig.population();
  const auto make = [&](const char* name, const Json& more) {
    Json spec = small_spec(name);
    spec.update(more);
    return rig.create(spec);
  };
  make("old", {{"sticky_for", "1d"}});
  make("new", {{"sticky_for", "1d"}});
  make("without", Json::object());
  for (const ExperimentRow& row : rig.store().load().experiments) {
    if (row.name == "new") continue;
    ExperimentRow before = row;
    Json spec = Json::parse(row.spec);
    spec.erase("units_from_clients");
    before.spec = spec.dump();
    rig.store().begin();
    rig.store().put(before);
    rig.store().commit();
  }
  rig.restart();
  EXPECT_EQ(rig.engine().find("old")->spec().client_units, ClientUnits::kAny);
  EXPECT_EQ(rig.engine().find("new")->spec().client_units, ClientUnits::kSigned);
  EXPECT_EQ(rig.engine().notes(),
            std::vector<std::string>{
                "experiment old: anybody with a client key can ask for any unit, as it was made; "
                "PATCH units_from_clients to signed, or to any where names of units cannot be "
                "guessed"});
  const Id id = rig.engine().find("old")->row().id;
  rig.engine().change(id, {{"units_from_clients", "any"}}, "test", rig.clock.now());
  rig.commit();
  rig.restart();
  EXPECT_TRUE(rig.engine().notes().empty()) << "it was said what is wanted";
  EXPECT_EQ(rig.engine().find("old")->spec().client_units, ClientUnits::kAny);
}

TEST(Engine, SaysWhatAnOperatorMayDoInstead) {
  Rig rig(exact);
  rig.population();
  const Id id = rig.create(small_spec());
  const auto change = [&](const Json& patch) {
    return refusal_of([&] { rig.engine().change(id, patch, "test", rig.clock.now()); });
  };
  const auto retire = [&](const std::string& arm) {
    return refusal_of([&] { rig.engine().retire_arm(id, arm, "test", rig.clock.now()); });
  };
  const std::string may =
      " (what may change: floor, holdout, control, fallback, sticky_for, units_from_clients, "
      "phase_max_age, values, paused)";
  EXPECT_EQ(change({{"flor", 0.1}}), "flor: there is no such key; did you mean floor?" + may);
  EXPECT_EQ(change({{"epsilon", 2}}), "epsilon: cannot change while an experiment runs" + may);
  EXPECT_EQ(change({{"values", 7}}),
            "values = 7: must be an object from names of arms to what is shown");
  EXPECT_EQ(change({{"values", {{"B", 7}}}}), "values.B: is no arm; did you mean b?");
  EXPECT_EQ(retire("B"), "arm = B: there is no such arm; did you mean b?");
  EXPECT_EQ(retire("a"), "accepted");
  EXPECT_EQ(retire("b"), "accepted");
  EXPECT_EQ(retire("c"), "arm = c: too few would be left: 0, and at least 1 must be");
  EXPECT_EQ(refusal_of([&] { rig.engine().archive(id, "test", rig.clock.now()); }),
            "experiment shop is not stopped yet: POST /v1/experiments/shop/stop first");
}

TEST(Engine, SaysItInALineWhateverAnOperatorSends) {
  Rig rig(exact);
  rig.population();
  const Id id = rig.create(small_spec());
  const std::string given = "a\nb" + std::string(60'000, 'x');
  const auto change = [&](const Json& patch) {
    return refusal_of([&] { rig.engine().change(id, patch, "test", rig.clock.now()); });
  };
  for (const std::string& said :
       {change({{given, 1}}), change({{"values", given}}), change({{"values", {{given, 1}}}}),
        refusal_of([&] { rig.engine().retire_arm(id, given, "test", rig.clock.now()); })}) {
    EXPECT_LT(said.size(), 300U) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
  }
}

TEST(Engine, GivesEveryArmItsFloor) {
  Rig rig(exact);
  rig.population();
  for (const char* policy : {"anytime-lazy-ucb", "mgf-imed"}) {
    Json spec = small_spec(policy);
    spec["policy"] = policy;
    spec["floor"] = 0.1;
    spec["wait"] = 0;
    const Id id = rig.create(spec);
    std::map<Arm, int> shown;
    constexpr int kDecisions = 6000;
    for (int i = 0; i < kDecisions; ++i) {
      const Decision decision = rig.decide(id);
      ++shown[decision.arms[0]];
      rig.report(decision, decision.arms[0] == 0 ? 1 : 0);
      if (i % 20 == 0) {
        rig.clock.advance(3 * kSecond);
        rig.tick();
      }
    }
    // Six standard deviations of a Binomial(6000, 0.1).
    for (Arm arm = 0; arm < 3; ++arm) EXPECT_GT(shown[arm], 600 - 140) << policy << " " << arm;
    EXPECT_GT(shown[0], 3600) << policy << ": the floor is no more than that";
  }
}

TEST(Engine, MeasuresThoseWhoAreHeldOutApart) {
  Rig rig(exact);
  rig.population();
  Json spec = small_spec();
  spec["holdout"] = 0.25;
  spec["control"] = "c";
  const Id id = rig.create(spec);
  int held_out = 0;
  for (int i = 0; i < 4000; ++i) {
    const Decision decision = rig.decide(id, "unit" + std::to_string(i));
    const Event event = rig.event(decision);
    if (event.places[0].slot.arm == kHoldout) {
      ++held_out;
      EXPECT_EQ(decision.arms[0], 2);
      EXPECT_EQ(decision.observe, std::vector<Arm>{2});
    }
    rig.report(decision, event.places[0].slot.arm == kHoldout ? 1 : 0.5);
  }
  EXPECT_NEAR(held_out, 1000, 6 * std::sqrt(4000 * 0.25 * 0.75));
  rig.commit();
  rig.release_all();
  const auto view = rig.experiment(id).holdout_view(0.95);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->mean, 1);
  EXPECT_EQ(view->under_way, 0);
  for (const auto& arm : rig.experiment(id).views(0.95)) EXPECT_NEAR(arm.mean, 0.5, 1e-9);
  const auto before = rig.experiment(id).progress().version;
  rig.restart();
  EXPECT_EQ(rig.experiment(id).progress().version, before);
  EXPECT_EQ(rig.experiment(id).holdout_view(0.95)->n, view->n);
  const Event again = rig.event(rig.decide(id, "unit7"));
  EXPECT_EQ(rig.event(rig.decide(id, "unit7")).places[0].slot.arm, again.places[0].slot.arm)
      << "always the same";
  for (int i = 0; i < 9000; ++i) rig.decide(id, "late" + std::to_string(i));
  const Round under_way = rig.experiment(id).holdout_view(0.95)->under_way;
  EXPECT_GT(under_way, 0);
  rig.commit();
  Round released = 0;
  for (const ReleaseRow& row : rig.release_all()) {
    if (row.slot.arm == kHoldout) released += row.n;
  }
  EXPECT_EQ(released, under_way);
}

TEST(Engine, NeverMeasuresTwoControlsTogether) {
  Rig rig(exact);
  rig.population();
  Json spec = small_spec();
  spec["holdout"] = 0.5;
  const Id id = rig.create(spec);
  std::vector<Event> held_out;
  while (held_out.size() < 20) {
    const Event event = rig.event(rig.engine().decide(
        {.experiment = id, .unit = {}, .eligible = {}, .defer = true}, rig.clock.now()));
    if (event.places.at(0).slot.arm == kHoldout) held_out.push_back(event);
  }
  const auto shown = [&](const Event& event) {
    Decision decision;
    decision.event = rig.engine().activate(event, rig.clock.now());
    return rig.event(decision);
  };
  rig.engine().change(id, Json{{"control", "b"}}, "test", rig.clock.now());
  for (const Event& event : held_out) EXPECT_FALSE(shown(event).recorded) << "with another control";
  EXPECT_FALSE(rig.experiment(id).has_held_out());
}

TEST(Engine, HoldsOutWithTheControlWhereItMayBeShownAndNeverWithTwo) {
  Rig rig(exact);
  rig.population();
  Json spec = small_spec();
  spec["holdout"] = 0.5;
  spec["control"] = "c";
  const Id id = rig.create(spec);
  for (int i = 0; i < 60; ++i) {
    EXPECT_NE(rig.engine()
                  .decide({.experiment = id, .unit = {}, .eligible = {0, 1}}, rig.clock.now())
                  .arms[0],
              2);
    rig.decide(id);
  }
  const auto change = [&](const Json& patch) {
    return status_of([&] { rig.engine().change(id, patch, "test", rig.clock.now()); });
  };
  EXPECT_EQ(change({{"holdout", 0}}), 0);
  EXPECT_EQ(change({{"control", "a"}}), 422) << "others were held out with another";
  rig.commit();
  rig.restart();
  EXPECT_EQ(change({{"control", "a"}}), 422);
  rig.engine().retire_arm(id, "c", "test", rig.clock.now());
  EXPECT_EQ(change({{"holdout", 0.5}}), 422) << "the control is retired";
}

TEST(Engine, FallsBackToWhatIsNotRetired) {
  Rig rig(exact);
  rig.population();
  Json spec = small_spec();
  spec["fallback"] = "b";
  const Id id = rig.create(spec);
  rig.engine().retire_arm(id, "b", "test", rig.clock.now());
  rig.engine().stop(id, "", "test", rig.clock.now());
  EXPECT_EQ(rig.decide(id).arms, std::vector<Arm>{0});
  Json list = small_spec("list");
  list["policy"] = "lazy-kl-cucb";
  list["actions"] = "top:2";
  list["fallback"] = {"c", "c"};
  const Id of_two = rig.create(list);
  rig.engine().stop(of_two, "", "test", rig.clock.now());
  EXPECT_EQ(rig.decide(of_two).arms, (std::vector<Arm>{2, 0}));
}

TEST(Engine, TakesUpAnArmMore) {
  Rig rig(exact);
  rig.population();
  const Id id = rig.create(small_spec());
  play(rig, id, 60);
  for (int i = 0; i < 10; ++i) rig.report(rig.decide(id), 1);
  const Decision before = rig.decide(id);
  rig.engine().add_arm(id, {.name = "d", .value = "\"d\"", .retired = false}, "test",
                       rig.clock.now());
  EXPECT_TRUE(rig.engine().reload_wanted());
  EXPECT_EQ(rig.experiment(id).arms(), 3) << "as many as its learner has, until it is read again";
  rig.commit();
  rig.restart();
  EXPECT_EQ(rig.experiment(id).arms(), 4);
  rig.report(before, 1);
  std::set<Arm> shown;
  for (int i = 0; i < 60; ++i) {
    const Decision decision = rig.decide(id);
    shown.insert(decision.arms[0]);
    rig.report(decision, 1);
  }
  EXPECT_TRUE(shown.contains(3));
  for (const ReleaseRow& row : rig.release_all())
    EXPECT_EQ(row.values[0], static_cast<double>(row.n));
}

TEST(Engine, ChangesWhatMayChangeAndRefusesTheRest) {
  Rig rig(exact);
  rig.population();
  const Id id = rig.create(small_spec());
  rig.engine().change(id, {{"floor", 0.2}, {"values", {{"a", 7}}}}, "test", rig.clock.now());
  rig.commit();
  rig.restart();
  EXPECT_EQ(rig.experiment(id).spec().floor, 0.2);
  EXPECT_EQ(rig.experiment(id).spec().arms[0].value, "7");
  EXPECT_EQ(status_of([&] {
              rig.engine().change(id, {{"epsilon", 9}}, "test", rig.clock.now());
            }),
            422);
  EXPECT_EQ(status_of([&] {
              rig.engine().change(id, {{"floor", 0.9}}, "test", rig.clock.now());
            }),
            422);
  EXPECT_EQ(status_of([&] {
              rig.engine().change(id, {{"values", {{"x", 1}}}}, "test", rig.clock.now());
            }),
            422);
  EXPECT_EQ(rig.experiment(id).guarantee().epsilon, 1);
}

}  // namespace
}  // namespace tacit::service
