// A policy of one's own, in a program of one's own: greedy on noisy means, but for a share of rounds in which any arm is
// played. It is a recipe like those of the library: numbers for its curator, and a learner, which sees released sums only.
#include <cstdio>
#include <memory>

#include "tacit/actions/single.hpp"
#include "tacit/estimators/phase_book.hpp"
#include "tacit/policies/recording.hpp"
#include "tacit/problems/independent_arms.hpp"
#include "tacit/random/distributions.hpp"
#include "tacit/simulation/simulator_of.hpp"

using namespace tacit;

struct EpsilonGreedy {
  static constexpr policies::Card kCard =
      policies::central("greedy", "Greedy on noisy means", "an example");
  struct Parameters {
    double explore = 0.05;  // share of rounds, in (0, 1)
    template <class V>
    static void fields(V& v) {
      v.real("explore", &Parameters::explore, 0, 1, "share of rounds in which any arm is played");
    }
  };

  class Learner {
   public:
    using Feedback = feedback::Bandit;
    Learner(int arms, double explore, const random::Dice& dice)
        : book_(arms, estimators::PhaseSchedule::cumulative(16, 1.5)),
          actions_(arms),
          explore_(explore),
          dice_(dice) {}

    int recorded() const { return 1; }
    void choose(const policies::Situation& situation, policies::Choice& choice) {
      // Arms that tie are drawn: with equal scores it is any of them.
      const bool any = random::uniform_open(dice_.decisions()) < explore_;
      for (Arm arm = 0; arm < book_.arms(); ++arm) actions_.score(arm) = any ? 0 : mean(arm);
      const Arm arm = policies::choose_eligible(actions_, situation, dice_).arms[0];
      choice.one(arm, book_.slot(arm), situation.t);
    }
    Round assign(Slot slot, Round n) { return book_.assign(slot, n); }
    void deliver(Slot slot, policies::Values values, Round, int noises) {
      book_.deliver(slot, values[0].value(), noises);
    }
    policies::View show(Arm arm) const { return policies::view_of(book_, arm); }
    template <class Archive>
    void state(Archive& archive) {
      archive(book_, dice_);
    }

   private:
    double mean(Arm arm) const {
      return book_.released(arm).n == 0 ? 1 : book_.released(arm).mean();
    }

    estimators::PhaseBook<estimators::Accumulate> book_;
    actions::Single actions_;
    double explore_;
    random::Dice dice_;
  };

  /// A round enters one phase of one arm, which is released once: the guarantee follows from this number.
  static curators::PhasePlan plan(const policies::Setting& s, const Parameters&) {
    return {.scale = 1 / policies::required_epsilon(kCard.name, s)};
  }
  static Learner learner(const policies::Setting& s, const Parameters& p,
                         const random::Dice& dice) {
    return Learner(s.arms, p.explore, dice);
  }
};

int main() {
  simulation::Request request;
  request.policy = EpsilonGreedy::kCard.name;
  request.epsilon = 0.5;
  request.problem = std::make_shared<problems::IndependentArms>(std::vector<double>{0.7, 0.5, 0.4},
                                                                problems::Rewards::kBernoulli);
  request.horizon = 100000;
  request.runs = 1;
  request.checkpoints = {request.horizon};
  const simulation::SimulatorOf<EpsilonGreedy> simulator(request,
                                                         policies::make_entry<EpsilonGreedy>());
  const privacy::Guarantee g = simulator.guarantee();
  std::printf("guarantee: %s, epsilon %g, because %s\n", privacy::name_of(g.notion), g.epsilon,
              g.because.c_str());
  double regret = 0;
  for (std::uint64_t run = 0; run < 20; ++run)
    regret += simulator.Simulator::run(run).regrets.back() / 20;
  std::printf("regret after %lld rounds, mean of 20 runs: %.0f\n",
              static_cast<long long>(request.horizon), regret);
}
