#include "tacit/core/state.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tacit/core/indexed.hpp"
#include "tacit/core/invalid_parameter.hpp"
#include "tacit/core/per_arm.hpp"

namespace tacit {
namespace {

template <class... T>
std::string written(const T&... values) {
  StateWriter writer;
  writer(values...);
  return writer.text();
}

template <class T>
T read_from(const std::string& text) {
  T value{};
  StateReader reader(text);
  reader(value);
  EXPECT_TRUE(reader.at_end()) << text;
  return value;
}

template <class T>
T again(const T& value) {
  return read_from<T>(written(value));
}

TEST(State, GivesDoublesBackToTheLastBit) {
  using Limits = std::numeric_limits<double>;
  for (const double x : {0.0, -0.0, 0.1, 1.0 / 3, -1e-300, 1e300, 0x1p-1022,
                         0x1.fffffffffffffp-1023, 3 * Limits::denorm_min(), Limits::denorm_min(),
                         -Limits::denorm_min(), Limits::min(), Limits::max(), Limits::lowest(),
                         Limits::epsilon(), Limits::infinity(), -Limits::infinity()}) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(again(x)), std::bit_cast<std::uint64_t>(x)) << x;
  }
  EXPECT_TRUE(std::isnan(again(std::nan(""))));
}

TEST(State, GivesEveryKindOfDoubleBack) {
  // All exponents, with a few mantissas each.
  for (std::uint64_t exponent = 0; exponent < 2047; ++exponent) {
    for (const std::uint64_t mantissa : {0x0U, 0x1U, 0x8000'0000U, 0xdead'beefU}) {
      const auto x = std::bit_cast<double>(exponent << 52U | mantissa << 20U | (mantissa & 1U));
      ASSERT_EQ(std::bit_cast<std::uint64_t>(again(x)), std::bit_cast<std::uint64_t>(x)) << x;
    }
  }
}

TEST(State, GivesWholeNumbersBack) {
  for (const std::int64_t n :
       {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::min(),
        std::numeric_limits<std::int64_t>::max()}) {
    EXPECT_EQ(again(n), n);
  }
  EXPECT_EQ(again(std::numeric_limits<std::uint64_t>::max()),
            std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(again(std::numeric_limits<int>::min()), std::numeric_limits<int>::min());
  EXPECT_TRUE(again(true));
  EXPECT_FALSE(again(false));
}

TEST(State, GivesAnyTextBackAsOneWord) {
  std::string every_byte;
  for (int c = 0; c < 256; ++c) every_byte += static_cast<char>(c);
  for (const std::string& text :
       {std::string(), std::string(" "), std::string("a b  c"), std::string("100% sure %41"),
        std::string("line\nend\ttab"), std::string("'quoted'"), std::string("größer ε"),
        std::string("\0zero", 5), every_byte}) {
    EXPECT_EQ(again(text), text);
    EXPECT_EQ(written(text).find(' '), std::string::npos) << text;
    EXPECT_EQ(written(text).find('\n'), std::string::npos) << text;
  }
}

TEST(State, TellsAnEmptyTextFromNone) {
  const auto texts = again(std::vector<std::string>{"", "a", ""});
  EXPECT_EQ(texts, (std::vector<std::string>{"", "a", ""}));
  EXPECT_THROW(read_from<std::string>(""), InvalidParameter);
}

TEST(State, GivesListsBack) {
  EXPECT_EQ(again(std::vector<double>{}), std::vector<double>{});
  EXPECT_EQ(again(std::vector<std::int64_t>{1, -2, 3}), (std::vector<std::int64_t>{1, -2, 3}));
  const std::vector<std::vector<int>> nested{{}, {1}, {2, 3}};
  EXPECT_EQ(again(nested), nested);
}

struct Inner {
  double x = 0;
  std::string name;
  template <class Archive>
  void state(Archive& archive) {
    archive(x, name);
  }
};
struct Outer {
  std::vector<Inner> inner;
  bool set = false;
  template <class Archive>
  void state(Archive& archive) {
    archive(inner, set);
  }
};

TEST(State, GoesDownIntoWhatHasAStateOfItsOwn) {
  Outer outer;
  outer.inner = {{0.1, "two words"}, {-1, ""}};
  outer.set = true;
  const Outer back = again(outer);
  ASSERT_EQ(back.inner.size(), 2U);
  EXPECT_EQ(back.inner[0].x, 0.1);
  EXPECT_EQ(back.inner[0].name, "two words");
  EXPECT_EQ(back.inner[1].name, "");
  EXPECT_TRUE(back.set);
}

TEST(State, ReplacesWhatWasThereBefore) {
  const std::string text = written(std::vector<int>{1}, std::string("new"));
  std::vector<int> numbers{7, 8, 9};
  std::string name = "old name";
  StateReader reader(text);
  reader(numbers, name);
  EXPECT_EQ(numbers, std::vector<int>{1});
  EXPECT_EQ(name, "new");
}

TEST(State, IsAtItsEndOnlyThere) {
  const std::string text = written(1, 2);
  StateReader reader(text);
  int n = 0;
  EXPECT_FALSE(reader.at_end());
  reader(n);
  EXPECT_FALSE(reader.at_end());
  reader(n);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(n, 2);
  EXPECT_TRUE(StateReader("").at_end());
}

TEST(State, RefusesWhatIsNotANumber) {
  for (const char* text :
       {"", " ", "x", "1x", "1.5", "--1", "+1", "0x10", "1,", "'1", "99999999999999999999"}) {
    EXPECT_THROW(read_from<std::int64_t>(text), InvalidParameter) << text;
  }
  EXPECT_THROW(read_from<std::uint64_t>("-1"), InvalidParameter);
  EXPECT_THROW(read_from<int>("2147483648"), InvalidParameter) << "too large for what is read";
  for (const char* text : {"", "x", "1p", "1p+99999", "0x1p+0", "1p+0z", "'1"}) {
    EXPECT_THROW(read_from<double>(text), InvalidParameter) << text;
  }
}

TEST(State, RefusesABitThatIsNone) {
  for (const char* text : {"2", "-1", "", "true"}) {
    EXPECT_THROW(read_from<bool>(text), InvalidParameter) << text;
  }
}

TEST(State, RefusesATextThatIsNone) {
  for (const char* text : {"word", "'%", "'%4", "'%4g", "'%g4", "'a%"}) {
    EXPECT_THROW(read_from<std::string>(text), InvalidParameter) << text;
  }
}

TEST(State, RefusesAListThatIsCutOffOrLongerThanTheText) {
  const std::string text = written(std::vector<int>{1, 2, 3});
  EXPECT_THROW(read_from<std::vector<int>>(text.substr(0, text.size() - 2)), InvalidParameter);
  EXPECT_THROW(read_from<std::vector<int>>("18446744073709551615 1"), InvalidParameter);
  EXPECT_THROW(read_from<std::vector<double>>("1000000000000 0p+0"), InvalidParameter)
      << "and does not ask for the memory first";
  EXPECT_THROW(read_from<std::vector<int>>("-1"), InvalidParameter);
}

TEST(PerArm, IsIndexedByArm) {
  PerArm<double> values(3, 0.5);
  EXPECT_EQ(values.arms(), 3);
  values[2] = 7;
  EXPECT_EQ(values[0], 0.5);
  EXPECT_EQ(values[2], 7);
  double total = 0;
  for (const double value : values) total += value;
  EXPECT_EQ(total, 8);
  for (double& value : values) value = 1;
  EXPECT_EQ(values[1], 1);
}

TEST(PerArm, IsZeroToBeginWithAndEmptyWithoutArms) {
  EXPECT_EQ(PerArm<int>().arms(), 0);
  EXPECT_EQ(PerArm<int>(0).arms(), 0);
  const PerArm<Round> counts(2);
  EXPECT_EQ(counts[1], 0);
}

TEST(PerArm, GrowsArmByArm) {
  PerArm<std::string> names;
  names.push_back("first");
  names.push_back("second");
  EXPECT_EQ(names.arms(), 2);
  EXPECT_EQ(names[1], "second");
}

TEST(Indexed, HoldsBoolsAndIsComparedByValue) {
  Indexed<bool> seen(3);
  EXPECT_EQ(seen.count(), 3);
  const Indexed<bool> nothing = seen;
  EXPECT_TRUE(seen == nothing);
  seen[2] = true;
  EXPECT_TRUE(seen[2] && !seen[1]);
  EXPECT_TRUE(seen != nothing);
  EXPECT_TRUE(PerArm<int>(2, 1) == PerArm<int>(2, 1));
  EXPECT_TRUE(PerArm<int>(2, 1) != PerArm<int>(3, 1));
}

TEST(PerArm, IsGivenBackAsItWasWritten) {
  PerArm<double> values(2, 0.1);
  values[1] = std::numeric_limits<double>::infinity();
  const auto back = again(values);
  EXPECT_EQ(back.arms(), 2);
  EXPECT_EQ(back[0], 0.1);
  EXPECT_EQ(back[1], std::numeric_limits<double>::infinity());
  EXPECT_EQ(again(PerArm<int>()).arms(), 0);
}

}  // namespace
}  // namespace tacit
