#include "tacit/reports/documents/bounds.hpp"

#include <nlohmann/json.hpp>

namespace tacit::reports {
namespace {

using lab::Json;

Json to_json(const theory::Bound& bound, const theory::Number& found) {
  Json row = {
      {"name", bound.name},
      {"reference", bound.reference},
      {"kind", theory::name_of(bound.kind)},
      {"side", theory::name_of(bound.side)},
      {"value", found ? Json(*found) : Json(nullptr)},
      {"conditions", bound.conditions},
      {"form", bound.form},
      {"notion", privacy::name_of(bound.notion)},
      {"policies", bound.policies},
      {"caveat", bound.caveat.empty() ? Json(nullptr) : Json(bound.caveat)},
      {"superseded_by", bound.superseded_by.empty() ? Json(nullptr) : Json(bound.superseded_by)},
      {"conjecture", bound.conjecture}};
  if (!found) row["why"] = found.why_not().in_words();
  return row;
}

}  // namespace

Json bounds_json(const theory::Instance& instance) {
  Json document = Json::array();
  for (const theory::Bound& bound : theory::bounds()) {
    document.push_back(to_json(bound, theory::evaluate(bound, instance)));
  }
  return document;
}

}  // namespace tacit::reports
