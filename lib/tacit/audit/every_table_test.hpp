// What exact audits ask, without a thought: every table of bits, every neighbour of it, every path of values near to the
// sums, each played from the first round on. The chances are those that the law audit knows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "tacit/audit/declared.hpp"
#include "tacit/audit/twins_test.hpp"
#include "tacit/audit/watched.hpp"
#include "tacit/privacy/published.hpp"
#include "tacit/random/dice.hpp"

namespace tacit::audit {

class EveryTable {
 public:
  EveryTable(const std::string& policy, double epsilon, Round rounds)
      : EveryTable(small_play(policy, epsilon), rounds) {}
  EveryTable(const Play& play, Round rounds) : play_(play), rounds_(rounds) {
    play_.setting.horizon = rounds;
  }

  double largest_loss() {
    play({});
    return largest_;
  }

 private:
  /// A bit that was looked at, and the release that it went into, as an index, with its place there.
  struct Cell {
    Round round;
    std::size_t release;
    std::size_t entry;
  };
  struct Run {
    std::vector<Told> told;
    std::vector<Cell> cells;
  };

  /// Plays what was told so far, and everything that can be told next.
  void play(const std::vector<std::vector<double>>& so_far) {
    const random::SimulationKey key(play_.seed, play_.entry.card.name, "exact", 0);
    auto learner = play_.entry.learner(play_.setting, play_.parameters, random::Dice(key));
    const bool reports = play_.entry.card.trust == policies::Trust::kLocal;
    Run run;
    std::map<Slot, std::vector<Round>> open;
    policies::Choice choice;
    for (Round t = 1; t <= rounds_; ++t) {
      learner->choose({t}, choice);
      if (reports) {
        const std::size_t at = run.told.size();
        const std::size_t entries = choice.slots().size();
        if (at == so_far.size()) {
          go_on(so_far, entries, 1);
          return;
        }
        tell(run, {kAllArms, 0}, 1, so_far[at], {t});
        learner->take(choice, published(so_far[at]));
        continue;
      }
      for (const Slot& slot : choice.slots()) {
        open[slot].push_back(t);
        const Round full = learner->assign(slot, 1);
        if (full == 0) continue;
        const std::size_t at = run.told.size();
        const bool all = slot.arm == kAllArms;
        if (at == so_far.size()) {
          go_on(so_far, all ? 2 : 1, runs_on(play_.plan()) ? t : full);
          return;
        }
        tell(run, slot, full, so_far[at], open[slot]);
        learner->deliver(slot, published(so_far[at]), full, 1);
      }
    }
    weigh(run);
  }

  static std::vector<privacy::Released<double>> published(const std::vector<double>& values) {
    std::vector<privacy::Released<double>> released;
    for (const double value : values) released.push_back(privacy::Published::again(value));
    return released;
  }
  static void tell(Run& run, Slot slot, Round n, const std::vector<double>& values,
                   const std::vector<Round>& rounds) {
    for (const Round round : rounds) {
      for (std::size_t entry = 0; entry < values.size(); ++entry)
        run.cells.push_back({round, run.told.size(), entry});
    }
    run.told.push_back({slot, n, std::vector<double>(values.size(), 0), values, 1});
  }

  void go_on(std::vector<std::vector<double>> so_far, std::size_t entries, Round most) {
    const bool bits = std::holds_alternative<curators::ResponsePlan>(play_.plan());
    std::vector<double> values(entries, 0);
    so_far.push_back({});
    const auto each = [&](const auto& self, std::size_t entry) -> void {
      if (entry == entries) {
        so_far.back() = values;
        play(so_far);
        return;
      }
      const int beyond = bits ? 0 : 1;
      for (int value = -beyond; value <= static_cast<int>(most) + beyond; ++value) {
        values[entry] = value;
        self(self, entry + 1);
      }
    };
    each(each, 0);
  }

  /// All tables, and all neighbours of each, by the bits that were looked at.
  void weigh(const Run& run) {
    const Declared declared(play_.plan());
    std::vector<double> log_chances;
    for (std::size_t table = 0; table < std::size_t{1} << run.cells.size(); ++table) {
      std::vector<Told> truths = run.told;
      for (std::size_t i = 0; i < run.cells.size(); ++i)
        truths[run.cells[i].release].truth[run.cells[i].entry] += (table >> i & 1U) != 0 ? 1 : 0;
      double sum = 0;
      for (const Piece& piece : declared.pieces(run.told, truths)) sum += piece.log_chances[0];
      log_chances.push_back(sum);
    }
    for (Round round = 1; round <= rounds_; ++round) {
      std::size_t cells = 0;
      for (std::size_t i = 0; i < run.cells.size(); ++i)
        cells |= run.cells[i].round == round ? std::size_t{1} << i : 0;
      for (std::size_t table = 0; table < log_chances.size(); ++table) {
        for (std::size_t change = cells; change != 0; change = (change - 1) & cells)
          largest_ = std::max(largest_, log_chances[table] - log_chances[table ^ change]);
      }
    }
  }

  Play play_;
  Round rounds_;
  double largest_ = 0;
};

}  // namespace tacit::audit
