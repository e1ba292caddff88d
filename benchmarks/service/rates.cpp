#include <algorithm>

#include <fmt/format.h>

#include "measurements.hpp"
#include "servers.hpp"

namespace tacit::benchmarks {

void measure_rates(const Plan& plan, Report& report) {
  const Folder folder(plan.folder);
  const Echo echo(folder);
  TacitServe serve(folder, {.name = "strict"});
  Requests requests = serve.requests();
  Requests to_nobody = serve.requests();
  double echoed = 0;
  double served = 0;
  double told = 0;
  for (int i = 0; i < plan.repetitions; ++i) {
    // The echo closes what is idle for seconds.
    Connections to_echo(echo.port(), plan.connections);
    echoed = std::max(echoed, ask_and_tell(to_echo, to_nobody, plan.seconds, kSomeEvent));
    Connections to_serve(serve.port(), plan.connections);
    served = std::max(served, ask_and_tell(to_serve, requests, plan.seconds));
    told = std::max(told, tell_in_batches(to_serve, requests, plan.seconds));
  }
  serve.stop(requests);
  fmt::print("{} connections: the echo answers {:.0f} requests a second\n", plan.connections,
             echoed);
  report.at_least("strict decisions and outcomes, by requests of the echo", served / echoed, 0.4);
  report.at_least("outcomes in batches of 100, by requests of the echo", told / echoed, 1.2);
}

}  // namespace tacit::benchmarks
