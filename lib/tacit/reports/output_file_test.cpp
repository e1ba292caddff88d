#include "tacit/reports/output_file.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "tacit/lab/small_plans_test.hpp"

namespace tacit::reports {
namespace {

TEST(OutputFile, GoesWhereALinkLeads) {
  const lab::Folder folder;
  std::filesystem::create_directories(folder.path());
  const auto target = folder.path() / "target";
  const auto link = folder.path() / "link";
  write_file("output", target.string(), "before");
  std::filesystem::create_symlink(target, link);
  write_file("output", link.string(), "after");
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  std::ifstream file(target);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "after");
}

}  // namespace
}  // namespace tacit::reports
