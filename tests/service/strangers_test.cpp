// Memory that those without a key can take, over real sockets.
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tacit/service/folder_test.hpp"
#include "tacit/service/http/raw_client_test.hpp"
#include "tacit/service/serving.hpp"

namespace tacit::service {
namespace {

constexpr std::size_t kStrangers = 1500;
constexpr std::size_t kMiB = std::size_t{1} << 20U;

std::size_t resident() {
  std::size_t all = 0;
  std::size_t here = 0;
  std::ifstream("/proc/self/statm") >> all >> here;
  return here * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

bool allow_sockets() {
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = std::min<rlim_t>(files.rlim_max, 4 * kStrangers);
  return setrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur >= 3 * kStrangers;
}

/// As much as the system takes of it, without a wait.
void push(int socket, std::string_view& text) {
  while (!text.empty()) {
    const ssize_t sent = send(socket, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
}

class StrangersAndTheService : public testing::Test {
 protected:
  StrangersAndTheService() {
    Configuration configuration;
    configuration.store = folder_.file("shop.db");
    configuration.keys = folder_.file("state.key");
    configuration.log = folder_.file("serve.log");
    configuration.listen.path = folder_.file("door.sock");
    serving_ = std::make_unique<Serving>(configuration);
  }

  /// By how much this process, with the service in it, grows at most while all of them send at once, one of these each.
  std::size_t growth_by(const std::vector<std::string>& requests) {
    std::vector<std::unique_ptr<http::RawClient>> all;
    std::vector<std::string_view> left;
    malloc_trim(0);
    const std::size_t before = resident();
    std::size_t most = before;
    for (std::size_t i = 0; i < kStrangers; ++i) {
      all.push_back(std::make_unique<http::RawClient>(folder_.file("door.sock")));
      left.push_back(requests[i % requests.size()]);
    }
    // Until nothing is taken any more: all is read, or those who sent it were told to go.
    for (int quiet = 0; quiet < 3;) {
      bool moved = false;
      for (std::size_t i = 0; i < all.size(); ++i) {
        const std::size_t was = left[i].size();
        push(all[i]->descriptor(), left[i]);
        moved = moved || left[i].size() != was;
      }
      most = std::max(most, resident());
      quiet = moved ? 0 : quiet + 1;
      if (!moved) poll(nullptr, 0, 50);
    }
    return most - before;
  }

 private:
  Folder folder_;
  std::unique_ptr<Serving> serving_;
};

TEST_F(StrangersAndTheService, TakesNoMemoryForWhatIsSentWithoutAKey) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer keeps what was given back";
#endif
  if (!allow_sockets()) GTEST_SKIP() << "this machine does not allow so many sockets";
  const std::string body(kMiB - 1024, 'x');
  const auto with = [&body](std::string_view line, std::string_view fields) {
    return std::string(line) + " HTTP/1.1\r\nHost: a\r\n" + std::string(fields) + body;
  };
  EXPECT_LE(growth_by({with("POST /v1/outcomes", "Content-Length: 1048576\r\n\r\n"),
                       with("POST /v1/reports", "Transfer-Encoding: chunked\r\n\r\n100000\r\n"),
                       with("GET /healthz", "Content-Length: 65536\r\n\r\n"),
                       with("POST /v1/outcomes",
                            "X-API-Key: tacit_client_00000000_"
                            "0000000000000000000000000000000000000000000\r\n"
                            "Content-Length: 1048576\r\n\r\n")}),
            32 * kMiB);
}

}  // namespace
}  // namespace tacit::service
