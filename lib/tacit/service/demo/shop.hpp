// A simulated shop: visitors come at random, are shown what the service chose, and buy or do not, seconds later. Some close the
// window, and nobody ever hears of them again. The service sees none of this but through its front door.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tacit/service/configuration.hpp"

namespace tacit::service::demo {

/// What a visitor is shown, and how that goes: the truth, which the service is to find out.
struct Offer {
  std::string experiment;
  std::vector<std::string> arms;
  std::vector<double> rates;  // how often what is shown is bought
  bool list = false;          // several are shown in order; the first that is liked is bought
};

class Shop {
 public:
  /// Open from now on. So many visitors a second, who see each of the offers.
  Shop(Address service, std::string key, std::vector<Offer> offers, double visitors);
  Shop(const Shop&) = delete;
  Shop& operator=(const Shop&) = delete;
  /// Everybody goes home.
  ~Shop();

  /// Who has come so far.
  long visitors() const noexcept { return visitors_; }

 private:
  void serve(unsigned number);
  /// False: it is over.
  bool wait_until(std::chrono::steady_clock::time_point time);

  Address service_;
  std::string key_;
  std::vector<Offer> offers_;
  double visitors_a_second_;
  std::atomic<long> visitors_{0};
  std::mutex mutex_;
  std::condition_variable wake_;
  bool closing_ = false;
  std::vector<std::thread> doors_;
};

}  // namespace tacit::service::demo
