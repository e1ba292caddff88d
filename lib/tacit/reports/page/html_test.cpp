#include "tacit/reports/page/html.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace tacit::reports::page {
namespace {

TEST(Html, EscapesWhatTagsAreMadeOf) {
  EXPECT_EQ(escaped("a < b > \"c\" & 'd' ε"), "a &lt; b &gt; &quot;c&quot; &amp; &#39;d&#39; ε");
  EXPECT_EQ(escaped(""), "");
}

TEST(Html, GivesOtherNamesOtherIds) {
  EXPECT_EQ(id_of("figure", "hu-fig1"), "figure-hu-fig1");
  std::set<std::string> ids;
  for (const char* name : {"", "a b", "a_b", "a_20b", "a-b", "a.b", "ab", "a\"b", "ä", "_e4"}) {
    const std::string id = id_of("figure", name);
    EXPECT_TRUE(ids.insert(id).second) << id;
    EXPECT_EQ(id.find_first_of(" \"'<>#"), std::string::npos) << id;
  }
}

TEST(Html, KeepsAJsonDocumentFromEndingItsElement) {
  EXPECT_EQ(json_in_page("{\"a\":\"</script><!--\"}"), "{\"a\":\"\\u003c/script>\\u003c!--\"}");
}

}  // namespace
}  // namespace tacit::reports::page
