#include "tacit/reports/stagger.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace tacit::reports {
namespace {

Polyline line(double left, double right, double height, double rise = 0) {
  Polyline points;
  for (int i = 0; i <= 10; ++i) {
    points.push_back({left + (right - left) * i / 10, height + rise * i / 10});
  }
  return points;
}

TEST(Stagger, LinesCoincideWhereNoReaderTellsThemApart) {
  const Polyline one = line(0, 400, 100);
  EXPECT_TRUE(coincide(one, one));
  EXPECT_TRUE(coincide(one, line(0, 400, 102)));
  EXPECT_FALSE(coincide(one, line(0, 400, 110)));
  EXPECT_TRUE(coincide(one, line(0, 400, 100, 5))) << "more than half of the way";
  EXPECT_FALSE(coincide(one, line(0, 400, 100, 50))) << "they part soon";
  EXPECT_TRUE(coincide(one, line(300, 400, 101))) << "the way that they have in common";
  EXPECT_FALSE(coincide(line(0, 100, 5), line(200, 300, 5)));
  EXPECT_FALSE(coincide(one, {}));
  EXPECT_TRUE(coincide({{5, 5}}, {{5, 6}})) << "single points";
  EXPECT_FALSE(coincide({{5, 5}}, {{6, 5}}));
}

TEST(Stagger, PilesKnowTheirPlaces) {
  const std::vector<Place> places =
      piles_of({line(0, 400, 100), line(0, 400, 300), line(0, 400, 101), line(0, 400, 103)});
  ASSERT_EQ(places.size(), 4U);
  EXPECT_EQ(places[0].place, 0);
  EXPECT_EQ(places[0].height, 3);
  EXPECT_EQ(places[1].height, 1) << "it lies alone";
  EXPECT_EQ(places[2].place, 1);
  EXPECT_EQ(places[3].place, 2);
  EXPECT_TRUE(piles_of({}).empty());
}

TEST(Stagger, ALineThatJoinsTwoPilesMakesThemOne) {
  // The first two do not coincide; the third does with both.
  const std::vector<Place> places =
      piles_of({line(0, 400, 100), line(0, 400, 105), line(0, 400, 102.5)});
  for (const Place& place : places) EXPECT_EQ(place.height, 3);
  EXPECT_EQ(places[1].place, 1);
}

TEST(Stagger, MarksOfLinesThatCoincideHavePlacesOfTheirOwn) {
  constexpr std::size_t kLines = 9;
  const Polyline same = line(0, 370, 50, 200);
  std::vector<double> all;
  for (std::size_t i = 0; i < kLines; ++i) {
    const std::vector<Pixel> marks = staggered(same, i, kLines);
    ASSERT_GE(marks.size(), 4U);
    for (const Pixel& mark : marks) {
      all.push_back(mark.x);
      EXPECT_NEAR(mark.y, 50 + 200 * mark.x / 370, 1e-9) << "on the line";
    }
  }
  std::sort(all.begin(), all.end());
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_GT(all[i] - all[i - 1], 5) << "pixels";
  EXPECT_TRUE(staggered({}, 0, 1).empty());
  EXPECT_EQ(staggered({{3, 4}}, 1, 2).size(), 1U);
}

}  // namespace
}  // namespace tacit::reports
