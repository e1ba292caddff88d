// Whether a page is whole, for tests: a reader of tags that knows as much of HTML as the program writes.
#pragma once

#include <cctype>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace tacit::reports::page {

struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;
};

/// All elements of a page, in order. Complains of whatever is not closed, not quoted or has an attribute twice.
class PageReader {
 public:
  explicit PageReader(std::string page) : page_(std::move(page)) {
    while (at_ < page_.size()) {
      if (page_[at_] == '<') {
        read_tag();
      } else {
        EXPECT_NE(page_[at_], '>') << around();
        ++at_;
      }
    }
    EXPECT_TRUE(open_.empty()) << "never closed: " << (open_.empty() ? "" : open_.back());
  }

  const std::vector<Element>& elements() const { return elements_; }

  std::vector<std::string> all(const std::string& attribute) const {
    std::vector<std::string> values;
    for (const Element& element : elements_) {
      const auto found = element.attributes.find(attribute);
      if (found != element.attributes.end()) values.push_back(found->second);
    }
    return values;
  }

 private:
  std::string around() const { return page_.substr(at_ < 40 ? 0 : at_ - 40, 100); }

  void read_tag() {
    if (page_.compare(at_, 2, "<!") == 0) {
      at_ = page_.find('>', at_) + 1;
      return;
    }
    const bool closes = page_[at_ + 1] == '/';
    at_ += closes ? 2 : 1;
    const std::string name = read_while([](char c) { return std::isalnum(c) != 0; });
    EXPECT_FALSE(name.empty()) << around();
    if (closes) {
      ASSERT_FALSE(open_.empty()) << "closes nothing: " << around();
      EXPECT_EQ(open_.back(), name) << around();
      open_.pop_back();
      EXPECT_EQ(page_[at_], '>') << around();
      ++at_;
      return;
    }
    Element element{name, {}};
    const bool alone = read_attributes(element);
    elements_.push_back(std::move(element));
    if (alone || name == "meta") return;
    open_.push_back(name);
    // What is in these is not read as tags.
    if (name == "script" || name == "style") {
      at_ = page_.find("</" + name, at_);
      ASSERT_NE(at_, std::string::npos) << name;
    }
  }

  /// Whether the tag ends in "/>".
  bool read_attributes(Element& element) {
    for (;;) {
      read_while([](char c) { return c == ' ' || c == '\n'; });
      if (page_.compare(at_, 2, "/>") == 0) {
        at_ += 2;
        return true;
      }
      if (at_ >= page_.size() || page_[at_] == '>') {
        ++at_;
        return false;
      }
      const std::string name = read_while([](char c) { return std::isalnum(c) != 0 || c == '-'; });
      if (name.empty()) {
        ADD_FAILURE() << "no attribute: " << around();
        at_ = page_.size();
        return false;
      }
      std::string value;
      if (page_[at_] == '=') {
        EXPECT_EQ(page_[at_ + 1], '"') << around();
        const std::size_t end = page_.find('"', at_ + 2);
        value = page_.substr(at_ + 2, end - at_ - 2);
        EXPECT_EQ(value.find('<'), std::string::npos) << value;
        at_ = end + 1;
      }
      EXPECT_TRUE(element.attributes.emplace(name, value).second) << name << " twice: " << around();
    }
  }

  template <class Predicate>
  std::string read_while(Predicate predicate) {
    const std::size_t begin = at_;
    while (at_ < page_.size() && predicate(page_[at_])) ++at_;
    return page_.substr(begin, at_ - begin);
  }

  std::string page_;
  std::size_t at_ = 0;
  std::vector<std::string> open_;
  std::vector<Element> elements_;
};

inline int occurrences(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

/// Balanced, with ids of their own, links that lead somewhere on the page, and nothing that is asked for outside.
inline void expect_whole(const std::string& page) {
  const PageReader reader(page);
  std::set<std::string> ids;
  for (const std::string& id : reader.all("id")) EXPECT_TRUE(ids.insert(id).second) << id;
  for (const std::string& link : reader.all("href")) {
    ASSERT_TRUE(link.starts_with('#')) << link;
    EXPECT_TRUE(ids.contains(link.substr(1))) << link;
  }
  EXPECT_TRUE(reader.all("src").empty());
  for (const char* elsewhere : {"http:", "https:", "url(", "@import", "<link", "<img", "<iframe"}) {
    EXPECT_EQ(occurrences(page, elsewhere), 0) << elsewhere;
  }
  int level = 0;
  for (const Element& element : reader.elements()) {
    if (element.name.size() != 2 || element.name[0] != 'h' || element.name[1] > '6') continue;
    const int mine = element.name[1] - '0';
    EXPECT_LE(mine, level + 1) << "a heading of level " << mine << " after one of " << level;
    level = mine;
  }
}

}  // namespace tacit::reports::page
