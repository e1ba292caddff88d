#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "tacit/core/answer.hpp"
#include "tacit/core/check.hpp"
#include "tacit/core/nearest_name.hpp"
#include "tacit/core/one_line.hpp"
#include "tacit/core/sum.hpp"
#include "tacit/core/text_file.hpp"

namespace tacit {
namespace {

TEST(OneLine, IsALineThatATerminalOnlyShows) {
  EXPECT_TRUE(is_one_line(""));
  EXPECT_TRUE(is_one_line("caf\xc3\xa9 ~"));
  for (const char control : {'\0', '\n', '\t', '\x1b', '\x1f', '\x7f'}) {
    const std::string text = std::string("a") + control + "b";
    EXPECT_FALSE(is_one_line(text));
    EXPECT_EQ(in_one_line(text, 3), "a b");
  }
}

TEST(OneLine, HasNothingThatEndsALineOrTurnsItsDirection) {
  for (const char* control : {"\u0085", "\u009b", "\u061c", "\u200e", "\u200f", "\u2028", "\u2029",
                              "\u202a", "\u202e", "\u2066", "\u2069"}) {
    const std::string text = std::string("a") + control + "b";
    EXPECT_FALSE(is_one_line(text));
    EXPECT_EQ(in_one_line(text, text.size()), "a b");
    EXPECT_EQ(in_one_line(control, 3), " ");
  }
  // Their neighbours, what is written from right to left, and bytes that are no character.
  for (const char* other : {"\u00a0", "\u061b", "\u200d", "\u2010", "\u2027", "\u202f", "\u2065",
                            "\u206a", "\u05d0", "\xe2\x80", "\xc2"}) {
    EXPECT_TRUE(is_one_line(other));
    EXPECT_EQ(in_one_line(other, 3), other);
  }
}

TEST(OneLine, IsCutBetweenTwoCharacters) {
  EXPECT_EQ(in_one_line("", 0), "");
  EXPECT_EQ(in_one_line("abc", 3), "abc");
  EXPECT_EQ(in_one_line("abcd", 3), "abc...");
  EXPECT_EQ(in_one_line("abcd", 0), "...");
  const std::string euro = "\xe2\x82\xac";
  for (const std::size_t longest : {1, 2, 3}) {
    EXPECT_EQ(in_one_line("a" + euro + "b", longest), "a...");
  }
  EXPECT_EQ(in_one_line("a" + euro + "b", 4), "a" + euro + "...");
  EXPECT_EQ(in_one_line("a" + euro, 4), "a" + euro);
  EXPECT_EQ(in_one_line(std::string(9, '\x80'), 4), "...");
  EXPECT_EQ(in_short(std::string(61, 'x')), std::string(60, 'x') + "...");
  EXPECT_EQ(in_short(std::string(60, 'x')), std::string(60, 'x'));
}

TEST(Sum, AddsAtOnceAndOneByOneToTheSameBits) {
  for (const double mean : {0.1, 0.3, 0.625, 1e-9, 0.9999999}) {
    const Outcome outcome = Outcome::nearest(mean);
    Sum one_by_one;
    for (int i = 0; i < 1000; ++i) one_by_one += Sum(outcome);
    EXPECT_TRUE(one_by_one == Sum::repeated(outcome, 1000)) << mean;
    // The comparison can fail: doubles do.
    double drifting = 0;
    for (int i = 0; i < 1000; ++i) drifting += 0.1;
    EXPECT_NE(drifting, 1000 * 0.1);
  }
}

TEST(Sum, IsExactForCountsUpToTheLastRound) {
  EXPECT_EQ(Sum::of_ones(kLastRound).value(), 0x1p53);
  EXPECT_EQ(Sum::of_ones(kLastRound).floor(), kLastRound);
  Sum sum = Sum::of_ones(kLastRound - 1);
  sum += Sum(Outcome::one());
  EXPECT_TRUE(sum == Sum::of_ones(kLastRound));
}

TEST(Sum, MovesByExactlyTheOutcomeThatChanged) {
  Sum with = Sum::of_ones(1000000007);
  Sum without = with;
  with += Sum(Outcome::one());
  without += Sum(Outcome::zero());
  EXPECT_TRUE(with - without == Sum(Outcome::one()));
}

TEST(Outcome, KeepsEndpointsExact) {
  EXPECT_EQ(Outcome::nearest(0).value(), 0);
  EXPECT_EQ(Outcome::nearest(1).value(), 1);
  EXPECT_EQ(Outcome::nearest(0.1).value(), 0.1);
}

TEST(Check, AcceptsWhatItReturnsAndNamesWhatItRefuses) {
  EXPECT_EQ(check::positive("f", "epsilon", 0.5), 0.5);
  for (const double bad : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(check::positive("f", "epsilon", bad), InvalidParameter) << bad;
  }
  EXPECT_EQ(check::positive_up_to("f", "p", 1, 1), 1);
  for (const double bad : {0.0, -1.0, 1.1, std::nan("")}) {
    EXPECT_THROW(check::positive_up_to("f", "p", bad, 1), InvalidParameter) << bad;
  }
  EXPECT_THROW(check::within("f", "p", 1.1, 0, 1), InvalidParameter);
  EXPECT_THROW(check::within("f", "p", std::nan(""), 0, 1), InvalidParameter);
  EXPECT_THROW(check::strictly_within("f", "p", 1, 0, 1), InvalidParameter);
  EXPECT_THROW(check::horizon("f", 0), InvalidParameter);
  EXPECT_THROW(check::horizon("f", kLastRound + 1), InvalidParameter);
  EXPECT_EQ(check::horizon("f", kLastRound), kLastRound);
  try {
    check::positive("Laplace", "scale", -2);
    FAIL();
  } catch (const InvalidParameter& error) {
    EXPECT_EQ(error.parameter(), "scale");
    EXPECT_EQ(error.value(), "-2");
    EXPECT_STREQ(error.what(), "scale = -2: must be a finite number > 0 (Laplace)");
  }
}

TEST(Check, SaysWhatItWouldRefuseToThoseWhoAskFirst) {
  EXPECT_FALSE(check::unless_within("f", "p", 0.5, 0, 1));
  EXPECT_FALSE(check::unless_at_least("f", "k", 2, 2));
  EXPECT_EQ(check::unless_within("f", "p", 2, 0, 1)->in_words(),
            "p = 2: must be a number in [0, 1]");
  EXPECT_EQ(check::unless_strictly_within("f", "p", 1, 0, 1)->in_words(),
            "p = 1: must be a number in (0, 1)");
  EXPECT_EQ(check::unless_at_least("f", "k", 1, 2)->in_words(), "k = 1: must be an integer >= 2");
  EXPECT_EQ(check::unless_positive("f", "x", 0)->in_words(), "x = 0: must be a finite number > 0");
}

TEST(InvalidParameter, SaysWhatItIsAbout) {
  const auto said = [](About about, const char* value) {
    return std::string(InvalidParameter(std::move(about), value, "must be so").what());
  };
  EXPECT_EQ(said(Option{"means"}, "x"), "means = x: must be so");
  EXPECT_EQ(said(Option{"means"}, ""), "means: missing; must be so");
  EXPECT_EQ(said(FileLine{"means", "a.csv", 3}, "x"), "means = x: must be so (a.csv, line 3)");
  EXPECT_EQ(said(Parameter{"Laplace", "scale"}, "x"), "scale = x: must be so (Laplace)");
  for (const About& about :
       {About(Option{"x"}), About(FileLine{"x", "a.csv", 3}), About(Parameter{"f", "x"})}) {
    EXPECT_EQ(InvalidParameter(about, "1", "no").parameter(), "x");
  }
}

TEST(InvalidParameter, OfAFunctionIsSaidOfTheOptionThatWasGiven) {
  const auto said = [](const About& about, const char* value) -> std::string {
    try {
      in_the_name_of(Option{"problem"}, "k-path:3",
                     [&]() -> int { throw InvalidParameter(about, value, "must be so"); });
    } catch (const InvalidParameter& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(said(Parameter{"k_path", "k"}, "3"), "problem = k-path:3: k = 3: must be so");
  EXPECT_EQ(said(Parameter{"k_path", "k"}, ""), "problem = k-path:3: must be so");
  EXPECT_EQ(said(Option{"actions"}, "3"), "actions = 3: must be so") << "the user wrote it";
  EXPECT_EQ(said(FileLine{"problem", "a.csv", 3}, "x"), "problem = x: must be so (a.csv, line 3)");
  EXPECT_EQ(in_the_name_of(Option{"problem"}, "p", [] { return 7; }), 7);
}

TEST(InvalidParameter, SaysAllOfItWhateverWasGiven) {
  const std::string given("0\0\n\033[1m", 7);
  EXPECT_STREQ(InvalidParameter(Option{"x"}, given, "must be so").what(),
               "x = 0   [1m: must be so");
}

TEST(ForeignEncoding, IsNamed) {
  using namespace std::string_literals;
  for (const std::string& text :
       {""s, "0"s, "0,1\n"s, "\xEF\xBB\xBFx"s, "\0\0"s, "\0\0\0\0"s, "ab\0c"s}) {
    EXPECT_FALSE(foreign_encoding(text)) << text;
  }
  for (const std::string& text :
       {"\xFF\xFE"s, "\xFE\xFF\0x"s, "0\0"s, "\0x"s, "0\0,\0"s, "\0x\0,\0"s}) {
    EXPECT_EQ(foreign_encoding(text), "UTF-16, not UTF-8") << text;
  }
  for (const std::string& text : {"\xFF\xFE\0\0x\0\0\0"s, "\0\0\xFE\xFF"s}) {
    EXPECT_EQ(foreign_encoding(text), "UTF-32, not UTF-8") << text;
  }
}

TEST(IsDevice, FilesAndFoldersAndPipesAreNone) {
  EXPECT_TRUE(is_device("/dev/zero"));
  for (const char* path : {"/", "/proc/self/stat", "/nowhere/at all", ""})
    EXPECT_FALSE(is_device(path)) << path;
}

TEST(Answer, IsAValueOrSaysWhyThereIsNone) {
  const Answer<double> number = 0.5;
  ASSERT_TRUE(number);
  EXPECT_EQ(*number, 0.5);
  EXPECT_EQ(number.value(), 0.5);
  const Answer<double> none = Refusal{Parameter{"f", "x"}, "1", "must be so"};
  ASSERT_FALSE(none);
  EXPECT_EQ(none.why_not().in_words(), "x = 1: must be so");
  EXPECT_THROW(none.value(), InvalidParameter);
}

TEST(NearestName, FindsTheSmallestEditDistance) {
  EXPECT_EQ(nearest_name("anytime-lasy-ucb", {"ucb1", "anytime-lazy-ucb", "adap-ucb"}),
            "anytime-lazy-ucb");
  EXPECT_EQ(nearest_name("ucb", {"kl-ucb", "ucb1"}), "ucb1");
  EXPECT_EQ(nearest_name("x", {}), "");
}

}  // namespace
}  // namespace tacit
