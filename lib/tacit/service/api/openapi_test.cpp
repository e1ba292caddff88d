#include "tacit/service/api/openapi.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tacit/service/api/asking_test.hpp"
#include "tacit/service/api/ofrep.hpp"
#include "tacit/service/api/operating.hpp"

namespace tacit::service::api {
namespace {

using testing::HasSubstr;

const Json& document() {
  static const Json document = Json::parse(openapi_document());
  return document;
}

std::string lower(std::string_view text) {
  std::string lower;
  for (const char c : text) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

std::string roles_of(Role roles) {
  std::string text;
  for (const auto& [role, name] : {std::pair{Role::kApp, "app"},
                                   {Role::kClient, "client"},
                                   {Role::kViewer, "viewer"},
                                   {Role::kOperator, "operator"}}) {
    if ((static_cast<unsigned>(roles) & static_cast<unsigned>(role)) == 0) continue;
    text += (text.empty() ? "" : ", ") + std::string(name);
  }
  return text.empty() ? "anybody" : text;
}

TEST(OpenApi, IsServedToAnybodyWithTheVersion) {
  ServiceInAFolder service;
  const Answer answer = service.ask("GET /openapi.json");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(Json::parse(answer.body), document());
  EXPECT_EQ(document()["openapi"], "3.1.0");
  EXPECT_THAT(document()["info"]["version"].get<std::string>(), testing::MatchesRegex("[0-9.]+"));
}

TEST(OpenApi, DescribesEveryRouteAndNoOther) {
  ServiceInAFolder service;
  std::set<std::string> served;
  for (const RouteRow& row : service.routes()) {
    served.insert(lower(row.method) + " " + std::string(row.path) + ": " + roles_of(row.role));
  }
  std::set<std::string> described;
  for (const auto& [path, item] : document()["paths"].items()) {
    for (const auto& [method, operation] : item.items()) {
      described.insert(method + " " + path + ": " + operation["x-role"].get<std::string>());
    }
  }
  EXPECT_EQ(described, served);
}

TEST(OpenApi, NamesEveryStepOfAPath) {
  for (const auto& [path, item] : document()["paths"].items()) {
    for (const auto& [method, operation] : item.items()) {
      std::size_t named = 0;
      for (const Json& parameter : operation.value("parameters", Json::array())) {
        const Json all =
            parameter.contains("$ref")
                ? document().at(Json::json_pointer(parameter["$ref"].get<std::string>().substr(1)))
                : parameter;
        if (all["in"] != "path") continue;
        ++named;
        EXPECT_THAT(path, HasSubstr("{" + all["name"].get<std::string>() + "}")) << method;
      }
      EXPECT_EQ(named, static_cast<std::size_t>(std::count(path.begin(), path.end(), '{'))) << path;
    }
  }
}

void each_reference(const Json& json, const std::function<void(const std::string&)>& action) {
  for (const auto& [key, value] : json.items()) {
    if (key == "$ref") {
      action(value.get<std::string>());
    } else if (value.is_structured()) {
      each_reference(value, action);
    }
  }
}

TEST(OpenApi, RefersToWhatIsThereAndHasNothingUnused) {
  const Json all = document();
  std::set<std::string> used;
  each_reference(all, [&](const std::string& reference) {
    ASSERT_EQ(reference.substr(0, 2), "#/");
    EXPECT_TRUE(all.contains(Json::json_pointer(reference.substr(1)))) << reference;
    used.insert(reference);
  });
  for (const auto& [kind, parts] : all["components"].items()) {
    if (kind == "securitySchemes") continue;
    for (const auto& [name, part] : parts.items()) {
      EXPECT_TRUE(used.contains("#/components/" + kind + "/" + name)) << kind << " " << name;
    }
  }
}

/// The examples of a request's body, by its operation, as texts.
std::map<std::string, std::vector<std::string>> examples() {
  std::map<std::string, std::vector<std::string>> examples;
  for (const auto& [path, item] : document()["paths"].items()) {
    for (const auto& [method, operation] : item.items()) {
      if (!operation.contains("requestBody")) continue;
      for (const auto& [name, example] :
           operation["requestBody"]["content"]["application/json"]["examples"].items()) {
        examples[operation["operationId"]].push_back(example["value"].dump());
      }
    }
  }
  return examples;
}

/// Reads bodies as the service does, of experiments of every kind: an example that is refused throws.
class Readers {
 public:
  Readers() {
    for (const char* spec :
         {R"({"name":"every","policy":"ftnl","arms":["blue","green"],)",
          R"({"name":"list","policy":"cascade-dp","arms":["a","b","c","d"],"actions":"top:3",)",
          R"({"name":"bits","policy":"ldp-ucb-bits","arms":["blue","green"],)"}) {
      must(201, shop_.ask("POST /v1/experiments",
                          {.body = std::string(spec) + R"("population":"visitors","epsilon":1})"}));
    }
  }

  void read(const std::string& operation, std::string body) {
    // The events of the document are nobody's; here they get one of the kind that the example is about.
    const std::string kind = body.find("\"values\"") != std::string::npos ? "every"
                             : body.find("\"stop\"") != std::string::npos ? "list"
                             : operation == "reportLocally"               ? "bits"
                                                                          : "shop";
    constexpr std::string_view kKey = "\"event\":\"";
    if (const std::size_t at = body.find(kKey); at != std::string::npos) {
      const std::size_t begin = at + kKey.size();
      body.replace(begin, body.find('"', begin) - begin,
                   shop_.decide({}, kind, operation == "activate").event);
    }
    read_as(operation, body);
  }

 private:
  static void must(int status, const Answer& answer) {
    if (answer.status != status) throw Problem(answer.status, "", answer.body);
  }

  void read_as(const std::string& operation, std::string& body) {
    const auto directory = shop_.service().directory();
    const auto post = [&](const std::string& what, int status) {
      must(status, shop_.ask(what, {.parameters = {"shop"}, .body = body}));
    };
    if (operation == "decide")
      post("POST /v1/experiments/{name}/decisions", 200);
    else if (operation == "activate")
      post("POST /v1/activations", 200);
    else if (operation == "report")
      post("POST /v1/outcomes", 202);
    else if (operation == "reportLocally")
      post("POST /v1/reports", 202);
    else if (operation == "signUnit")
      post("POST /v1/units", 200);
    else if (operation == "createExperiment")
      post("POST /v1/experiments", 201);
    else if (operation == "changeExperiment")
      post("PATCH /v1/experiments/{name}", 200);
    else if (operation == "addArm")
      arm_request(json_of_body(body));
    else if (operation == "stopExperiment")
      stop_request(json_of_body(body));
    else if (operation == "createPopulation")
      population_request(json_of_body(body));
    else if (operation == "createKey")
      post("POST /v1/keys", 201);
    else if (operation == "evaluateFlag" || operation == "evaluateFlags")
      unit_of_context(body, *directory);
    else
      throw std::invalid_argument("nobody reads " + operation);
  }

  ServiceWithAShop shop_;
};

/// What stands at this place, and everything in it.
void each_part(const Json& json, const std::string& at,
               const std::function<void(const std::string&, const Json&)>& action) {
  action(at, json);
  if (!json.is_structured()) return;
  for (const auto& [key, value] : json.items()) each_part(value, at + "/" + key, action);
}

TEST(OpenApi, SaysWhatCodeIsMadeOf) {
  EXPECT_FALSE(document()["servers"].empty());
  for (const auto& [path, item] : document()["paths"].items()) {
    for (const auto& [method, operation] : item.items()) {
      const Json& responses = operation["responses"];
      EXPECT_TRUE(std::any_of(responses.items().begin(), responses.items().end(),
                              [](const auto& each) { return each.key().starts_with('4'); }))
          << method << " " << path << " may be refused";
    }
  }
  each_part(document()["components"]["schemas"], "", [](const std::string& at, const Json& part) {
    if (!part.is_object()) return;
    // Generators of code take what has a default for what must be given.
    const auto names_a_property = at.ends_with("/properties");
    EXPECT_TRUE(names_a_property || !part.contains("default")) << at;
    if (!part.contains("required")) return;
    for (const Json& name : part["required"]) {
      EXPECT_TRUE(part["properties"].contains(name.get<std::string>())) << at << " " << name;
    }
  });
}

TEST(OpenApi, HasExamplesThatAreAccepted) {
  Readers readers;
  for (const auto& [operation, bodies] : examples()) {
    for (const std::string& body : bodies) {
      EXPECT_NO_THROW(readers.read(operation, body)) << operation << " " << body;
    }
  }
}

}  // namespace
}  // namespace tacit::service::api
