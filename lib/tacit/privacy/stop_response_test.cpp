#include "tacit/privacy/stop_response.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "statistics/goodness_of_fit.hpp"

namespace tacit::privacy {
namespace {

const Sensitivity kTwoClicks = Sensitivity::entries(2);

std::vector<double> report_of(const StopResponse& response, const Secret<Stop>& stop,
                              random::SimulationStream& stream) {
  std::vector<Released<double>> clicks;
  response.report(stop, stream, clicks);
  std::vector<double> values;
  for (const auto& click : clicks) values.push_back(click.value());
  return values;
}

TEST(StopResponse, DebiasesFinitelyHoweverSmallEpsilonIs) {
  auto stream = random::SimulationKey(1, "policy", "problem", 0).stream(random::Purpose::kRounding);
  for (const auto kind : {StopResponse::Kind::kResponse, StopResponse::Kind::kEncoding}) {
    const StopResponse response(1e-20, 3, kind);
    for (int i = 0; i < 50; ++i) {
      const auto report = report_of(response, Secret<Stop>(Stop{1}), stream);
      for (const double y : report) {
        EXPECT_TRUE(std::isfinite(y)) << y;
      }
    }
  }
}

using Kind = StopResponse::Kind;
using Bits = std::vector<bool>;      // what was said of every position
using Law = std::map<Bits, double>;  // of one report

const std::vector<int> kPositions{1, 2, 4, 9};
const std::vector<double> kEpsilons{0.3, 1, 3};
const std::vector<Kind> kKinds{Kind::kResponse, Kind::kEncoding};

random::SimulationStream devices(std::uint64_t run) {
  return random::SimulationKey(1, "privacy", "stops", run).stream(random::Purpose::kRounding);
}
Secret<Stop> stopped_at(int position) { return Secret<Stop>(Stop{position}); }
std::size_t index(int position) { return static_cast<std::size_t>(position); }

/// The law of a report from the probabilities p (true answer, or true bit) and q (any other).
Law law_of_reports(Kind kind, int positions, double p, double q, int truth) {
  Law law;
  if (kind == Kind::kResponse) {
    for (int said = 0; said <= positions; ++said) {
      Bits bits(index(positions), false);
      if (said < positions) bits[index(said)] = true;
      law[bits] = said == truth ? p : q;
    }
    return law;
  }
  for (unsigned all = 0; all < 1U << positions; ++all) {
    Bits bits(index(positions));
    double chance = 1;
    for (int k = 0; k < positions; ++k) {
      bits[index(k)] = ((all >> k) & 1U) != 0;
      const double one = k == truth ? p : q;
      chance *= bits[index(k)] ? one : 1 - one;
    }
    law[bits] = chance;
  }
  return law;
}
Law law_of_reports(const StopResponse& r, int truth) {
  return law_of_reports(r.kind(), r.positions(), r.p(), r.q(), truth);
}

/// The two numbers that a position can be reported as.
struct Values {
  double no = std::numeric_limits<double>::infinity();
  double yes = -std::numeric_limits<double>::infinity();
};
Values seen(const StopResponse& response) {
  auto random = devices(1);
  Values values;
  for (int i = 0; i < 2000; ++i) {
    const auto report = report_of(response, stopped_at(i % (response.positions() + 1)), random);
    for (const double y : report) {
      values = {std::min(values.no, y), std::max(values.yes, y)};
    }
  }
  return values;
}

/// Mean and variance of what is reported of a position, by enumeration.
struct Moments {
  double mean = 0;
  double variance = 0;
};
Moments moments(const StopResponse& response, Values values, int truth, int position) {
  double mean = 0;
  double square = 0;
  for (const auto& [bits, chance] : law_of_reports(response, truth)) {
    const double y = bits[index(position)] ? values.yes : values.no;
    mean += chance * y;
    square += chance * y * y;
  }
  return {mean, square - mean * mean};
}

template <class Check>
void for_each_response(Check check) {
  for (const Kind kind : kKinds) {
    for (const int positions : kPositions) {
      for (const double epsilon : kEpsilons) {
        SCOPED_TRACE(::testing::Message()
                     << (kind == Kind::kResponse ? "response" : "encoding") << " of " << positions
                     << " positions, epsilon " << epsilon);
        check(StopResponse(epsilon, positions, kind), epsilon);
      }
    }
  }
}

TEST(StopResponse, HasTheProbabilitiesOfItsLemmas) {
  for_each_response([](const StopResponse& r, double epsilon) {
    const double e = std::exp(epsilon);
    const bool response = r.kind() == Kind::kResponse;
    EXPECT_NEAR(r.p(), response ? e / (e + r.positions()) : 0.5, 1e-15);
    EXPECT_NEAR(r.q(), response ? 1 / (e + r.positions()) : 1 / (e + 1), 1e-15);
    for (int truth = 0; truth <= r.positions(); ++truth) {
      double total = 0;
      for (const auto& [bits, chance] : law_of_reports(r, truth)) total += chance;
      EXPECT_NEAR(total, 1, 1e-12) << truth;
    }
  });
}

TEST(StopResponse, NoReportTellsTwoStopsApartByMoreThanEpsilon) {
  for_each_response([](const StopResponse& r, double epsilon) {
    double largest = 0;
    for (int a = 0; a <= r.positions(); ++a) {
      const Law one = law_of_reports(r, a);
      for (int b = 0; b <= r.positions(); ++b) {
        const Law other = law_of_reports(r, b);
        for (const auto& [bits, chance] : one) {
          largest = std::max(largest, std::log(chance / other.at(bits)));
        }
      }
    }
    // A single bit, and its all-zero twin: ln((e^eps + 1)/2) is all that the encoding spends.
    const bool slack = r.kind() == Kind::kEncoding && r.positions() == 1;
    const double spent = slack ? std::log((std::exp(epsilon) + 1) / 2) : epsilon;
    EXPECT_NEAR(largest, spent, 1e-12);
    EXPECT_LE(largest, epsilon + 1e-12);
    EXPECT_EQ(r.loss(kTwoClicks).epsilon, epsilon);
    EXPECT_EQ(r.loss(kTwoClicks).delta, 0);
  });
}

TEST(StopResponse, ReportsHaveTheirLaw) {
  constexpr int kReports = 20000;
  constexpr double kEnough = 25;  // cells with fewer expected reports are counted together
  double tests = 0;
  for (const int positions : kPositions) {
    tests += static_cast<double>(kKinds.size() * kEpsilons.size()) * (positions + 1);
  }
  std::uint64_t run = 100;
  for_each_response([&](const StopResponse& r, double epsilon) {
    const double e = std::exp(epsilon);
    const bool response = r.kind() == Kind::kResponse;
    const double p = response ? e / (e + r.positions()) : 0.5;
    const double q = response ? 1 / (e + r.positions()) : 1 / (e + 1);
    for (int truth = 0; truth <= r.positions(); ++truth) {
      auto random = devices(run++);
      std::map<Bits, std::int64_t> reports;
      for (int i = 0; i < kReports; ++i) {
        const auto report = report_of(r, stopped_at(truth), random);
        ASSERT_EQ(report.size(), index(r.positions()));
        Bits bits;
        for (const double y : report) bits.push_back(y > 0);
        ++reports[bits];
      }
      std::vector<std::int64_t> counts{0};
      std::vector<double> chances{0};
      std::int64_t possible = 0;
      for (const auto& [bits, chance] : law_of_reports(r.kind(), r.positions(), p, q, truth)) {
        const std::int64_t count = reports[bits];
        possible += count;
        if (chance * kReports >= kEnough) {
          counts.push_back(count);
          chances.push_back(chance);
        } else {
          counts[0] += count;
          chances[0] += chance;
        }
      }
      ASSERT_EQ(possible, kReports) << "reported what cannot be";
      if (chances[0] * kReports < kEnough) {
        counts[1] += counts[0];
        chances[1] += chances[0];
        counts.erase(counts.begin());
        chances.erase(chances.begin());
      }
      EXPECT_LT(testing::chi_square(counts, chances),
                testing::chi_square_critical(counts.size(), testing::kFamilyError / tests))
          << "stopped at " << truth;
    }
  });
}

TEST(StopResponse, ClicksHaveTheMeanOfWhereTheUserStopped) {
  for_each_response([](const StopResponse& r, double) {
    const Values values = seen(r);
    for (int truth = 0; truth <= r.positions(); ++truth) {
      for (int k = 0; k < r.positions(); ++k) {
        EXPECT_NEAR(moments(r, values, truth, k).mean, truth == k ? 1 : 0, 1e-12) << truth << k;
      }
    }
  });
}

/// The variance at a position that the user did not stop at, in closed form.
double variance_elsewhere(Kind kind, int positions, double epsilon) {
  const double e = std::exp(epsilon);
  return (kind == Kind::kResponse ? e + positions - 1 : 4 * e) / ((e - 1) * (e - 1));
}

TEST(StopResponse, HasTheVarianceThatItsHeaderSays) {
  for_each_response([](const StopResponse& r, double epsilon) {
    const Values values = seen(r);
    const double expected = variance_elsewhere(r.kind(), r.positions(), epsilon);
    for (int k = 0; k < r.positions(); ++k) {
      const int none = r.positions();
      EXPECT_NEAR(moments(r, values, none, k).variance / expected, 1, 1e-10) << k;
    }
  });
}

TEST(StopResponse, TakesTheKindWithTheSmallerVariance) {
  int responses = 0;
  int encodings = 0;
  for (const double epsilon : {0.01, 0.1, 0.3, 0.5, 1.0, 1.7, 2.0, 3.0, 4.0}) {
    for (int positions = 1; positions <= 80; ++positions) {
      const double response = variance_elsewhere(Kind::kResponse, positions, epsilon);
      const double encoding = variance_elsewhere(Kind::kEncoding, positions, epsilon);
      ASSERT_NE(response, encoding);
      const Kind better = response < encoding ? Kind::kResponse : Kind::kEncoding;
      const StopResponse chosen(epsilon, positions);
      EXPECT_EQ(chosen.kind(), better) << positions << " positions, epsilon " << epsilon;
      const StopResponse same(epsilon, positions, better);
      EXPECT_EQ(chosen.p(), same.p());
      EXPECT_EQ(chosen.q(), same.q());
      (better == Kind::kResponse ? responses : encodings) += 1;
    }
  }
  EXPECT_GT(responses, 100);
  EXPECT_GT(encodings, 100);
}

TEST(StopResponse, TellsTheTruthWhenEpsilonIsHuge) {
  auto random = devices(2);
  for (const double epsilon : {40.0, 700.0, 1000.0, 1e300}) {
    const StopResponse response(epsilon, 4);
    EXPECT_EQ(response.kind(), Kind::kResponse);
    for (int truth = 0; truth <= 4; ++truth) {
      for (int i = 0; i < 50; ++i) {
        const auto report = report_of(response, stopped_at(truth), random);
        for (int k = 0; k < 4; ++k) {
          ASSERT_NEAR(report[index(k)], truth == k ? 1 : 0, 1e-15) << epsilon;
        }
      }
    }
    // The encoding still doubts the true bit, and never invents one.
    const StopResponse encoding(epsilon, 4, Kind::kEncoding);
    int clicks = 0;
    for (int i = 0; i < 200; ++i) {
      const auto report = report_of(encoding, stopped_at(2), random);
      for (const int k : {0, 1, 3}) ASSERT_NEAR(report[index(k)], 0, 1e-15) << epsilon;
      clicks += report[2] > 1 ? 1 : 0;
      ASSERT_NEAR(report[2], report[2] > 1 ? 2 : 0, 1e-15) << epsilon;
    }
    EXPECT_GT(clicks, 50);
    EXPECT_LT(clicks, 150);
  }
}

TEST(StopResponse, DrawsAsMuchRandomnessWhateverItHides) {
  // What a device draws must not depend on what it hides: later draws would tell.
  for (const Kind kind : kKinds) {
    const StopResponse response(1, 4, kind);
    auto first = devices(3);
    report_of(response, stopped_at(0), first);
    const auto next = first();
    for (int truth = 1; truth <= 4; ++truth) {
      auto other = devices(3);
      report_of(response, stopped_at(truth), other);
      EXPECT_EQ(other(), next) << truth;
    }
  }
}

TEST(StopResponse, SaysInWordsWhatItDoes) {
  EXPECT_EQ(StopResponse(1, 4).loss(kTwoClicks).mechanism,
            "5-ary randomised response (true with probability 0.4046)");
  EXPECT_EQ(StopResponse(1, 10).loss(kTwoClicks).mechanism, "unary encoding of 10 positions");
}

TEST(StopResponse, RefusesWhatIsNotAnEpsilonOrAList) {
  for (const double epsilon : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(StopResponse(epsilon, 4), InvalidParameter) << epsilon;
    for (const Kind kind : kKinds) {
      EXPECT_THROW(StopResponse(epsilon, 4, kind), InvalidParameter) << epsilon;
    }
  }
  for (const int positions : {0, -1}) {
    EXPECT_THROW(StopResponse(1, positions), InvalidParameter) << positions;
    for (const Kind kind : kKinds) {
      EXPECT_THROW(StopResponse(1, positions, kind), InvalidParameter) << positions;
    }
  }
}

}  // namespace
}  // namespace tacit::privacy
