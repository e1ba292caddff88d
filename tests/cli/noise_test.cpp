// Exact noise and the ledger of releases on the command line.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "documents.hpp"
#include "program.hpp"
#include "refusals.hpp"

namespace tacit::cli_test {
namespace {

const Arguments kRun{"simulate", "--policy", "anytime-lazy-ucb", "--epsilon", "0.5",
                     "--means",  "0.7,0.5",  "--horizon",        "1000",      "--runs",
                     "5"};

Json entry_of(const Arguments& arguments) { return document_of(arguments).at(0); }

TEST(ExactNoise, IsStatedInTheGuaranteeAndRepeats) {
  const Json exact = entry_of(kRun + Arguments{"--noise", "exact"});
  EXPECT_EQ(exact.at("guarantee").at("arithmetic"), "exact");
  EXPECT_EQ(exact.at("guarantee").at("randomness"), "simulated");
  EXPECT_EQ(exact.at("guarantee").at("epsilon"), 0.5);
  EXPECT_EQ(entry_of(kRun + Arguments{"--noise", "exact"}).at("regret"), exact.at("regret"));
  const Json ideal = entry_of(kRun + Arguments{"--noise", "ideal"});
  EXPECT_EQ(ideal.at("guarantee").at("arithmetic"), "idealised");
  EXPECT_NE(ideal.at("curve"), exact.at("curve"));
}

TEST(ExactNoise, RefusesWhatIsNeither) {
  expect_refused(kRun + Arguments{"--noise", "real"}, {"noise = real", "ideal", "exact"});
}

TEST(ExactNoise, RefusesACounterThatHasNone) {
  expect_refused(
      {"simulate", "--policy", "dp-ucb-tree", "--epsilon", "1", "--means", "0.7,0.5", "--horizon",
       "100", "--runs", "1", "--noise", "exact", "--param", "counter=toeplitz"},
      {"counter = toeplitz", "no exact noise", "signed"});
  expect_refused(
      {"simulate", "--policy", "dp-ucb-tree", "--epsilon", "1", "--means", "0.7,0.5", "--horizon",
       "100", "--runs", "1", "--param", "counter=signed", "--param", "arity=4"},
      {"arity = 4", "odd"});
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(LedgerFile, HasALineForEveryRelease) {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/ledger.csv";
  const Result result = run_tacit(kRun + Arguments{"--ledger", path});
  EXPECT_EQ(result.exit, 0) << result.err;
  const std::string text = text_of(path);
  EXPECT_EQ(text.find("policy,after_round,about,first,last,mechanism,epsilon,delta\n"), 0U);
  EXPECT_NE(text.find("anytime-lazy-ucb,1,arm "), std::string::npos) << text;
  EXPECT_NE(text.find(",\"Laplace(scale 2)\",0.5,0\n"), std::string::npos) << text;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    EXPECT_EQ(entry.path(), path) << "nothing is left behind";
  }
}

TEST(LedgerFile, IsRefusedBeforeTheRunWhereItCannotBeWritten) {
  expect_refused(kRun + Arguments{"--ledger", "/no/such/folder/ledger.csv"},
                 {"ledger = /no/such/folder/ledger.csv", "cannot be written"});
  const TemporaryFolder folder;
  expect_refused(kRun + Arguments{"--ledger", folder.path()}, {"is a folder"});
}

}  // namespace
}  // namespace tacit::cli_test
