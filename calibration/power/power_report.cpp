// SPDX-License-Identifier: Apache-2.0
#include "calibration/power/power_validation.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace coulomb::calibration::power {
namespace {

using Json = nlohmann::ordered_json;

/// How many checks are within tolerance, and their mean relative error.
struct Count {
  std::size_t points = 0;
  std::size_t within = 0;
  double error = 0.0; ///< sum of |predicted / value - 1|

  void add(const PowerCheck& check) {
    ++points;
    within += check.within ? 1 : 0;
    error += std::abs(*check.predicted / check.point.value - 1.0);
  }
  [[nodiscard]] double mape() const {
    return points == 0 ? 0.0 : error / static_cast<double>(points);
  }
  [[nodiscard]] std::string text() const {
    return points == 0
               ? fmt::format("{:>24}", "-")
               : fmt::format("{:>3} of {:>3}, error {:>5.1f} %", within, points, 100.0 * mape());
  }
};

/// A group's points that check the model, those that set its parameters, and those that were not
/// had.
struct Share {
  Count checks;
  Count fitted;
  std::size_t missing = 0;

  void add(const PowerCheck& check) {
    if (!check.predicted) {
      ++missing;
    } else {
      (check.fitted ? fitted : checks).add(check);
    }
  }
};

std::string group_of(const PowerCheck& check) {
  return check.point.group == "burn" ? fmt::format("burn, {}", check.point.unit)
                                     : check.point.group;
}

std::map<std::string, Share> shares(const std::vector<PowerCheck>& checks) {
  std::map<std::string, Share> groups;
  for (const PowerCheck& check : checks) {
    groups[group_of(check)].add(check);
  }
  return groups;
}

std::string verdict(const PowerCheck& check) {
  if (!check.predicted) {
    return "not checked";
  }
  return fmt::format("{}{}", check.within ? "within" : "MISSED", check.fitted ? ", fit" : "");
}

std::string row(const PowerCheck& check) {
  const PowerPoint& p = check.point;
  const std::string predicted =
      check.predicted ? fmt::format("{:.4g}", *check.predicted) : std::string("-");
  const std::string clock =
      p.sm_clock_mhz > 0.0 ? fmt::format("{:.0f}", p.sm_clock_mhz) : std::string("-");
  return fmt::format(" {:<4} {:<16} {:>5}  {:>9} {:>9} {:>8} {:<5} {:<11} {}{}\n", p.id, p.gpu,
                     clock, fmt::format("{:.4g}", p.value), predicted,
                     fmt::format("{:.3g}", p.tolerance), p.unit, verdict(check), p.what,
                     check.note.empty() ? "" : "; " + check.note);
}

} // namespace

std::string power_report_text(const std::vector<PowerCheck>& checks) {
  std::string text = " id   gpu                MHz   measured     model       +- unit  verdict     "
                     "case\n";
  for (const PowerCheck& check : checks) {
    text += row(check);
  }
  text +=
      "\n within tolerance     points that check         points that set a parameter  not had\n";
  for (const auto& [group, share] : shares(checks)) {
    text += fmt::format(" {:<16} {:>28} {:>28} {:>8}\n", group, share.checks.text(),
                        share.fitted.text(), share.missing);
  }
  return text;
}

std::string power_report_json(const std::vector<PowerCheck>& checks) {
  Json report;
  report["points"] = Json::array();
  for (const PowerCheck& check : checks) {
    const PowerPoint& p = check.point;
    report["points"].push_back(
        {{"id", p.id},
         {"group", p.group},
         {"gpu", p.gpu},
         {"case", p.what},
         {"sm_clock_mhz", p.sm_clock_mhz},
         {"measured", p.value},
         {"predicted", check.predicted ? Json(*check.predicted) : Json(nullptr)},
         {"tolerance", p.tolerance},
         {"unit", p.unit},
         {"within", check.within},
         {"fitted", check.fitted},
         {"note", check.note},
         {"source", p.source}});
  }
  report["groups"] = Json::object();
  for (const auto& [group, share] : shares(checks)) {
    const auto json = [](const Count& count) {
      return Json{{"points", count.points}, {"within", count.within}, {"mape", count.mape()}};
    };
    report["groups"][group] = {
        {"checks", json(share.checks)}, {"fitted", json(share.fitted)}, {"not_had", share.missing}};
  }
  return report.dump(2);
}

} // namespace coulomb::calibration::power
