#include "tacit/service/keys.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <sstream>

#include <sodium.h>

#include "service/rig.hpp"

namespace tacit::service {
namespace {

std::string failure_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing failed";
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}
void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

KeyRing busy_ring(KeyFile& file) {
  KeyRing ring = file.read();
  ring.store = Tag{1, 2, 3};
  ring.releases = 41;
  ring.debits = 7;
  ring.spent[3] = 1.5;
  ring.incarnation = 9;
  ring.rotated = 1'800'000'000'000;
  for (Id experiment = 1; experiment <= 300; ++experiment) {
    randombytes_buf(ring.units[{experiment, 0}].data(), TokenKeys::kBytes);
  }
  return ring;
}

void expect_equal(const KeyRing& a, const KeyRing& b) {
  EXPECT_EQ(a.store, b.store);
  EXPECT_EQ(a.releases, b.releases);
  EXPECT_EQ(a.debits, b.debits);
  EXPECT_EQ(a.spent, b.spent);
  EXPECT_EQ(a.incarnation, b.incarnation);
  EXPECT_EQ(a.rotated, b.rotated);
  EXPECT_EQ(a.units, b.units);
  EXPECT_EQ(a.tokens, b.tokens);
  EXPECT_EQ(a.ingress, b.ingress);
  ASSERT_EQ(a.state.size(), b.state.size());
  EXPECT_EQ(a.sealing().text(), b.sealing().text());
}

TEST(KeyFile, GivesBackWhatWasWritten) {
  const Folder folder;
  const std::string path = folder.file("keys/deeper/state.key");
  KeyRing ring;
  {
    KeyFile file(path, true);
    ring = busy_ring(file);
    file.write(ring);
    expect_equal(file.read(), ring);
    ring.units.erase(ring.units.begin(), ring.units.find({250, 0}));  // smaller again
    file.write(ring);
  }
  KeyFile again(path, false);
  expect_equal(again.read(), ring);
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
}

TEST(KeyFile, HasNothingLeftOfWhatWasErased) {
  const Folder folder;
  const std::string path = folder.file("state.key");
  KeyFile file(path, true);
  KeyRing ring = busy_ring(file);
  file.write(ring);
  const KeyBytes gone = ring.units.at({7, 0});
  const std::string bytes(gone.begin(), gone.end());
  const std::string sealing(ring.sealing().data(),
                            ring.sealing().data() + privacy::SealingKey::kBytes);
  EXPECT_NE(bytes_of(path).find(bytes), std::string::npos);
  EXPECT_NE(bytes_of(path).find(sealing), std::string::npos);
  ring.units.erase({7, 0});
  ring.state.emplace(2, privacy::SealingKey::fresh());
  file.write(ring);
  EXPECT_EQ(bytes_of(path).find(bytes), std::string::npos);
  ring.state.erase(1);
  file.write(ring);
  EXPECT_EQ(bytes_of(path).find(sealing), std::string::npos);
}

TEST(KeyFile, IsWholeWhicheverPageOfAWriteIsTorn) {
  const Folder folder;
  const std::string path = folder.file("state.key");
  KeyRing before, after;
  std::string old_bytes, new_bytes;
  {
    KeyFile file(path, true);
    before = busy_ring(file);
    file.write(before);
    file.write(before);  // in both slots, so that the file does not grow any more
    old_bytes = bytes_of(path);
    after = before;
    ++after.releases;
    file.write(after);
    new_bytes = bytes_of(path);
  }
  ASSERT_EQ(old_bytes.size(), new_bytes.size());
  int torn = 0;
  for (std::size_t at = 0; at < new_bytes.size(); at += 512) {
    // The first part of the write is on the disk, or the last.
    for (const bool first : {true, false}) {
      const std::string mixed = first ? new_bytes.substr(0, at) + old_bytes.substr(at)
                                      : old_bytes.substr(0, at) + new_bytes.substr(at);
      write_bytes(path, mixed);
      KeyFile file(path, false);
      const KeyRing ring = file.read();
      EXPECT_TRUE(ring.releases == before.releases || ring.releases == after.releases);
      torn += ring.releases == before.releases ? 1 : 0;
      expect_equal(ring, ring.releases == after.releases ? after : before);
    }
  }
  EXPECT_GT(torn, 0);
}

TEST(KeyFile, IsOfOneServiceWhateverItsName) {
  const Folder folder;
  const std::string path = folder.file("state.key");
  const std::string link = folder.file("link.key");
  {
    const KeyFile file(path, true);
    std::filesystem::create_hard_link(path, link);
    for (const std::string& name : {path, link}) {
      const std::string message = failure_of([&] { KeyFile(name, false); });
      EXPECT_TRUE(message.starts_with(name + ": these keys are in use by another service"))
          << message;
      EXPECT_EQ(message.find('\n'), std::string::npos);
    }
  }
  EXPECT_EQ(failure_of([&] { KeyFile(link, false); }), "nothing failed");
}

TEST(KeyFile, IsNotHeldByAChildThatOutlivesItsService) {
  const Folder folder;
  const std::string path = folder.file("state.key");
  int lives[2];  // NOLINT: what pipe() takes
  int ends[2];   // NOLINT: likewise
  ASSERT_EQ(::pipe(lives) + ::pipe(ends), 0);
  std::optional<KeyFile> file(std::in_place, path, true);
  const pid_t child = ::fork();
  if (child == 0) {
    char byte = 1;
    ::close(ends[1]);
    const bool said = ::write(lives[1], &byte, 1) == 1;
    ::_exit(said && ::read(ends[0], &byte, 1) == 0 ? 0 : 1);
  }
  char byte = 0;
  EXPECT_EQ(::read(lives[0], &byte, 1), 1);
  file.reset();
  EXPECT_EQ(failure_of([&] { KeyFile(path, false); }), "nothing failed");
  for (const int end : {lives[0], lives[1], ends[0], ends[1]}) ::close(end);
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(KeyFile, ThatWasPutAwayOrReplacedIsNotWritten) {
  const Folder folder;
  const std::string path = folder.file("state.key");
  const std::string away = folder.file("away.key");
  KeyFile file(path, true);
  KeyRing ring = busy_ring(file);
  file.write(ring);
  const std::string bytes = bytes_of(path);
  ++ring.releases;
  const auto refused = [&] {
    EXPECT_THROW(file.write(ring), StoreFailed);
    EXPECT_EQ(failure_of([&] { file.write(ring); }),
              path + ": is not the file that was opened: put it back");
    EXPECT_EQ(bytes_of(away), bytes);
  };
  std::filesystem::rename(path, away);
  refused();
  std::filesystem::copy_file(away, path);
  refused();
  EXPECT_EQ(bytes_of(path), bytes);
  std::filesystem::rename(away, path);
  file.write(ring);
  expect_equal(file.read(), ring);
}

TEST(KeyFile, IsRefusedInOneLine) {
  const Folder folder;
  const std::string path = folder.file("state.key");
  const auto refusal = [&](bool create) {
    const std::string message = failure_of([&] { KeyFile(path, create).read(); });
    EXPECT_EQ(message.find('\n'), std::string::npos);
    EXPECT_NE(message.find(path), std::string::npos) << message;
    return message;
  };
  EXPECT_NE(refusal(false).find("is missing"), std::string::npos);
  { const KeyFile elsewhere(folder.file("elsewhere.key"), true); }
  std::filesystem::create_symlink("elsewhere.key", path);
  for (const bool create : {false, true}) {
    EXPECT_NE(refusal(create).find("is a symbolic link"), std::string::npos);
  }
  std::filesystem::remove(path);
  write_bytes(path, std::string(10'000, 'x'));
  ::chmod(path.c_str(), 0600);
  EXPECT_NE(refusal(false).find("is not a key file"), std::string::npos);
  write_bytes(path, "");
  EXPECT_NE(refusal(false).find("is not a key file"), std::string::npos);
  std::filesystem::remove(path);
  {
    KeyFile file(path, true);
    KeyRing ring = file.read();
    ring.store = Tag{1};
    file.write(ring);
  }
  EXPECT_NE(refusal(true).find("another store"), std::string::npos);
  EXPECT_EQ(failure_of([&] { KeyFile(path, true, Tag{1}); }), "nothing failed") << "its own";
  EXPECT_NE(failure_of([&] { KeyFile(path, true, Tag{2}); }).find("another store"),
            std::string::npos);
  std::string bytes = bytes_of(path);
  for (char& c : std::span(bytes).subspan(100)) c = static_cast<char>(c ^ 1);
  write_bytes(path, bytes);
  EXPECT_NE(refusal(false).find("neither of its two copies"), std::string::npos);
  ::chmod(path.c_str(), 0640);
  EXPECT_NE(refusal(false).find("chmod 600"), std::string::npos);
}

}  // namespace
}  // namespace tacit::service
