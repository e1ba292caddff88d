#include "process.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "connections.hpp"

namespace tacit::benchmarks {
namespace {

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

sockaddr_in local(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

bool answers(std::uint16_t port, const std::string& path) {
  const Descriptor connection(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_in address = local(port);
  if (connect(connection.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return false;
  }
  const timeval patience{.tv_sec = 1, .tv_usec = 0};
  setsockopt(connection.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const std::string request =
      fmt::format("GET {} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", path);
  if (::send(connection.get(), request.data(), request.size(), MSG_NOSIGNAL) < 0) return false;
  std::string head(12, ' ');
  return recv(connection.get(), head.data(), head.size(), MSG_WAITALL) == 12 &&
         head == "HTTP/1.1 200";
}

}  // namespace

Folder::Folder(const std::string& inside) : path_(inside + "/service_load.XXXXXX") {
  if (mkdtemp(path_.data()) == nullptr) throw_system_error(inside);
}
Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

Process::Process(std::vector<std::string> words, std::string printed)
    : program_(words.at(0)), printed_(std::move(printed)) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const Descriptor output(open(printed_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (output.get() < 0) throw_system_error(printed_);
  id_ = fork();
  if (id_ < 0) throw_system_error("fork");
  if (id_ > 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  dup2(output.get(), STDOUT_FILENO);
  dup2(output.get(), STDERR_FILENO);
  execv(arguments[0], arguments.data());
  _exit(127);
}

Process::~Process() {
  if (id_ < 0) return;
  kill(id_, SIGKILL);
  waitpid(id_, nullptr, 0);
}

void Process::fail(const std::string& why) const {
  const std::string said = content_of(printed_);
  throw std::runtime_error(
      fmt::format("{} {}; it said: {}", program_, why,
                  said.size() > 2000 ? "..." + said.substr(said.size() - 2000) : said));
}

std::string Process::end() const {
  return WIFSIGNALED(status_) ? fmt::format("was ended by signal {}", WTERMSIG(status_))
                              : fmt::format("ended with {}", WEXITSTATUS(status_));
}

bool Process::ended() {
  if (id_ < 0) return true;
  if (waitpid(id_, &status_, WNOHANG) != id_) return false;
  id_ = -1;
  return true;
}

void Process::stop() {
  if (ended()) fail(end() + " by itself");
  kill(id_, SIGTERM);
  finish();
}

void Process::finish() {
  if (id_ >= 0 && waitpid(std::exchange(id_, -1), &status_, 0) < 0) throw_system_error("waitpid");
  if (status_ != 0) fail(end());
}

void Process::await(std::uint16_t port, const std::string& path) {
  const Moment last = Clock::now() + std::chrono::minutes(1);
  while (!answers(port, path)) {
    if (ended()) fail(end() + " before it answered");
    if (Clock::now() > last) fail(fmt::format("did not answer GET {}", path));
    // Nothing to wait for tells when a port is listened on; a thousandth of the second that a start may take.
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::size_t Process::resident() const {
  std::ifstream file(fmt::format("/proc/{}/statm", id_));
  std::size_t size = 0;
  std::size_t resident = 0;
  if (!(file >> size >> resident)) fail("tells no size");
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::string output_of(std::vector<std::string> words, const Folder& folder) {
  const std::string printed = folder.file("printed");
  Process(std::move(words), printed).finish();
  return content_of(printed);
}

std::uint16_t free_port() {
  const Descriptor listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = local(0);
  socklen_t size = sizeof address;
  if (bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
      getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw_system_error("bind to 127.0.0.1");
  }
  return ntohs(address.sin_port);
}

}  // namespace tacit::benchmarks
