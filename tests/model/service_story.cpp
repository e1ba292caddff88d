#include "model/service_story.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/draws.hpp"
#include "tacit/service/spec.hpp"

namespace tacit::model {
namespace {

using namespace service;  // NOLINT: times

/// What a policy can be served with.
struct Served {
  const char* policy;
  bool floor;
  bool holdout;
};
constexpr std::array<Served, 5> kServed{{{"anytime-lazy-ucb", true, true},
                                         {"mgf-imed", true, true},
                                         {"ftnl", true, false},
                                         {"dpucb-mat", false, false},
                                         {"ldp-ucb-bits", true, false}}};

Trial random_trial(Draws& draw) {
  Trial trial;
  const Served& served = kServed.at(
      draw.one_in(2) ? 0 : static_cast<std::size_t>(draw.below(static_cast<int>(kServed.size()))));
  trial.policy = served.policy;
  trial.arms = trial.policy == "dpucb-mat" ? 3 : 2 + draw.below(2);
  trial.wait = draw.of<Time>({kSecond, kSecond, 10 * kSecond, 10 * kMinute, 2 * kHour});
  trial.missing = draw.of({0.0, 0.0, 0.5, 1.0});
  trial.max_age = draw.of<Time>({0, 0, 500, 5 * kSecond, kHour});
  trial.sticky = draw.of<Time>({0, 0, 5 * kSecond, 90 * kSecond, 3 * kHour});
  if (draw.one_in(2)) {
    trial.cap = draw.of({1, 2, 4});
    trial.period = draw.of<Time>({0, kHour, kHour, 2 * kHour});
  }
  if (served.floor && draw.one_in(3)) trial.floor = 0.25;
  if (served.holdout && draw.one_in(3)) trial.holdout = draw.of({0.25, 0.5});
  // The slots of those who are held out are the longer the smaller it is.
  if (trial.holdout > 0) trial.epsilon = draw.of({1.0, 1.0 / 8, 1.0 / 32});
  return trial;
}

Step random_step(Draws& draw, const Story& story, int id) {
  Step step;
  step.id = id;
  step.trial = static_cast<std::size_t>(draw.below(static_cast<int>(story.trials.size())));
  const Trial& trial = story.trials[step.trial];
  step.of = 1 + draw.below(std::max(1, id - 1));
  if (draw.one_in(2)) step.of = std::max(1, id - 1 - draw.below(4));
  const int which = draw.below(100);
  const auto ask = [&](Do what) {
    step.what = what;
    step.count = draw.of({1, 1, 1, 1, 2, 3, 5, 8, 20, 70});
    if (trial.cap > 0 || trial.sticky > 0) {
      step.unit = draw.one_in(8) ? 0 : 1 + draw.below(3);
      step.count = draw.of({1, 1, 1, 2, 5});
    }
    step.defer = draw.one_in(4);
    step.record = !draw.one_in(12);
    if (trial.policy != "dpucb-mat" && draw.one_in(3)) step.only = draw.below(trial.arms);
  };
  const auto some = [&](Do what) {
    step.what = what;
    step.quarters = draw.of({4, 4, 4, 0, 1, 2});
    step.deferred = draw.one_in(8);
    if (!draw.one_in(3)) return;
    step.from = draw.of({0, 0, 1, 3, 64, 100});
    step.number = draw.of({1, 1, 2, 10});
  };
  if (which < 30) {
    ask(Do::kAsk);
  } else if (which < 50) {
    some(Do::kAnswer);
  } else if (which < 59) {
    some(Do::kActivate);
  } else if (which < 74) {
    step.what = draw.one_in(5) ? Do::kSleep : Do::kWait;
    step.by = draw.of<Time>({1, 300, kSecond, 3 * kSecond, 5 * kSecond, trial.wait / 2, trial.wait,
                             trial.wait + kSecond, trial.wait + 3 * kSecond, 61 * kSecond,
                             10 * kMinute, kHour, kHour + kMinute, 26 * kHour});
  } else if (which < 79) {
    step.what = Do::kRestart;
    step.by = draw.of<Time>({0, 500, 5 * kSecond, 2 * kMinute, kHour, -kHour});
  } else if (which < 83) {
    ask(draw.one_in(2) ? Do::kLose : Do::kCrash);
    if (draw.one_in(3)) step.order = draw.of({Do::kStop, Do::kPause, Do::kGoOn});
  } else if (which < 85) {
    step.what = Do::kRotate;
  } else if (which < 87) {
    step.what = Do::kBackUp;
  } else if (which < 90) {
    step.what = Do::kPutBack;
  } else if (which < 94) {
    step.what = draw.of({Do::kPause, Do::kGoOn});
  } else if (which < 95) {
    step.what = draw.of({Do::kStop, Do::kStop, Do::kArchive, Do::kBegin});
  } else if (which < 97) {
    step.what = draw.of({Do::kHoldout, Do::kFloor});
    step.share = draw.of({0.0, 0.25, 0.5});
  } else if (which < 99) {
    step.what = draw.of({Do::kMaxAge, Do::kSticky});
    step.by = draw.of<Time>({0, kSecond, kMinute, kHour});
  } else {
    step.what = draw.of({Do::kAddArm, Do::kRetire});
  }
  return step;
}

/// A slot that is longer than a block of what is sealed, answered before and after a restart.
Story long_story(std::uint64_t number, Draws& draw) {
  Story story{.number = number};
  Trial trial{.epsilon = 1.0 / 320, .wait = 10 * kSecond, .holdout = 0.5};
  if (draw.one_in(2)) trial.missing = 1;
  story.trials.push_back(trial);
  const auto add = [&](Step step) {
    step.id = static_cast<int>(story.steps.size()) + 1;
    story.steps.push_back(step);
  };
  add({.what = Do::kAsk, .count = 8400});
  add({.what = Do::kAnswer, .of = 1, .from = draw.below(300), .number = 8000});
  if (draw.one_in(2)) add({.what = Do::kRestart});
  add({.what = Do::kAnswer, .of = 1, .from = draw.below(8000), .quarters = draw.of({1, 4})});
  if (draw.one_in(2)) add({.what = Do::kRotate});
  add({.what = Do::kAsk, .count = 2200});
  add({.what = Do::kAnswer, .of = draw.of({1, 6})});
  return story;
}

std::string text_of(Time t) {
  if (t != 0 && t % kHour == 0) return fmt::format("{} h", t / kHour);
  if (t != 0 && t % kMinute == 0) return fmt::format("{} min", t / kMinute);
  if (t % kSecond == 0) return fmt::format("{} s", t / kSecond);
  return fmt::format("{} ms", t);
}

std::string text_of(const Trial& trial, std::size_t number) {
  std::string text = fmt::format("trial{}: {}, {} arms, epsilon {:.6g}, wait {}", number,
                                 trial.policy, trial.arms, trial.epsilon, text_of(trial.wait));
  if (trial.cap > 0) {
    text +=
        fmt::format(", cap {} in {}", trial.cap, trial.period == 0 ? "all" : text_of(trial.period));
  }
  if (trial.missing > 0) text += fmt::format(", default {}", trial.missing);
  if (trial.max_age > 0) text += fmt::format(", phases at most {}", text_of(trial.max_age));
  if (trial.sticky > 0) text += fmt::format(", sticky for {}", text_of(trial.sticky));
  if (trial.floor > 0) text += fmt::format(", floor {}", trial.floor);
  if (trial.holdout > 0) text += fmt::format(", {} held out", trial.holdout);
  return text;
}

std::string text_of(const Step& step) {
  const auto ask = [&] {
    return fmt::format("#{}: ask trial{} for {}{}{}{}{}", step.id, step.trial, step.count,
                       step.unit > 0 ? fmt::format(" for unit {}", step.unit) : "",
                       step.defer ? ", deferred" : "", step.record ? "" : ", not to be recorded",
                       step.only >= 0 ? fmt::format(", among arm {} alone", step.only) : "");
  };
  const auto those = [&] {
    if (step.from == 0 && step.number >= 1 << 20) return fmt::format("#{}", step.of);
    return fmt::format("#{} ({} from place {} on)", step.of,
                       step.number >= 1 << 20 ? "all" : fmt::format("{}", step.number), step.from);
  };
  const auto order = [&]() -> std::string {
    if (step.order == Do::kAsk) return "";
    return step.order == Do::kStop    ? ", and stop it"
           : step.order == Do::kPause ? ", and pause it"
                                      : ", and go on with it";
  };
  const auto of_trial = [&](const char* what) {
    return fmt::format("{} trial{}", what, step.trial);
  };
  switch (step.what) {
    case Do::kBegin: return of_trial("begin");
    case Do::kAsk: return ask();
    case Do::kActivate: return "activate " + those();
    case Do::kAnswer:
      return fmt::format("answer {} with {}{}", those(), 0.25 * step.quarters,
                         step.deferred ? ", by the event that was asked for" : "");
    case Do::kWait: return fmt::format("{} later", text_of(step.by));
    case Do::kSleep: return fmt::format("{} later, with nothing in between", text_of(step.by));
    case Do::kRestart:
      if (step.by < 0)
        return fmt::format("stop, and start by a clock that is {} behind", text_of(-step.by));
      return fmt::format("stop, and start {} later", text_of(step.by));
    case Do::kLose: return "while the disk is full, " + ask() + order();
    case Do::kCrash: return "while the disk is full, " + ask() + order() + "; kill it, and start";
    case Do::kRotate: return "rotate";
    case Do::kBackUp: return "copy the store";
    case Do::kPutBack: return "put the last copy of the store back";
    case Do::kPause: return of_trial("pause");
    case Do::kGoOn: return of_trial("go on with");
    case Do::kStop: return of_trial("stop");
    case Do::kArchive: return of_trial("archive");
    case Do::kHoldout: return of_trial("change") + fmt::format(": {} held out", step.share);
    case Do::kFloor: return of_trial("change") + fmt::format(": floor {}", step.share);
    case Do::kMaxAge:
      return of_trial("change") + fmt::format(": phases at most {}", text_of(step.by));
    case Do::kSticky: return of_trial("change") + fmt::format(": sticky for {}", text_of(step.by));
    case Do::kAddArm: return "one arm more for " + fmt::format("trial{}", step.trial);
    case Do::kRetire: return "retire an arm of " + fmt::format("trial{}", step.trial);
  }
  return "";
}

}  // namespace

Json Trial::spec(std::size_t number) const {
  Json names = Json::array();
  for (int arm = 0; arm < arms; ++arm) names.push_back(fmt::format("arm{}", arm));
  Json spec{{"name", fmt::format("trial{}", number)},
            {"population", cap == 0 ? "people" : "members"},
            {"policy", policy},
            {"arms", names},
            {"wait", static_cast<double>(wait) / kSecond},
            {"default", missing},
            {"phase_max_age", static_cast<double>(max_age) / kSecond},
            {"sticky_for", static_cast<double>(sticky) / kSecond},
            {"floor", floor},
            {"holdout", holdout}};
  if (policy == "dpucb-mat") spec["actions"] = "top:2";
  if (cap == 0) {
    spec["epsilon"] = epsilon;
  } else {
    spec["user"] = {{"epsilon", debit()}, {"cap", cap}};
    if (period > 0) spec["user"]["period"] = static_cast<double>(period) / kSecond;
  }
  return spec;
}

Story random_story(std::uint64_t number) {
  Draws draw("service", number);
  constexpr int kOfLongOnes = 250;
  if (draw.one_in(kOfLongOnes)) return long_story(number, draw);
  Story story{.number = number, .fast = draw.one_in(3)};
  story.trials.push_back(random_trial(draw));
  if (draw.one_in(3)) story.trials.push_back(random_trial(draw));
  for (const Trial& trial : story.trials) {
    if (trial.cap > 0) story.members = trial.debit() * draw.of({2, 3, 5, 40});
  }
  if (story.trials.size() > 1) story.members *= 2;
  const int length = 8 + draw.below(50);
  for (int id = 1; id <= length; ++id) story.steps.push_back(random_step(draw, story, id));
  return story;
}

std::vector<Step> simpler_steps(const Step& step) {
  std::vector<Step> all;
  const auto add = [&](auto change) {
    Step other = step;
    change(other);
    if (!(other == step)) all.push_back(other);
  };
  const Step plain;
  if (step.count > 1) {
    for (const int count : {1, 2, step.count / 2, step.count - step.count / 8, step.count - 1}) {
      add([&](Step& s) { s.count = std::max(1, count); });
    }
  }
  add([&](Step& s) { s.order = Do::kAsk; });
  add([&](Step& s) { s.unit = 0; });
  if (step.unit > 1) add([&](Step& s) { s.unit = 1; });
  add([&](Step& s) { s.defer = false; });
  add([&](Step& s) { s.record = true; });
  add([&](Step& s) { s.only = -1; });
  add([&](Step& s) { s.from = 0, s.number = plain.number; });
  add([&](Step& s) { s.quarters = 4; });
  add([&](Step& s) { s.deferred = false; });
  if (step.what == Do::kSleep) add([&](Step& s) { s.what = Do::kWait; });
  if (step.what == Do::kCrash) add([&](Step& s) { s.what = Do::kRestart, s.by = 0; });
  if (step.what == Do::kRestart || step.what == Do::kWait) {
    for (const Time by : {Time{0}, kSecond, kMinute, kHour}) {
      if (by < std::abs(step.by)) add([&](Step& s) { s.by = by; });
    }
  }
  return all;
}

std::vector<Story> simpler_stories(const Story& story) {
  std::vector<Story> all;
  const auto add = [&](auto change) {
    Story other = story;
    change(other);
    if (!(other == story)) all.push_back(other);
  };
  add([](Story& s) { s.fast = false; });
  if (story.trials.size() > 1) {
    for (std::size_t i = 0; i < story.trials.size(); ++i) {
      add([&](Story& s) {
        s.trials.erase(s.trials.begin() + static_cast<std::ptrdiff_t>(i));
        std::erase_if(s.steps, [&](const Step& step) { return step.trial == i; });
        for (Step& step : s.steps) step.trial = 0;
      });
    }
  }
  for (std::size_t i = 0; i < story.trials.size(); ++i) {
    const Trial plain;
    add([&](Story& s) { s.trials[i] = plain; });
    add([&](Story& s) { s.trials[i].sticky = 0; });
    add([&](Story& s) { s.trials[i].floor = 0; });
    add([&](Story& s) { s.trials[i].holdout = 0; });
    add([&](Story& s) { s.trials[i].max_age = 0; });
    add([&](Story& s) { s.trials[i].missing = 0; });
    add([&](Story& s) { s.trials[i].cap = 0, s.trials[i].period = 0; });
    add([&](Story& s) { s.trials[i].period = 0; });
    add([&](Story& s) { s.trials[i].wait = kSecond; });
  }
  return all;
}

std::string text_of(const Story& story) {
  std::string text =
      fmt::format("history {}, durability {}, budgets: people {}, members {}\n", story.number,
                  story.fast ? "fast" : "strict", story.people, story.members);
  for (std::size_t i = 0; i < story.trials.size(); ++i) {
    text += text_of(story.trials[i], i) + "\n";
  }
  for (std::size_t i = 0; i < story.steps.size(); ++i) {
    text += fmt::format("{:3}. {}\n", i + 1, text_of(story.steps[i]));
  }
  return text;
}

}  // namespace tacit::model
