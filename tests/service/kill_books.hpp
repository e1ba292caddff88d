// What a store must hold after everything that an application remembers: no slot released twice, every sum what the acknowledged
// outcomes come to, every decision counted, nothing left of what is released.
//
// A decision's slot is read out of its token with the service's own keys, which no application has.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "service/kill_visitors.hpp"
#include "tacit/service/service.hpp"
#include "tacit/service/store.hpp"
#include "tacit/service/token.hpp"

namespace tacit::service {

class Books {
 public:
  /// Of a store that nobody serves, in which every experiment was stopped and everything was released.
  Books(const std::string& store, const std::string& keys, const Visitors& visitors,
        Durability durability, double missing);

  /// Fails the test for whatever does not agree. `cap`: of recorded decisions of a unit.
  void check(int cap) const;
  /// Slots whose sums must be one number, and those of which an answer was acknowledged too late to say.
  std::size_t exact() const noexcept { return exact_; }
  std::size_t unsure() const noexcept { return unsure_; }
  const Snapshot& kept() const noexcept { return kept_; }

 private:
  struct Account {
    std::vector<std::pair<double, double>> sums;  // of what was said, less `missing` each: from, to
    std::set<Round> places;
    Time last_deadline = 0;
    bool unsure = false;
  };
  using Name = std::pair<Id, Slot>;

  void enter(const Visit& visit, const Visitors& visitors, const TokenKeys& tokens);
  void check_release(const ReleaseRow& row);
  void check_numbers(const Visitors& visitors);
  template <class... T>
  void complain(const char* text, const T&... values);

  Durability durability_;
  double missing_;
  Snapshot kept_;
  std::map<Id, std::string> names_;
  std::map<std::uint32_t, std::uint64_t> durable_;  // the last number of a start
  std::map<Name, Account> accounts_;
  std::map<std::string, Round> recorded_;  // of tokens that the application has
  std::map<std::string, Round> unrecorded_;
  std::map<std::pair<std::string, int>, int> of_unit_;
  std::set<std::pair<std::uint32_t, std::uint64_t>> numbers_;
  std::size_t exact_ = 0;
  std::size_t unsure_ = 0;
  std::vector<std::string> complaints_;
};

}  // namespace tacit::service
