#include "tacit/service/api/json_in_place.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace tacit::service::api {
namespace {

using nlohmann::json;
using Kind = JsonInPlace::Kind;

json value_of(JsonInPlace& reader) {
  switch (reader.kind()) {
    case Kind::kObject: {
      json object = json::object();
      reader.begin_object();
      while (const auto key = reader.key()) {
        const std::string name(*key);
        object[name] = value_of(reader);
      }
      return object;
    }
    case Kind::kArray: {
      json array = json::array();
      reader.begin_array();
      while (reader.item()) array.push_back(value_of(reader));
      return array;
    }
    case Kind::kText: return std::string(reader.text());
    case Kind::kNumber: return reader.number();
    case Kind::kBoolean: return reader.boolean();
    case Kind::kNull: reader.null(); return nullptr;
  }
  return {};
}

json read(std::string text) {
  JsonInPlace reader(text);
  json value = value_of(reader);
  reader.end();
  return value;
}

/// What is said of a text that is refused; "" of one that is not.
std::string complaint(const std::string& text) {
  try {
    read(text);
    return "";
  } catch (const BadJson& bad) {
    return bad.what();
  }
}

TEST(JsonInPlace, ReadsWhatThereIs) {
  const std::string text =
      R"( {"a" : [1, -2.5e1, true, false, null, {}, []], "b\n":"\u00e9\ud83d\ude00\\\/x"} )";
  EXPECT_EQ(read(text), json::parse(text));
}

TEST(JsonInPlace, UnescapesWhereTheTextLies) {
  std::string body = R"({"unit":"a\u0062c\"d"})";
  JsonInPlace reader(body);
  reader.begin_object();
  ASSERT_TRUE(reader.key());
  const std::string_view unit = reader.text();
  EXPECT_EQ(unit, "abc\"d");
  EXPECT_GE(unit.data(), body.data());
  EXPECT_LE(unit.data() + unit.size(), body.data() + body.size());
}

TEST(JsonInPlace, PassesOverAValueToReadItLater) {
  std::string body = R"({"values":{"\u0061":[0.5]},"event":"e"})";
  JsonInPlace reader(body);
  reader.begin_object();
  reader.key();
  JsonInPlace later = reader.skip();
  EXPECT_EQ(*reader.key(), "event");
  EXPECT_EQ(reader.text(), "e");
  EXPECT_FALSE(reader.key());
  reader.end();
  EXPECT_EQ(value_of(later), json::parse(R"({"a":[0.5]})"));
  later.end();
}

TEST(JsonInPlace, NamesTheByteAndWhatWasExpectedAndNeverWhatWasThere) {
  EXPECT_EQ(complaint(R"({"a" 7})"), "byte 5: expected ':'");
  EXPECT_EQ(complaint(R"([1,,2])"), "byte 3: expected a value");
  EXPECT_EQ(complaint(R"([1 2])"), "byte 3: expected ',' or ']'");
  EXPECT_EQ(complaint(R"({"a":1,})"), "byte 7: expected a key in quotation marks");
  EXPECT_EQ(complaint(R"({} x)"), "byte 3: expected the end of the body");
  EXPECT_EQ(complaint("[1e999]"), "byte 1: expected a number that a double can hold");
  EXPECT_EQ(complaint("[01]"), "byte 2: expected ',' or ']'");
  EXPECT_EQ(complaint("[\"\x01\"]"), "byte 2: expected no control character in a text");
  EXPECT_EQ(complaint("[\"\xc0\x80\"]"), "byte 2: expected UTF-8");
  EXPECT_EQ(complaint(R"(["\udc00"])"),
            "byte 8: expected the first half of a pair of surrogates before its second");
  EXPECT_EQ(complaint(""), "byte 0: expected a value");
}

TEST(JsonInPlace, CountsBytesOfTheWholeBodyAlsoInWhatItPassedOver) {
  std::string body = R"({"values":{"a":tru},"x":1})";
  JsonInPlace reader(body);
  reader.begin_object();
  reader.key();
  try {
    reader.skip();
    FAIL();
  } catch (const BadJson& bad) {
    EXPECT_EQ(bad.position(), 15U);
  }
  std::string second = R"({"values":[7]})";
  JsonInPlace outer(second);
  outer.begin_object();
  outer.key();
  JsonInPlace later = outer.skip();
  later.begin_array();
  later.item();
  try {
    later.text();
    FAIL();
  } catch (const BadJson& bad) {
    EXPECT_EQ(bad.position(), 11U);
  }
}

TEST(JsonInPlace, GoesEightLevelsDeep) {
  EXPECT_EQ(complaint(std::string(8, '[') + std::string(8, ']')), "");
  EXPECT_EQ(complaint(std::string(9, '[') + std::string(9, ']')),
            "byte 8: expected at most 8 levels");
}

TEST(JsonInPlace, TakesWhatIsSmallerThanADoubleForZeroAndWhatIsLargerForNone) {
  EXPECT_EQ(read("1e-999"), 0.0);
  EXPECT_EQ(read("-0.00001e-99999999999999999999"), 0.0);
  EXPECT_EQ(read("0e99999999999999999999"), 0.0);
  EXPECT_EQ(read("1" + std::string(400, '0') + "e-400"), 1.0);
  EXPECT_EQ(read("0." + std::string(400, '0') + "1e401"), 1.0);
  EXPECT_NE(complaint("-1e309"), "");
  EXPECT_NE(complaint("1" + std::string(400, '0')), "");
}

/// Random JSON, and bytes of it exchanged, removed and put in: what one parser takes the other takes too, and means the same by.
class Mutations {
 public:
  explicit Mutations(unsigned key) : random_(key) {}

  std::string text() {
    std::string text;
    add_value(text, 0);
    const std::size_t changes = below(3);
    for (std::size_t i = 0; i < changes && !text.empty(); ++i) {
      const std::size_t at = below(text.size());
      const std::size_t kind = below(4);
      if (kind == 0) {
        text.erase(at, 1 + below(3));
      } else if (kind == 1) {
        text.insert(at, 1, odd_byte());
      } else if (kind == 2) {
        text[at] = odd_byte();
      } else {
        text.insert(at, text.substr(below(text.size()), below(6)));
      }
    }
    return text;
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }

  char odd_byte() {
    static constexpr std::string_view kOdd =
        "{}[]\",:\\/u0123456789abDdF+-.eEtrufalsn \n\t\x01\x7f";
    return below(4) == 0 ? static_cast<char>(1 + below(255)) : kOdd[below(kOdd.size())];
  }
  void add_number(std::string& out) {
    static const std::vector<std::string> kNumbers{
        "0",
        "-0",
        "1",
        "0.5",
        "1e5",
        "-7.25E-3",
        "1e308",
        "1e309",
        "5e-324",
        "2e-324",
        "1.7976931348623159e308",
        "00",
        "1.",
        ".5",
        "-",
        "1e",
        "1e+",
        "18446744073709551616",
        "0.1000000000000000055511151231257827021181583404541015625"};
    if (below(2) == 0) {
      out += kNumbers[below(kNumbers.size())];
    } else {
      out += std::to_string(random_());
      if (below(2) == 0) out += "." + std::to_string(random_());
      if (below(3) == 0) out += "e" + std::to_string(static_cast<int>(below(700)) - 350);
    }
  }
  void add_text(std::string& out) {
    static const std::vector<std::string> kPieces{"a",
                                                  "event",
                                                  "\\n",
                                                  "\\u0041",
                                                  "\\u00e9",
                                                  "\\ud83d\\ude00",
                                                  "\\ud83d",
                                                  "\\udc00",
                                                  "\\uD800\\u0041",
                                                  "\\x",
                                                  "\xc3\xa9",
                                                  "\xe2\x82\xac",
                                                  "\xf0\x9f\x98\x80",
                                                  "\xc0\x80",
                                                  "\xed\xa0\x80",
                                                  "\xf4\x90\x80\x80",
                                                  "\\\"",
                                                  "\\\\",
                                                  "\\/",
                                                  " ",
                                                  "\\u12"};
    out += '"';
    for (std::size_t n = below(5); n > 0; --n) out += kPieces[below(kPieces.size())];
    out += '"';
  }
  void add_value(std::string& out, int depth) {
    const std::size_t kind = below(depth > 9 ? 4 : 9);
    if (kind == 0) {
      add_number(out);
    } else if (kind == 1) {
      add_text(out);
    } else if (kind == 2) {
      out += below(2) == 0 ? "true" : "false";
    } else if (kind == 3) {
      out += "null";
    } else {
      const bool object = kind % 2 == 0;
      out += object ? '{' : '[';
      for (std::size_t i = 0, n = below(4); i < n; ++i) {
        if (i > 0) out += below(2) == 0 ? "," : " , ";
        if (object) {
          add_text(out);
          out += below(4) == 0 ? " : " : ":";
        }
        add_value(out, depth + 1);
      }
      out += object ? '}' : ']';
    }
  }

  std::mt19937_64 random_;
};

std::size_t depth_of(const json& value) {
  std::size_t deepest = 0;
  if (!value.is_structured()) return 0;
  for (const json& each : value) deepest = std::max(deepest, depth_of(each));
  return deepest + 1;
}

TEST(JsonInPlace, AgreesWithAnotherParserOnRandomMutations) {
  Mutations mutations(1);
  int taken = 0;
  int refused = 0;
  for (int i = 0; i < 200'000; ++i) {
    const std::string text = mutations.text();
    const json theirs = json::parse(text, nullptr, false);
    // The other one passes over a byte order mark.
    if (text.starts_with("\xef\xbb\xbf")) continue;
    if (theirs.is_discarded() || depth_of(theirs) > JsonInPlace::kDeepest) {
      EXPECT_NE(complaint(text), "") << text;
      ++refused;
    } else {
      ASSERT_EQ(complaint(text), "") << text;
      EXPECT_EQ(read(text), theirs) << text;
      ++taken;
      std::string body = text;
      JsonInPlace reader(body);
      reader.skip();
      reader.end();
      EXPECT_EQ(body, text);
    }
  }
  EXPECT_GT(taken, 40'000);
  EXPECT_GT(refused, 40'000);
}

}  // namespace
}  // namespace tacit::service::api
