#include "broken_files.hpp"

#include <utility>

namespace tacit::cli_test {
namespace {

using namespace std::string_literals;

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

/// Every character as two bytes.
std::string in_utf16(const std::string& text, bool big_end_first) {
  std::string all;
  for (const char c : text) all += big_end_first ? std::string{'\0', c} : std::string{c, '\0'};
  return all;
}

std::string in_utf32(const std::string& text) {
  std::string all;
  for (const char c : text) all += std::string{c, '\0', '\0', '\0'};
  return all;
}

}  // namespace

std::vector<BrokenFile> broken_files(const TemporaryFolder& folder) {
  const std::string good = "0,1\n1,0\n1,1\n";
  const std::vector<std::pair<std::string, std::string>> contents = {
      {"empty", ""},
      {"newline", "\n"},
      {"blanks", "  \t \n \n"},
      {"comments", "# nothing\n"},
      {"mark", "\xEF\xBB\xBF"},
      {"mark and rows", "\xEF\xBB\xBF" + good},
      {"windows", "0,1\r\n1,0\r\n"},
      {"old mac", "0,1\r1,0\r"},
      {"ragged", "0,1\n1\n"},
      {"gap", "0,,1\n1,0,1\n"},
      {"commas", ",,\n,,\n"},
      {"trailing comma", "0,1,\n1,0,\n"},
      {"words", "zero,one\n"},
      {"nan", "nan,0\n0,nan\n"},
      {"inf", "inf,0\n-inf,0\n"},
      {"huge", "1e999,0\n1e308,0\n"},
      {"tiny", "1e-320,0\n-1e-320,0\n"},
      {"negative", "-1,0\n0,-1\n"},
      {"two", "2,0\n0,2\n"},
      {"hexadecimal", "0x1,0\n"},
      {"beyond 64 bits", "99999999999999999999,0\n0,99999999999999999999\n"},
      {"beyond 32 bits", "4294967296,0\n0,4294967297\n"},
      {"quoted", "\"0\",\"1\"\n"},
      {"semicolons", "0;1\n1;0\n"},
      {"escape", "\033[31m0,1\n"},
      {"zero byte", "0,1\n\0000,1\n"s},
      {"zero bytes", repeated("\0"s, 1000)},
      {"random bytes", "\x80\xFE\xFF\x01\x02,\xC0\xAF\n\xED\xA0\x80,1\n"},
      {"wide digits", "\xEF\xBC\x91,\xEF\xBC\x90\n"},
      {"same rows", repeated("0,1\n", 50)},
      {"loops", "0,0\n1,1\n"},
      {"one row of many", repeated("1,", 200000) + "1\n"},
      {"many rows", repeated("1,0\n", 50000)},
      {"one long field", repeated("7", 1000000) + "\n"},
      {"one long word", repeated("x", 1000000) + ",0\n"},
      {"toml", "[[policy]]\nname = 1\n"},
      {"half a toml", "horizon = [1, \n"},
      {"json", "{\"horizon\": 1}\n"},
  };
  const std::vector<std::pair<std::string, std::string>> foreign = {
      {"utf-16 little", "\xFF\xFE" + in_utf16(good, false)},
      {"utf-16 big", "\xFE\xFF" + in_utf16(good, true)},
      {"utf-16 little without mark", in_utf16(good, false)},
      {"utf-16 big without mark", in_utf16(good, true)},
  };
  std::vector<BrokenFile> files;
  for (const auto& [name, content] : contents) files.push_back({folder.file(name, content), ""});
  for (const auto& [name, content] : foreign) {
    files.push_back({folder.file(name, content), "UTF-16"});
  }
  files.push_back({folder.file("utf-32", "\xFF\xFE\0\0"s + in_utf32(good)), "UTF-32"});
  files.push_back({folder.path(), folder.path()});
  files.push_back({folder.path() + "/missing", "missing"});
  files.push_back({"/dev/null", "device"});
  files.push_back({"/dev/zero", "device"});
  return files;
}

}  // namespace tacit::cli_test
