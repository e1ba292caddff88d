// Figures with verdicts for tests of the page.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tacit/reports/paper_figure.hpp"
#include "tacit/reports/sample_curves_test.hpp"

namespace tacit::reports::page {

inline Claim claim_of(const std::string& figure, const std::string& says, const std::string& policy,
                      double value) {
  Claim claim;
  claim.figure = figure;
  claim.says = says;
  claim.policy = policy;
  claim.value = value;
  claim.within = 0.1;
  return claim;
}

inline FigureRequest request_of(const std::string& name, const std::string& source) {
  FigureRequest request;
  request.name = name;
  request.title = "About " + name;
  request.source = source;
  return request;
}

inline ReproducedFigure reproduced_of(const FigureRequest& request,
                                      const std::vector<Curve>& curves,
                                      const std::vector<Claim>& claims = {}) {
  Figure figure = make_figure(request, curves, claims);
  Verdict verdict = give_verdict(request, figure, claims, curves);
  return {std::move(figure), "", std::move(verdict), "tacit reproduce " + request.name};
}

}  // namespace tacit::reports::page
