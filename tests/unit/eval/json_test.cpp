// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "base/eval/compilation.hpp"
#include "base/eval/simulation.hpp"

#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace coulomb::eval {
namespace {

constexpr std::uint64_t kBig = 18446744073709551615ULL; // does not fit a double

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const UserError& e) {
    return e.what();
  }
  return "no error";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto position = text.find(from);
  EXPECT_NE(position, std::string::npos) << from << " is not in " << text;
  return text.replace(position, from.size(), to);
}

SimRequest full_sim_request() {
  SimRequest r;
  r.id = kBig;
  r.cubin_path = "/cache/ab/abc.cubin";
  r.kernel_name = "convolution_kernel";
  r.launch.grid = {128, 64, 2};
  r.launch.block = {32, 4, 1};
  r.launch.dynamic_shared_bytes = 49152;
  kernel::Argument image;
  image.name = "input_image";
  image.type = kernel::ElementType::f32;
  image.count = 4097ULL * 4097ULL;
  image.fill = {kernel::FillKind::expression, -0.1, kBig, "a \"quoted\"\npath", "i % 3"};
  kernel::Argument filter = image;
  filter.name = "filter";
  filter.type = kernel::ElementType::u8;
  filter.fill = {kernel::FillKind::uniform, 1e-300, 3, "", ""};
  filter.vector = false;
  filter.output = true;
  filter.writable = true;
  filter.constant_symbol = "d_filter";
  filter.passed = false;
  r.launch.arguments = {image, filter};
  r.gpu_json = R"({"name":"rtx-a4000"})";
  r.oracle = "convolution";
  r.oracle_parameters = R"({"filter_width":17})";
  r.expected = {{"input_image", "/r/a.npy", 1e-3, true, "a.npy"},
                {"filter", "/r/b.npy", -1.0, false, ""}};
  r.outputs = {{"input_image", "/o/a.npy", {4097, 4097}}, {"filter", "/o/b.npy", {}}};
  r.checks = {"memory", "race"};
  r.fidelity = {"chip", 48, 7, kBig};
  r.profile = {true, 150'000, {"/o/run.vcd", 10, kBig, 30}};
  r.cycle_limit = 12345678901ULL;
  r.seed = 42;
  return r;
}

TEST(CompileRequestJson, RoundTripsEveryField) {
  const CompileRequest r{kBig, "/k/saxpy.cu", "saxpy", "sm_86", {"-DA=1", "-DB=\"x y\""}, "/cache"};
  const CompileRequest back = compile_request_from_json(to_json_text(r));
  EXPECT_EQ(back.id, kBig);
  EXPECT_EQ(back.source_path, r.source_path);
  EXPECT_EQ(back.kernel_name, r.kernel_name);
  EXPECT_EQ(back.architecture, r.architecture);
  EXPECT_EQ(back.options, r.options);
  EXPECT_EQ(back.cache_dir, r.cache_dir);
}

TEST(CompileRequestJson, IsOneLine) {
  CompileRequest r;
  r.source_path = "a\nb";
  EXPECT_EQ(to_json_text(r).find('\n'), std::string::npos);
}

TEST(CompileOutcomeJson, RoundTripsEveryField) {
  CompileOutcome o;
  o.id = 7;
  o.status = EvalStatus::compile_failed;
  o.message = "saxpy.cu(3): error: identifier \"y\" is undefined";
  o.log = "line 1\nline 2 \xC3\xA9\n";
  o.cubin_path = "/cache/ab/abcd.cubin";
  o.cubin_hash = "0123456789abcdef0123456789abcdef";
  o.cache_hit = true;
  o.compile_s = 0.1;
  const CompileOutcome back = compile_outcome_from_json(to_json_text(o));
  EXPECT_EQ(back.id, 7U);
  EXPECT_EQ(back.status, EvalStatus::compile_failed);
  EXPECT_EQ(back.message, o.message);
  EXPECT_EQ(back.log, o.log);
  EXPECT_EQ(back.cubin_path, o.cubin_path);
  EXPECT_EQ(back.cubin_hash, o.cubin_hash);
  EXPECT_TRUE(back.cache_hit);
  EXPECT_EQ(back.compile_s, 0.1);
}

TEST(CompileOutcomeJson, RoundTripsAndThrowsTheErrorItCarries) {
  CompileOutcome o;
  EXPECT_NO_THROW(throw_if_error(o));
  o.entry_name = "_Z5saxpyi";
  o.message = "cannot load NVRTC";
  o.error_kind = "environment";
  o.error_hint = "run scripts/setup";
  const CompileOutcome back = compile_outcome_from_json(to_json_text(o));
  EXPECT_EQ(back.entry_name, "_Z5saxpyi");
  try {
    throw_if_error(back);
    FAIL() << "no error";
  } catch (const EnvironmentError& e) {
    EXPECT_STREQ(e.what(), "cannot load NVRTC");
    EXPECT_EQ(e.hint(), "run scripts/setup");
  }
  o.error_kind = "input";
  EXPECT_THROW(throw_if_error(o), UserError);
  o.error_kind = "internal";
  EXPECT_THROW(throw_if_error(o), InternalError);
}

TEST(CompileRequestOfASpec, PutsCompilerOptionsBeforeOneMacroForEachParameter) {
  kernel::TunableSpec spec;
  spec.source_path = "/k/convolution.cu";
  spec.kernel_name = "convolution_kernel";
  spec.compiler_options = {"-std=c++17"};
  const kernel::Configuration c({{"block_size_x", std::int64_t{32}}, {"use_padding", true}});
  const CompileRequest r = compile_request(spec, c, "sm_80");
  EXPECT_EQ(r.source_path, "/k/convolution.cu");
  EXPECT_EQ(r.kernel_name, "convolution_kernel");
  EXPECT_EQ(r.architecture, "sm_80");
  EXPECT_THAT(r.options,
              testing::ElementsAre("-std=c++17", "-Dblock_size_x=32", "-Duse_padding=1"));
  EXPECT_EQ(r.cache_dir, "");
}

TEST(CompileOutcomeJson, ReplacesBytesThatAreNotUtf8) {
  CompileOutcome o;
  o.log = "bad \xff byte";
  EXPECT_EQ(compile_outcome_from_json(to_json_text(o)).log, "bad \xEF\xBF\xBD byte");
}

TEST(SimRequestJson, RoundTripsEveryField) {
  const SimRequest r = full_sim_request();
  const SimRequest back = sim_request_from_json(to_json_text(r));
  EXPECT_EQ(back.id, r.id);
  EXPECT_EQ(back.cubin_path, r.cubin_path);
  EXPECT_EQ(back.kernel_name, r.kernel_name);
  EXPECT_EQ(back.launch.grid, r.launch.grid);
  EXPECT_EQ(back.launch.block, r.launch.block);
  EXPECT_EQ(back.launch.dynamic_shared_bytes, 49152U);
  EXPECT_EQ(back.launch.arguments, r.launch.arguments);
  EXPECT_EQ(back.gpu_json, r.gpu_json);
  EXPECT_EQ(back.oracle, r.oracle);
  EXPECT_EQ(back.oracle_parameters, r.oracle_parameters);
  EXPECT_EQ(back.expected, r.expected);
  EXPECT_EQ(back.outputs, r.outputs);
  EXPECT_EQ(back.checks, r.checks);
  EXPECT_EQ(back.fidelity, r.fidelity);
  EXPECT_EQ(back.profile, r.profile);
  EXPECT_EQ(back.cycle_limit, r.cycle_limit);
  EXPECT_EQ(back.seed, r.seed);
}

TEST(SimRequestJson, RoundTripsEveryFillKindAndElementType) {
  for (int kind = 0; kind < kernel::kFillKindCount; ++kind) {
    for (int type = 0; type < kernel::kElementTypeCount; ++type) {
      SimRequest r;
      r.launch.arguments.resize(1);
      r.launch.arguments[0].type = static_cast<kernel::ElementType>(type);
      r.launch.arguments[0].fill.kind = static_cast<kernel::FillKind>(kind);
      EXPECT_EQ(sim_request_from_json(to_json_text(r)).launch.arguments, r.launch.arguments);
    }
  }
}

TEST(SimRequestJson, WritesTheSameTextAfterARoundTrip) {
  const std::string text = to_json_text(full_sim_request());
  EXPECT_EQ(to_json_text(sim_request_from_json(text)), text);
}

TEST(SimRequestJson, NamesTheFieldThatIsWrong) {
  const std::string text = to_json_text(full_sim_request());
  EXPECT_EQ(message_of([&] {
              (void)sim_request_from_json(replaced(text, R"("seed":42)", R"("seed":-1)"));
            }),
            "simulation request: field \"seed\" must be a whole number of 0 or more, found -1");
  EXPECT_EQ(
      message_of([&] { (void)sim_request_from_json(replaced(text, "[128,64,2]", "[128,64]")); }),
      "simulation request: launch: field \"grid\" must be three whole numbers [x, y, z], "
      "found [128,64]");
  EXPECT_EQ(message_of([&] { (void)sim_request_from_json(replaced(text, R"(,"sms":48)", "")); }),
            "simulation request: fidelity: field \"sms\" is missing");
  EXPECT_EQ(message_of([&] {
              (void)sim_request_from_json(replaced(text, R"("sms":48)", R"("sms":4294967296)"));
            }),
            "simulation request: fidelity: field \"sms\" must be at most 4294967295, found "
            "4294967296");
  EXPECT_EQ(message_of([&] {
              (void)sim_request_from_json(replaced(text, R"("uniform")", R"("unifrom")"));
            }),
            "unknown fill kind \"unifrom\" (did you mean \"uniform\"?)");
}

TEST(SimRequestJson, RefusesTextThatIsNotAnObject) {
  EXPECT_EQ(message_of([] { (void)sim_request_from_json("{\"id\":"); }),
            "simulation request: malformed JSON at byte 7");
  EXPECT_EQ(message_of([] { (void)sim_request_from_json("[1]"); }),
            "simulation request: found [1], not a JSON object");
}

SimOutcome full_sim_outcome() {
  SimOutcome o;
  o.id = 3;
  o.status = EvalStatus::ok;
  o.message = "m";
  o.registers = 40;
  o.static_shared_bytes = 1;
  o.dynamic_shared_bytes = 2;
  o.spill_bytes = 3;
  o.occupancy = {4, 16, "shared memory"};
  o.cycles = 123456.75;
  o.time_ms = 1.0 / 3.0;
  o.launch_overhead_ms = 0.0023;
  o.ipc = 2.0;
  o.counters = {{"sm__inst_executed.sum", 1e18}, {"lts__t_sectors.sum", 5e-324}};
  o.stalls = {{"barrier", 0.1}, {"long_scoreboard", 0.9}};
  o.code_mix = {{"fp32", 16.0}, {"nop", 0.0}};
  o.output_check = {true, false, 0.25, kBig, "a.npy", "output_image[17]: expected 0.25, found 0.5"};
  o.printed = "i = 3\nline two";
  o.findings = {{"race",
                 "write after write",
                 "k",
                 "my.cu",
                 12,
                 0x120,
                 {1, 2, 3},
                 {33, 0, 0},
                 "shared",
                 kBig,
                 "tile",
                 7},
                Finding{}};
  o.hot = {{0x120, "FADD R0, R1, R2", "/s/my.cu", 12, 1000, {{"wait", 4000}, {"selected", 1000}}},
           {0x130, "EXIT", "", 0, 8, {{"selected", 8}}}};
  o.vcd = {5, kBig, 47, kBig, true};
  o.timeline = {1,
                64,
                16,
                3,
                4,
                {"selected", "wait"},
                {{1, 20, 5, 1}, {20, 21, 5, 0}},
                {{kBig, 1, 21, 5, 2}},
                {{0, 64, 1, 10, 320, 640, 96}}};
  o.rung = "sampled";
  o.sms = 2;
  o.ctas_simulated = 5;
  o.ctas_total = 6;
  o.wall_s = 1.5;
  o.warp_insts = 7;
  o.peak_rss_bytes = kBig;
  return o;
}

TEST(SimOutcomeJson, RoundTripsEveryField) {
  const SimOutcome o = full_sim_outcome();
  const SimOutcome back = sim_outcome_from_json(to_json_text(o));
  EXPECT_EQ(to_json_text(back), to_json_text(o));
  EXPECT_EQ(back.status, EvalStatus::ok);
  EXPECT_EQ(back.registers, 40U);
  EXPECT_EQ(back.static_shared_bytes, 1U);
  EXPECT_EQ(back.dynamic_shared_bytes, 2U);
  EXPECT_EQ(back.spill_bytes, 3U);
  EXPECT_EQ(back.occupancy.limiter, "shared memory");
  EXPECT_EQ(back.time_ms, o.time_ms);
  EXPECT_EQ(back.launch_overhead_ms, o.launch_overhead_ms);
  EXPECT_EQ(back.counters, o.counters);
  EXPECT_EQ(back.stalls, o.stalls);
  EXPECT_EQ(back.code_mix, o.code_mix);
  EXPECT_EQ(back.output_check.compared, kBig);
  EXPECT_EQ(back.output_check.reference, "a.npy");
  EXPECT_EQ(back.output_check.first_difference, o.output_check.first_difference);
  EXPECT_EQ(back.printed, o.printed);
  EXPECT_EQ(back.findings, o.findings);
  EXPECT_EQ(back.hot, o.hot);
  EXPECT_EQ(back.timeline, o.timeline);
  EXPECT_EQ(back.vcd, o.vcd);
  EXPECT_EQ(back.peak_rss_bytes, kBig);
}

TEST(SimOutcomeJson, KeepsNanAndInfinity) {
  SimOutcome o;
  o.cycles = std::numeric_limits<double>::quiet_NaN();
  o.time_ms = std::numeric_limits<double>::infinity();
  o.ipc = -0.0;
  o.counters["x"] = -std::numeric_limits<double>::infinity();
  const SimOutcome back = sim_outcome_from_json(to_json_text(o));
  EXPECT_TRUE(std::isnan(back.cycles));
  EXPECT_EQ(back.time_ms, o.time_ms);
  EXPECT_TRUE(std::signbit(back.ipc));
  EXPECT_EQ(back.counters, o.counters);
}

TEST(SimOutcomeJson, NamesTheFindingThatIsWrong) {
  const std::string text = replaced(to_json_text(full_sim_outcome()), R"("pc":288)", R"("pc":"x")");
  EXPECT_EQ(message_of([&] { (void)sim_outcome_from_json(text); }),
            "findings 0: field \"pc\" must be a whole number of 0 or more, found \"x\"");
}

TEST(FindingText, SaysWhatWhereAndHowOften) {
  Finding f = full_sim_outcome().findings.front();
  f.address = 0x40;
  EXPECT_EQ(finding_text(f), "race  kernel k  my.cu:12  pc 0x0120  CTA (1,2,3) thread (33,0,0)  "
                             "shared address 0x40 in tile: write after write (7 times)");
  f.file.clear();
  f.space.clear();
  f.allocation.clear();
  f.occurrences = 1;
  EXPECT_EQ(finding_text(f),
            "race  kernel k  pc 0x0120  CTA (1,2,3) thread (33,0,0): write after write");
}

TEST(Checks, AreReadInOneOrder) {
  EXPECT_THAT(parse_checks("nan,memory"), testing::ElementsAre("memory", "nan"));
  EXPECT_THAT(parse_checks("all"), testing::ElementsAre("memory", "race", "sync", "init", "nan"));
  EXPECT_EQ(message_of([] { (void)parse_checks("memory,rase"); }),
            "unknown check \"rase\" (did you mean \"race\"?); allowed: memory, race, sync, init, "
            "nan, all");
}

TEST(SimOutcomeJson, NamesAnUnknownStatus) {
  const std::string text = replaced(to_json_text(full_sim_outcome()), R"("ok")", R"("okk")");
  EXPECT_EQ(message_of([&] { (void)sim_outcome_from_json(text); }),
            "unknown status \"okk\" (did you mean \"ok\"?)");
}

} // namespace
} // namespace coulomb::eval
