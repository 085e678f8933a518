// SPDX-License-Identifier: Apache-2.0
// Waveforms: `run --vcd`.
#include "base/config/config_json.hpp"
#include "base/config/gpu_catalogue.hpp"
#include "base/eval/simulation.hpp"
#include "base/frame.hpp"
#include "base/subprocess.hpp"
#include "base/text.hpp"
#include "tests/e2e/cli/specs.hpp"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

namespace coulomb::e2e {
namespace {

using testing::HasSubstr;
using testing::IsSupersetOf;
using Json = nlohmann::json;
using Strings = std::vector<std::string>;

/// A value change dump, read back.
struct Waveform {
  std::map<std::string, int> widths;         ///< "sm_0.sub_core_0.pc": bits
  std::map<std::string, std::size_t> number; ///< index in Step::values
  struct Step {
    std::uint64_t time = 0; ///< units of the timescale
    std::vector<std::uint64_t> values;
  };
  std::vector<Step> steps; ///< from the first change on
  std::uint64_t end = 0;   ///< last time stamp
  std::string timescale;
  std::string comments;

  [[nodiscard]] std::uint64_t value(const Step& step, const std::string& name) const {
    return step.values.at(number.at(name));
  }
};

Waveform read_waveform(const std::string& text) {
  Waveform w;
  std::map<std::string, std::size_t> number; // by identifier
  Strings scopes;
  std::vector<std::uint64_t> values;
  std::istringstream in(text);
  for (std::string word; in >> word;) {
    if (word == "$scope") {
      in >> word >> word;
      scopes.push_back(word);
    } else if (word == "$upscope") {
      scopes.pop_back();
    } else if (word == "$var") {
      int width = 0;
      std::string id;
      std::string name;
      in >> word >> width >> id >> name;
      for (std::size_t i = scopes.size(); i > 1; --i) { // the first one is SystemC's
        name.insert(0, scopes[i - 1] + ".");
      }
      w.widths[name] = width;
      number[id] = w.number[name] = values.size();
      values.push_back(0);
    } else if (word == "$timescale" || word == "$comment") {
      std::string& into = word == "$comment" ? w.comments : w.timescale;
      while (in >> word && word != "$end") {
        into += word + " ";
      }
    } else if (word[0] == '#') {
      if (w.end != 0) {
        w.steps.push_back({w.end, values});
      }
      w.end = std::stoull(word.substr(1));
    } else if (word[0] == 'b') {
      std::string id;
      in >> id;
      values[number.at(id)] = std::stoull(word.substr(1), nullptr, 2);
    } else if ((word[0] == '0' || word[0] == '1') && number.contains(word.substr(1))) {
      values[number.at(word.substr(1))] = static_cast<std::uint64_t>(word[0] - '0');
    }
  }
  return w;
}

// Stored cubins: these tests run without a compiler, too.
const Strings kRun = {"run", "saxpy", "--gpu", kGpu, "--json"};

Strings with(Strings args, const Strings& more) {
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

/// A run as JSON, without what depends on the host and on what was recorded.
Json numbers(Json j) {
  for (const char* name : {"host", "hot", "hot_lines", "vcd"}) {
    j.erase(name);
  }
  return j;
}

TEST(Vcd, ShowsEveryIssueAndEverySectorOfTheRun) {
  const Workplace workplace;
  const Json plain = run(workplace, kRun).json();
  const Json j =
      run(workplace, with(kRun, {"--vcd", "s.vcd", "--hot", "1000", "--vcd-cycles", "0:10000000"}))
          .json();
  EXPECT_EQ(numbers(j), numbers(plain)) << "tracing changes a number of the run";
  const std::string text = read(workplace, "s.vcd");
  const Waveform w = read_waveform(text);
  EXPECT_EQ(j["vcd"]["file"], std::filesystem::absolute(workplace.path("s.vcd")).string());
  EXPECT_EQ(j["vcd"]["bytes"], text.size());
  EXPECT_EQ(j["vcd"]["signals"], w.widths.size());
  EXPECT_EQ(j["vcd"]["full"], false);

  std::uint64_t issues = 0;
  std::map<std::uint64_t, std::uint64_t> by_pc;
  std::map<std::string, std::uint64_t> sums;
  for (const Waveform::Step& step : w.steps) {
    for (int s = 0; s < 4; ++s) {
      const std::string core = "sm_0.sub_core_" + std::to_string(s);
      const bool issue = w.value(step, core + ".issue") != 0;
      EXPECT_EQ(issue, w.value(step, core + ".stall") == 0) << "at " << step.time;
      EXPECT_TRUE(!issue || w.value(step, core + ".warp_slot") % 4 == std::uint64_t(s));
      issues += issue ? 1 : 0;
      by_pc[w.value(step, core + ".pc")] += issue ? 1 : 0;
    }
    for (const char* name : {"l2_slice_0.hit_sectors", "l2_slice_0.miss_sectors",
                             "dram_0.row_opens", "dram_0.row_hits"}) {
      sums[name] += w.value(step, name);
    }
  }
  EXPECT_EQ(j["host"]["warp_insts"], issues);
  for (const Json& hot : j["hot"]) {
    EXPECT_EQ(hot["issued"], by_pc[hot["pc"].get<std::uint64_t>()]) << hot["sass"];
  }
  const double scale =
      j["fidelity"]["ctas_total"].get<double>() / j["fidelity"]["ctas_simulated"].get<double>();
  const auto counted = [&](const char* name) { return j["counters"][name].get<double>() / scale; };
  EXPECT_EQ(sums["l2_slice_0.miss_sectors"], counted("lts__t_sectors_op_read_lookup_miss.sum"));
  EXPECT_EQ(sums["l2_slice_0.hit_sectors"], counted("lts__t_sectors_op_read_lookup_hit.sum"));
  EXPECT_EQ(sums["dram_0.row_opens"], counted("model__dram_row_misses.sum"));
  EXPECT_EQ(sums["dram_0.row_hits"], counted("model__dram_row_hits.sum"));
}

TEST(Vcd, HasAHierarchyATimescaleAndTheCyclesAskedFor) {
  const Workplace workplace;
  const Json j =
      run(workplace, with(kRun, {"--sms", "2", "--vcd", "w.vcd", "--vcd-cycles", "1500:1599"}))
          .json();
  const Waveform w = read_waveform(read(workplace, "w.vcd"));
  Strings names;
  for (const auto& [name, width] : w.widths) {
    names.push_back(name);
  }
  EXPECT_THAT(names, IsSupersetOf(Strings{"clock.cycle", "sm_0.active_warps", "sm_0.l1_miss_lines",
                                          "sm_1.sub_core_3.pc", "sm_1.sub_core_3.warp_slot",
                                          "sm_1.sub_core_3.pipe", "sm_1.sub_core_3.lsu_queue",
                                          "l2_slice_0.queue", "dram_0.read_queue", "dram_0.bus"}));
  EXPECT_EQ(w.widths.at("sm_0.sub_core_0.issue"), 1);
  EXPECT_EQ(w.timescale, "1 ps ");
  EXPECT_THAT(w.comments, HasSubstr("stall: 0 selected, 1 wait, 2 long_scoreboard"));
  EXPECT_THAT(w.comments, HasSubstr("pipe: 0 none, 1 fma, "));
  ASSERT_EQ(w.steps.size(), 100U);
  for (std::size_t i = 0; i < w.steps.size(); ++i) {
    EXPECT_EQ(w.value(w.steps[i], "clock.cycle"), 1500 + i);
    EXPECT_EQ(w.steps[i].time, (1500 + i) * 709) << "1410 MHz, whole picoseconds";
  }
  EXPECT_EQ(w.end, 1600U * 709);
  EXPECT_EQ(j["vcd"]["first_cycle"], 1500);
  EXPECT_EQ(j["vcd"]["end_cycle"], 1600);
}

TEST(Vcd, EndsAtItsSizeAndSaysSo) {
  const Workplace workplace;
  Strings args = with(kRun, {"--vcd", "w.vcd", "--vcd-mb", "1", "--vcd-cycles", "0:1000000"});
  std::erase(args, "--json");
  const Result result = run(workplace, args);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              testing::ContainsRegex("\nwaveform   .*/w.vcd   cycles 0 to [0-9,]+ .then "
                                     "it was full: --vcd-mb., 47 signals, 1,0[0-9,]+ "
                                     "bytes; open it with gtkwave\n"));
  EXPECT_LT(read(workplace, "w.vcd").size(), 1'100'000U);
}

TEST(Vcd, RefusesWhatItCannotWrite) {
  const Workplace workplace;
  const auto message = [&](const Strings& args) {
    return error_of(run(workplace, with(kRun, args)), "input")["message"].get<std::string>();
  };
  EXPECT_EQ(message({"--vcd", "w.vcd", "--functional"}),
            "run: --vcd and --functional exclude each other");
  EXPECT_EQ(message({"--vcd-cycles", "0:10"}), "run: --vcd-cycles goes with --vcd");
  EXPECT_EQ(message({"--vcd", "w.txt"}), "run: --vcd \"w.txt\": the file's name must end in .vcd");
  EXPECT_EQ(message({"--vcd", "none/w.vcd"}),
            "run: --vcd \"none/w.vcd\" cannot be written: No such file or directory");
  std::filesystem::create_directory(workplace.path("d.vcd"));
  EXPECT_EQ(message({"--vcd", "d.vcd"}), "run: --vcd \"d.vcd\" cannot be written: Is a directory");
  for (const char* range : {"5", "5:", ":5", "9:5", "a:b", "0:5:6", "-1:5", "0:1000000000001"}) {
    EXPECT_EQ(message({"--vcd", "w.vcd", std::string("--vcd-cycles=") + range}),
              std::string("run: --vcd-cycles is \"") + range +
                  "\"; allowed: FROM:TO, two whole numbers up to 1000000000000, FROM not above TO");
  }
  EXPECT_EQ(message({"--vcd", "w.vcd", "--vcd-mb", "0"}),
            "run: --vcd-mb is 0; allowed: 1 to 100000 MB");
  EXPECT_FALSE(std::filesystem::exists(workplace.path("w.vcd"))) << "nothing was run";
}

TEST(Vcd, OfAKernelThatFaultsIsWhole) {
  const Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  write_kernel(workplace, "suspect", "  y[i + 1000000000LL] = alpha;");
  const Json j =
      run(workplace, {"run", "suspect.json", "--gpu", kGpu, "--json", "--vcd", "w.vcd"}).json();
  EXPECT_EQ(j["status"], "crashed");
  const Waveform w = read_waveform(read(workplace, "w.vcd"));
  ASSERT_GT(w.steps.size(), 100U);
  EXPECT_EQ(w.value(w.steps.back(), "clock.cycle"), w.steps.size());
}

/// Requests that one worker process answers in turn; SystemC cannot trace a second simulation.
TEST(Vcd, AWorkerServesTracedAndUntracedSimulationsInTurn) {
  const Workplace workplace;
  const config::GpuConfig gpu = config::load_gpu(kGpu).config;
  eval::SimRequest request;
  request.cubin_path = home_dir() + "/data/cubins/saxpy-sm_80-0.cubin";
  request.gpu_json = config::to_json_text(gpu);
  request.launch.grid = {64, 1, 1};
  request.launch.block = {256, 1, 1};
  const auto scalar = [](const char* name, kernel::ElementType type, double value) {
    kernel::Argument a;
    a.name = name;
    a.type = type;
    a.vector = false;
    a.fill.kind = kernel::FillKind::constant;
    a.fill.value = value;
    return a;
  };
  kernel::Argument x;
  x.name = "x";
  x.count = 65'536;
  kernel::Argument y = x;
  y.name = "y";
  y.writable = true;
  request.launch.arguments = {scalar("count", kernel::ElementType::i32, 65'536),
                              scalar("alpha", kernel::ElementType::f32, 2.0), x, y};
  const Child worker = Child::spawn(std::string(COULOMB_BINARY_DIR) + "/coulomb-sim-worker");
  const auto simulate = [&](const std::string& vcd) {
    request.id += 1;
    request.profile.vcd = {vcd.empty() ? vcd : workplace.path(vcd), 0, 100'000, 100'000'000};
    write_frame(worker.fd(), eval::to_json_text(request));
    const auto answer = read_frame(worker.fd());
    EXPECT_TRUE(answer.has_value()) << "the worker died";
    return answer ? eval::sim_outcome_from_json(*answer) : eval::SimOutcome{};
  };
  const eval::SimOutcome first = simulate("");
  EXPECT_EQ(first.status, eval::EvalStatus::ok) << first.message;
  EXPECT_EQ(first.vcd, eval::VcdOutcome{});
  for (const char* name : {"a.vcd", "b.vcd"}) {
    const eval::SimOutcome traced = simulate(name);
    EXPECT_EQ(traced.counters, first.counters);
    EXPECT_EQ(traced.stalls, first.stalls);
    EXPECT_EQ(traced.vcd.signals, 47U);
    EXPECT_EQ(traced.vcd.bytes, read(workplace, name).size());
  }
  const auto from_date = [&](const char* name) { // the header says when it was written
    const std::string text = read(workplace, name);
    return text.substr(text.find("$version"));
  };
  EXPECT_EQ(from_date("a.vcd"), from_date("b.vcd"));
  const eval::SimOutcome last = simulate("");
  EXPECT_EQ(last.counters, first.counters);
  EXPECT_EQ(last.vcd, eval::VcdOutcome{});
  EXPECT_EQ(simulate("").counters, first.counters);
}

} // namespace
} // namespace coulomb::e2e
