// Which route a path leads to.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tacit::service::api {

class Router {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  /// Routes are numbered from 0. The texts must outlive this.
  void add(std::string_view method, std::string_view pattern);

  struct Found {
    std::size_t route = kNone;
    std::vector<std::string> parameters;  // decoded
    std::string allow;                    // where the path is served, but by other methods: those
  };
  /// Throws Problem (400) for a path whose escapes are none.
  Found find(std::string_view method, std::string_view path) const;
  /// What a mistyped path may have meant: "POST /v1/outcomes". The path is not repeated: anything may stand in it.
  std::string nearest(std::string_view path) const;

 private:
  struct Row {
    std::string_view method;
    std::string_view pattern;
  };
  std::vector<Row> rows_;
};

/// With what stands for each %xx. Throws Problem (400) where that is none; `field` is where.
std::string percent_decoded(std::string_view text, const std::string& field);

}  // namespace tacit::service::api
