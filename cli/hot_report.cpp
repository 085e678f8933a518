// SPDX-License-Identifier: Apache-2.0
#include "cli/hot_report.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/stall_words.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <utility>

namespace coulomb::cli {
namespace {

using eval::HotInstruction;
using Json = nlohmann::ordered_json;

/// What the instructions of one source line add up to. `sass` and `pc` mean nothing.
using SourceLine = HotInstruction;

/// The first `count` of `all` by warp-cycles; equal ones stay in their order.
std::vector<HotInstruction> hottest(std::vector<HotInstruction> all, std::size_t count) {
  std::ranges::stable_sort(all, std::ranges::greater{}, &HotInstruction::warp_cycles);
  all.resize(std::min(all.size(), count));
  return all;
}

std::vector<SourceLine> source_lines(const std::vector<HotInstruction>& all) {
  std::map<std::pair<std::string, std::uint32_t>, SourceLine> lines;
  for (const HotInstruction& i : all) {
    SourceLine& line = lines[{i.file, i.line}];
    line.file = i.file;
    line.line = i.line;
    line.issued += i.issued;
    for (const auto& [reason, cycles] : i.stalls) {
      line.stalls[reason] += cycles;
    }
  }
  std::vector<SourceLine> out;
  for (auto& [place, line] : lines) {
    out.push_back(std::move(line));
  }
  return out;
}

std::uint64_t total_cycles(const std::vector<HotInstruction>& all) {
  std::uint64_t sum = 0;
  for (const HotInstruction& i : all) {
    sum += i.warp_cycles();
  }
  return sum;
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string place(const HotInstruction& i) {
  return i.file.empty() ? std::string("?")
                        : fmt::format("{}:{}", i.file.substr(i.file.find_last_of('/') + 1), i.line);
}

/// "waiting for global memory 81 %" of the instruction's own warp-cycles.
std::string top_text(const HotInstruction& i) {
  const std::string reason = i.top_reason();
  if (reason.empty()) {
    return "none";
  }
  return fmt::format("{} {:.0f} %", stall_words(reason),
                     100.0 * share(i.stalls.at(reason), i.warp_cycles()));
}

/// Lines of source files, each file read when a line of it is first asked for.
class SourceText {
public:
  /// Without indentation; empty if the file cannot be read: it may have been compiled elsewhere.
  std::string line(const std::string& file, std::uint32_t number) {
    const auto [entry, added] = files_.try_emplace(file);
    if (added) {
      entry->second = read(file);
    }
    const auto& lines = entry->second;
    return number >= 1 && number <= lines.size() ? lines[number - 1] : std::string();
  }

private:
  static std::vector<std::string> read(const std::string& file) {
    std::vector<std::string> lines;
    try {
      std::istringstream text(read_file(file));
      for (std::string line; std::getline(text, line);) {
        line.erase(0, std::min(line.find_first_not_of(" \t"), line.size()));
        line.erase(line.find_last_not_of(" \t\r") + 1);
        lines.push_back(std::move(line));
      }
    } catch (const Error&) {
      lines.clear();
    }
    return lines;
  }

  std::map<std::string, std::vector<std::string>> files_;
};

Json counts_json(const HotInstruction& i, std::uint64_t total) {
  Json j;
  j["file"] = i.file.empty() ? Json(nullptr) : Json(i.file);
  j["line"] = i.file.empty() ? Json(nullptr) : Json(i.line);
  j["issued"] = i.issued;
  j["warp_cycles"] = i.warp_cycles();
  j["share"] = share(i.warp_cycles(), total);
  const std::string top = i.top_reason();
  j["top_reason"] = top.empty() ? Json(nullptr) : Json(top);
  j["stalls"] = i.stalls;
  return j;
}

} // namespace

std::string hot_report_text(const std::vector<HotInstruction>& instructions, std::size_t count) {
  if (instructions.empty()) {
    return {};
  }
  const std::uint64_t total = total_cycles(instructions);
  std::string text = fmt::format("\n  hot instructions ({} of {} executed; share of {} warp-cycles "
                                 "of the simulated CTAs)\n",
                                 std::min(count, instructions.size()),
                                 with_thousands(instructions.size()), with_thousands(total));
  text += fmt::format("    {:>7} {:>12}  {:<36} {:<7} {:<44} {}\n", "share", "issued",
                      "top stall, of its own cycles", "pc", "instruction", "source");
  for (const HotInstruction& i : hottest(instructions, count)) {
    text += fmt::format("    {:>5.1f} % {:>12}  {:<36} {:#06x} {:<44} {}\n",
                        100.0 * share(i.warp_cycles(), total), with_thousands(i.issued),
                        top_text(i), i.pc, i.sass, place(i));
  }
  const std::vector<SourceLine> lines = source_lines(instructions);
  text += fmt::format("\n  hot source lines ({} of {})\n", std::min(count, lines.size()),
                      with_thousands(lines.size()));
  SourceText source;
  for (const SourceLine& l : hottest(lines, count)) {
    std::string row = fmt::format("    {:>5.1f} % {:>12}  {:<36} {:<24} {}",
                                  100.0 * share(l.warp_cycles(), total), with_thousands(l.issued),
                                  top_text(l), place(l), source.line(l.file, l.line));
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + '\n';
  }
  return text;
}

void add_hot_json(Json& object,
                  const std::vector<HotInstruction>& instructions,
                  std::size_t count) {
  const std::uint64_t total = total_cycles(instructions);
  object["hot"] = Json::array();
  for (const HotInstruction& i : hottest(instructions, count)) {
    Json j;
    j["pc"] = i.pc;
    j["sass"] = i.sass;
    j.update(counts_json(i, total));
    object["hot"].push_back(std::move(j));
  }
  object["hot_lines"] = Json::array();
  for (const SourceLine& l : hottest(source_lines(instructions), count)) {
    object["hot_lines"].push_back(counts_json(l, total));
  }
}

} // namespace coulomb::cli
