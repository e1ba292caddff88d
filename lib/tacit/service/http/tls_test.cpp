#include "tacit/service/http/tls.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "tacit/service/http/server.hpp"
#include "tacit/service/http/tls_client_test.hpp"

namespace tacit::service::http {
namespace {

using namespace std::chrono_literals;

class Tls : public testing::Test {
 protected:
  Tls() : files_(make_self_signed(testing::TempDir())) {
    settings_.certificate = files_.certificate;
    settings_.private_key = files_.private_key;
  }
  ~Tls() override {
    std::filesystem::remove(files_.certificate);
    std::filesystem::remove(files_.private_key);
  }

  static void answer(const Request& request, const Respond& respond) {
    Answer answer;
    answer.body = "<" + std::string(request.path()) + ">";
    respond(std::move(answer));
  }

  SelfSigned files_;
  Settings settings_;
};

TEST_F(Tls, AnswersInBothVersions) {
  const Server server(settings_, answer);
  EXPECT_EQ(server.url(), "https://127.0.0.1:" + std::to_string(server.port()));
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    TlsClient client(server.port(), version);
    ASSERT_TRUE(client.connected());
    for (int i = 0; i < 3; ++i) {
      client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
      EXPECT_NE(client.read_until("</a>").find("Strict-Transport-Security: "), std::string::npos);
    }
    client.send("GET /b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    EXPECT_NE(client.read_until("no such thing").find("</b>"), std::string::npos);
    EXPECT_TRUE(client.closed_properly());
  }
}

TEST_F(Tls, KeepsNothingThatASessionCouldBeTakenUpWith) {
  const Server server(settings_, answer);
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    TlsClient client(server.port(), version);
    client.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
    client.read_until("</a>");
    EXPECT_FALSE(client.has_ticket());
  }
}

TEST_F(Tls, RefusesWhatIsOlder) {
  const Server server(settings_, answer);
  EXPECT_FALSE(TlsClient(server.port(), TLS1_1_VERSION).connected());
}

TEST_F(Tls, ClosesWhoSpeaksPlainOrNotAtAll) {
  settings_.request_time = 200ms;
  const Server server(settings_, answer);
  RawClient plain(server.port());
  plain.get("/a");
  EXPECT_EQ(plain.read_all().find("HTTP"), std::string::npos);
  RawClient silent(server.port());
  EXPECT_EQ(silent.read_all(), "");
}

TEST_F(Tls, TellsATricklerWhy) {
  settings_.request_time = 200ms;
  const Server server(settings_, answer);
  TlsClient client(server.port());
  client.send("GET /a HT");
  EXPECT_EQ(client.read_until("no such thing").substr(0, 12), "HTTP/1.1 408");
  EXPECT_TRUE(client.closed_properly());
}

TEST_F(Tls, TakesARenewedCertificate) {
  Server server(settings_, answer);
  EXPECT_FALSE(server.renew_tls());
  TlsClient before(server.port());
  EXPECT_EQ(before.number(), 1);
  make_self_signed(testing::TempDir(), 2);
  EXPECT_EQ(TlsClient(server.port()).number(), 1) << "until it looks";
  EXPECT_TRUE(server.renew_tls());
  EXPECT_FALSE(server.renew_tls());
  EXPECT_EQ(TlsClient(server.port()).number(), 2);
  before.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_NE(before.read_until("</a>").find("200 OK"), std::string::npos) << "it goes on as it was";

  std::ofstream(files_.certificate) << "half a certif";
  EXPECT_THROW(server.renew_tls(), std::runtime_error);
  EXPECT_FALSE(server.renew_tls()) << "it is said once";
  EXPECT_EQ(TlsClient(server.port()).number(), 2);
  make_self_signed(testing::TempDir(), 3);
  EXPECT_TRUE(server.renew_tls());
  EXPECT_EQ(TlsClient(server.port()).number(), 3);
}

TEST_F(Tls, NamesTheFileThatItCannotUse) {
  const auto why = [](const std::filesystem::path& certificate, const std::filesystem::path& key) {
    try {
      tls_context(certificate, key);
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(why(files_.certificate, files_.private_key), "");
  EXPECT_EQ(why("none.pem", files_.private_key),
            "TLS certificate none.pem: is not there, is empty or cannot be read");
  EXPECT_EQ(why(files_.certificate, "none.pem"),
            "TLS key none.pem: is not there, is empty or cannot be read");
  EXPECT_NE(why(files_.private_key, files_.private_key).find(files_.private_key.string()),
            std::string::npos);
  EXPECT_NE(why(files_.certificate, files_.certificate).find("TLS key"), std::string::npos);
  const std::filesystem::path other =
      std::filesystem::path(testing::TempDir()) / ("tacit_test_" + std::to_string(getpid()));
  std::filesystem::create_directory(other);
  const SelfSigned stranger = make_self_signed(other);
  EXPECT_NE(why(files_.certificate, stranger.private_key).find("TLS key"), std::string::npos);
  std::filesystem::remove_all(other);
}

}  // namespace
}  // namespace tacit::service::http
