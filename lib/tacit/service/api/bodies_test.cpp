#include "tacit/service/api/bodies.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tacit/privacy/exact.hpp"
#include "tacit/service/problem.hpp"

namespace tacit::service::api {
namespace {

constexpr Id kShop = 1;
constexpr Id kEverybody = 2;  // an outcome of every arm
constexpr Id kList = 3;       // read up to a stop
constexpr Id kDevices = 4;

/// What is asked of all these experiments: arms a to d, in generation 1.
Directory directory() {
  Directory directory;
  directory.tokens.add(1, TokenKeys::fresh_key());
  directory.ingress = TokenKeys::fresh_key();
  for (const Id id : {kShop, kEverybody, kList, kDevices}) {
    ExperimentCard card;
    card.id = id;
    card.name = "shop";
    for (const char* name : {"a", "b", "c", "d"}) {
      card.arm_named.emplace(name, static_cast<Arm>(card.arms.size()));
      card.arms.emplace_back(name);
      card.values.emplace_back("0");
    }
    card.all_arms = id == kEverybody;
    card.cascade = id == kList;
    card.local = id == kDevices;
    card.generation = 1;
    directory.by_id.emplace(id, std::make_shared<const ExperimentCard>(card));
  }
  return directory;
}

class Bodies : public testing::Test {
 protected:
  const ExperimentCard& shop() const { return *directory_.by_id.at(kShop); }

  /// Of a decision that was recorded, and asks for these arms' outcomes.
  Event event(Id experiment, std::vector<Arm> asked, std::vector<Arm> shown = {}) {
    Event event{.incarnation = 1, .number = ++number_, .experiment = experiment, .generation = 1};
    event.recorded = true;
    event.deadline = 1000;
    event.arms = shown.empty() ? asked : std::move(shown);
    for (const Arm arm : asked) event.places.push_back({{arm, 0}, 7});
    return event;
  }
  std::string token(const Event& event) const { return directory_.tokens.token(event); }
  std::string token(Id experiment, std::vector<Arm> asked, std::vector<Arm> shown = {}) {
    return token(event(experiment, std::move(asked), std::move(shown)));
  }

  DecisionsBody decisions(std::string body) const { return decisions_of(body, shop(), directory_); }
  OutcomesBody outcomes(std::string body) const { return outcomes_of(body, directory_); }
  ReportsBody reports(std::string body) const { return reports_of(body, directory_); }

  /// {"event": "...", and more}
  static std::string with(const std::string& token, const std::string& more) {
    return R"({"event":")" + token + R"(",)" + more + "}";
  }
  /// As they would be without any noise.
  static std::vector<double> opened(const OutcomesBody& body, std::size_t i = 0) {
    std::vector<double> values;
    for (const auto& outcome : body.of(body.each.at(i))) {
      values.push_back(privacy::Exact::release(outcome).value());
    }
    return values;
  }

  template <class Read>
  static std::string complaint(Read read, int status = 422) {
    try {
      read();
    } catch (const Problem& problem) {
      EXPECT_EQ(problem.status(), status);
      return problem.what();
    }
    return "";
  }
  std::string of_outcomes(const std::string& body, int status = 422) const {
    return complaint([&] { outcomes(body); }, status);
  }
  std::string of_decisions(const std::string& body, int status = 422) const {
    return complaint([&] { decisions(body); }, status);
  }
  std::string of_reports(const std::string& body) const {
    return complaint([&] { reports(body); });
  }

  Directory directory_ = directory();
  std::uint64_t number_ = 0;
};

TEST_F(Bodies, OfADecisionMayBeEmpty) {
  const DecisionsBody none = decisions("");
  EXPECT_EQ(none.request.experiment, kShop);
  EXPECT_FALSE(none.request.unit);
  EXPECT_TRUE(none.request.eligible.empty());
  EXPECT_FALSE(none.request.defer);
  EXPECT_TRUE(none.request.record);
  EXPECT_EQ(none.count, 1);
  EXPECT_EQ(decisions("{}").count, 1);
  EXPECT_FALSE(decisions(R"({"unit":null})").request.unit);
}

TEST_F(Bodies, OfADecisionSayWhoAmongWhatAndHowOften) {
  const DecisionsBody body = decisions(
      R"({"count":100,"unit":"us\u0065r-1","eligible":["c","a"],"defer":true,"record":false})");
  EXPECT_EQ(body.request.unit, directory_.unit("user-1"));
  EXPECT_EQ(body.request.eligible, (std::vector<Arm>{2, 0}));
  EXPECT_TRUE(body.request.defer);
  EXPECT_FALSE(body.request.record);
  EXPECT_EQ(body.count, 100);
}

TEST_F(Bodies, OfADecisionKeepNoNameOfAUnit) {
  std::string body = R"({"unit":"us\u0065r-1-of-the-shop","count":2})";
  decisions_of(body, shop(), directory_);
  EXPECT_EQ(body.find("r-1"), std::string::npos) << body;
  EXPECT_EQ(body.find("of-the"), std::string::npos) << body;
  EXPECT_NE(body.find("count"), std::string::npos) << body;
}

TEST_F(Bodies, OfADecisionAreRefusedByWhatIsAllowed) {
  EXPECT_EQ(of_decisions(R"({"unti":"x"})"),
            "body: key 1 is not known; did you mean unit? (known: unit, eligible, defer, record, "
            "count)");
  EXPECT_EQ(of_decisions(R"({"unit":7})"), "unit: must be a text");
  EXPECT_EQ(of_decisions(R"({"unit":""})"), "unit: must be a text of 1 to 1024 bytes");
  EXPECT_EQ(of_decisions(R"({"unit":"x","unit":"y"})"), "unit: is there twice");
  EXPECT_EQ(of_decisions(R"({"eligible":"a"})"), "eligible: must be a list of arms' names");
  EXPECT_EQ(of_decisions(R"({"eligible":["a",1]})"), "eligible[1]: must be the name of an arm");
  EXPECT_EQ(of_decisions(R"({"eligible":["a","A"]})"),
            "eligible[1]: is no arm of shop; did you mean a?");
  EXPECT_EQ(of_decisions(R"({"eligible":["a","a"]})"), "eligible[1]: is there twice");
  EXPECT_NE(of_decisions(R"({"eligible":[]})"), "");
  EXPECT_EQ(of_decisions(R"({"defer":1})"), "defer: must be true or false");
  EXPECT_EQ(of_decisions(R"({"record":"no"})"), "record: must be true or false");
  for (const char* count : {"0", "101", "1.5", "\"2\"", "-1"}) {
    EXPECT_EQ(of_decisions(std::string(R"({"count":)") + count + "}"),
              "count: must be a whole number from 1 to 100");
  }
  EXPECT_EQ(of_decisions("[]"), "body: must be an object");
  EXPECT_EQ(of_decisions("{", 400), "body: is no JSON: byte 1: expected a key in quotation marks");
}

TEST_F(Bodies, OfAnActivationAreAnEventAlone) {
  const Event deferred = event(kShop, {1});
  std::string body = R"({"event":")" + token(deferred) + "\"}";
  EXPECT_EQ(activation_of(body, directory_), deferred);
  std::string none = "{}";
  EXPECT_EQ(complaint([&] { activation_of(none, directory_); }), "event: must be given");
}

TEST_F(Bodies, OfOneOutcomeAreAValue) {
  const Event shown = event(kShop, {1});
  const OutcomesBody body = outcomes(with(token(shown), R"("value":0.25)"));
  ASSERT_EQ(body.each.size(), 1U);
  EXPECT_EQ(body.each[0].event, shown);
  EXPECT_EQ(opened(body), std::vector<double>{0.25});
  EXPECT_EQ(opened(outcomes(R"({"value":1,"event":")" + token(shown) + "\"}")),
            std::vector<double>{1});
}

TEST_F(Bodies, OfSeveralArmsAreInTheOrderOfPlaces) {
  const std::string set = token(kShop, {3, 1});
  EXPECT_EQ(opened(outcomes(with(set, R"("values":{"b":0.5,"d":1})"))),
            (std::vector<double>{1, 0.5}));
  const std::string all = token(kEverybody, {kAllArms}, {2});
  EXPECT_EQ(opened(outcomes(with(all, R"("values":{"d":1,"c":0.75,"b":0.5,"a":0.25})"))),
            (std::vector<double>{0.25, 0.5, 0.75, 1}));
  const std::string held_out = token(kShop, {kHoldout}, {2});
  EXPECT_EQ(opened(outcomes(with(held_out, R"("values":{"c":0.5})"))), std::vector<double>{0.5});
}

TEST_F(Bodies, OfAListSayWhereItsReaderStopped) {
  const std::string list = token(kList, {2}, {2, 0, 1});
  EXPECT_EQ(opened(outcomes(with(list, R"("stop":0)"))), std::vector<double>{1});
  EXPECT_EQ(opened(outcomes(with(list, R"("stop":2)"))), std::vector<double>{0});
  EXPECT_EQ(opened(outcomes(with(list, R"("stop":null)"))), std::vector<double>{0});
  for (const char* stop : {"3", "-1", "0.5", "\"0\""}) {
    EXPECT_EQ(of_outcomes(with(list, std::string("\"stop\":") + stop)),
              "stop: must be a position from 0 to 2, or null");
  }
  EXPECT_EQ(of_outcomes(with(token(kShop, {1}), R"("stop":0)")),
            "stop: is for ranked lists that are read up to a stop: give value or values");
}

TEST_F(Bodies, OfManyOutcomesAreAllOrNone) {
  const std::string one = with(token(kShop, {1}), R"("value":0.5)");
  const std::string two = with(token(kShop, {0, 2}), R"("values":{"a":0,"c":1})");
  const OutcomesBody body = outcomes(R"({"outcomes":[)" + one + "," + two + "," + one + "]}");
  ASSERT_EQ(body.each.size(), 3U);
  EXPECT_EQ(opened(body, 0), std::vector<double>{0.5});
  EXPECT_EQ(opened(body, 1), (std::vector<double>{0, 1}));
  EXPECT_EQ(opened(body, 2), std::vector<double>{0.5});
  EXPECT_EQ(of_outcomes(R"({"outcomes":[)" + one + R"(,{"event":"xxx","value":1}]})"),
            "outcomes[1].event: is no event that this service has given out");
  EXPECT_TRUE(outcomes(R"({"outcomes":[]})").each.empty());
}

TEST_F(Bodies, OfManyOutcomesAreAThousandAtMost) {
  const std::string one = with(token(kShop, {1}), R"("value":0.5)");
  std::string many = one;
  for (std::size_t i = 1; i < kMostOutcomes; ++i) many += "," + one;
  EXPECT_EQ(outcomes(R"({"outcomes":[)" + many + "]}").each.size(), kMostOutcomes);
  EXPECT_EQ(of_outcomes(R"({"outcomes":[)" + many + "," + one + "]}"),
            "outcomes: must be at most 1000");
}

TEST_F(Bodies, OfOutcomesAreRefusedByTheirShape) {
  const std::string one = token(kShop, {1});
  const std::string set = token(kShop, {3, 1});
  const std::string all = token(kEverybody, {kAllArms}, {2});
  EXPECT_EQ(of_outcomes("{}"), "event: must be given");
  EXPECT_EQ(of_outcomes(with("", R"("value":0.5)")),
            "event: is no event that this service has given out");
  EXPECT_EQ(of_outcomes(with(one, R"("value":0.5,"stop":1)")),
            "body: must have one of value, values and stop");
  EXPECT_EQ(of_outcomes(R"({"event":")" + one + "\"}"),
            "body: value, values or stop must be given");
  EXPECT_EQ(of_outcomes(with(set, R"("value":0.5)")),
            "value: this decision asks for the outcomes of 2 arms: give values");
  EXPECT_EQ(of_outcomes(with(all, R"("value":0.5)")),
            "value: this decision asks for the outcomes of 4 arms: give values");
  EXPECT_EQ(of_outcomes(with(set, R"("values":{"b":0.5})")),
            "values.d: must be given: this decision asks for it");
  EXPECT_EQ(of_outcomes(with(set, R"("values":{"d":0.5,"a":0.5})")),
            "values, key 2: is no arm that this decision asks for; did you mean d?");
  EXPECT_EQ(of_outcomes(with(set, R"("values":{"d":0.5,"d":0.5})")),
            "values, key 2: is there twice");
  EXPECT_EQ(of_outcomes(with(set, R"("values":[0.5,0.5])")),
            "values: must be an object of arms' names and outcomes");
  EXPECT_EQ(of_outcomes(with(one, R"("valeu":0.5)")),
            "body: key 2 is not known; did you mean value? (known: event, value, values, stop, "
            "outcomes)");
  EXPECT_EQ(of_outcomes(with(one, R"("outcomes":[])")), "outcomes: event belongs into its items");
  EXPECT_EQ(of_outcomes(R"({"outcomes":{}})"), "outcomes: must be a list");
  EXPECT_EQ(of_outcomes(R"({"outcomes":[1]})"), "outcomes[0]: must be an object");
  EXPECT_EQ(of_outcomes(with(token(kDevices, {1}), R"("value":0.5)")),
            "event: its reports come from users' devices: POST them to /v1/reports");
  Event deferred = event(kShop, {1});
  deferred.deferred = true;
  EXPECT_EQ(of_outcomes(with(token(deferred), R"("value":0.5)")),
            "event: is not shown yet: POST it to /v1/activations first");
}

TEST_F(Bodies, NeverSayWhatWasInThem) {
  const std::string one = token(kShop, {1});
  const std::string set = token(kShop, {3, 1});
  const std::vector<std::string> secrets{"0.7310581",     "-0.7310581",  "1.7310581", "7310581",
                                         "\"0.7310581\"", "[0.7310581]", "1e7310581"};
  for (const std::string& secret : secrets) {
    std::vector<std::string> bodies{
        with(one, "\"value\":" + secret), with(set, R"("values":{"b":)" + secret + "}"),
        with(one, "\"stop\":" + secret), with(one, "\"value\":0.5") + secret,
        R"({"outcomes":[)" + with(one, "\"value\":" + secret) + "," + secret};
    if (secret.find('"') == std::string::npos) bodies.push_back(with(one, "\"" + secret + "\":1"));
    for (const std::string& body : bodies) {
      std::string said;
      std::string field;
      try {
        outcomes(body);
      } catch (const Problem& problem) {
        said = problem.what();
        field = problem.field();
      }
      EXPECT_EQ(said.find("7310581"), std::string::npos) << said;
      EXPECT_EQ(field.find("7310581"), std::string::npos) << field;
      EXPECT_EQ(said.find(one), std::string::npos) << said;
      EXPECT_EQ(said.empty(), body == bodies[0] && secret == secrets[0]) << body;
    }
  }
}

TEST_F(Bodies, OfOutcomesAreFromZeroToOne) {
  const std::string one = token(kShop, {1});
  for (const char* value : {"-0.001", "1.0000000000000003", "2", "null", "true", "\"1\"", "[1]"}) {
    EXPECT_EQ(of_outcomes(with(one, std::string("\"value\":") + value)),
              "value: must be a number from 0 to 1");
  }
  EXPECT_EQ(of_outcomes(with(one, "\"value\":NaN"), 400).find("body: is no JSON: byte "), 0U);
  EXPECT_EQ(opened(outcomes(with(one, "\"value\":-0.0"))), std::vector<double>{0});
}

TEST_F(Bodies, OfAnotherGenerationHaveNoShapeAndNoOutcomes) {
  Event old = event(kShop, {1});
  old.generation = 0;
  for (const char* more : {R"("value":0.5)", R"("values":{"x":0.5,"y":1})", R"("stop":0)"}) {
    const OutcomesBody body = outcomes(with(token(old), more));
    ASSERT_EQ(body.each.size(), 1U);
    EXPECT_TRUE(body.of(body.each[0]).empty());
  }
  EXPECT_EQ(of_outcomes(with(token(old), R"("value":2)")), "value: must be a number from 0 to 1");
  Event nobody = event(kShop, {});
  nobody.fallback = true;
  nobody.arms = {0};
  EXPECT_EQ(outcomes(with(token(nobody), R"("value":0.5)")).each.size(), 1U);
  EXPECT_EQ(outcomes(with(token(77, {1}), R"("value":0.5)")).each.size(), 1U);
}

TEST_F(Bodies, OfAPolicyThatHasItsVerdictHaveNoShapeAndNoOutcomes) {
  Event decided = event(kShop, {});
  decided.arms = {0};
  for (const char* more : {R"("value":0.5)", R"("values":{"a":1})", R"("stop":0)"}) {
    const OutcomesBody body = outcomes(with(token(decided), more));
    ASSERT_EQ(body.each.size(), 1U) << more;
    EXPECT_TRUE(body.of(body.each[0]).empty()) << more;
  }
  EXPECT_EQ(of_outcomes(with(token(decided), R"("value":2)")),
            "value: must be a number from 0 to 1");
}

TEST_F(Bodies, OfReportsAreNumbers) {
  const std::string one = token(kDevices, {1});
  EXPECT_EQ(reports(with(one, R"("report":1)")).each.at(0).report, std::vector<double>{1});
  EXPECT_EQ(reports(with(one, R"("report":[-0.5,2.5])")).each.at(0).report,
            (std::vector<double>{-0.5, 2.5}));
  EXPECT_EQ(reports(R"({"reports":[)" + with(one, R"("report":0)") + "," +
                    with(one, R"("report":1)") + "]}")
                .each.size(),
            2U);
  EXPECT_EQ(of_reports(with(one, R"("report":"1")")),
            "report: must be a number, or a list of numbers, as the device made it");
  EXPECT_EQ(of_reports(R"({"event":")" + one + "\"}"), "report: must be given");
  EXPECT_EQ(of_reports(with(token(kShop, {1}), R"("report":1)")),
            "event: its outcomes do not come from users' devices: POST them to /v1/outcomes");
}

}  // namespace
}  // namespace tacit::service::api
