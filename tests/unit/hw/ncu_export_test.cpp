// SPDX-License-Identifier: Apache-2.0
#include "hw/ncu/ncu_export.hpp"

#include "base/error.hpp"
#include "hw/ncu/ncu_values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::hw {
namespace {

using ::testing::HasSubstr;

std::string error_of(const std::string& text) {
  try {
    (void)parse_ncu_export(text, "export.csv");
  } catch (const UserError& e) {
    return e.what();
  }
  return "no error";
}

constexpr const char* kLong = R"csv(hello from the program, 1,2
==PROF== Connected to process 4711 (/home/u/saxpy)
==PROF== Profiling "saxpy" - 0: 0%....50%....100% - 3 passes
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit","Metric Value"
"0","4711","saxpy","127.0.0.1","saxpy(int, float, float *, float *)","1","7","(256, 1, 1)","(4,096, 1, 1)","0","8.0","Command line profiler metrics","dram__bytes_read.sum","Mbyte","8.39"
==PROF== Disconnected from process 4711
"0","4711","saxpy","127.0.0.1","saxpy(int, float, float *, float *)","1","7","(256, 1, 1)","(4096, 1, 1)","0","8.0","Command line profiler metrics","gpu__time_duration.sum","usecond","12.35"
"0","4711","saxpy","127.0.0.1","saxpy(int, float, float *, float *)","1","7","(256, 1, 1)","(4096, 1, 1)","0","8.0","Command line profiler metrics","smsp__inst_executed.sum","inst","1,234,567"
"1","4711","saxpy","127.0.0.1","void ""scale""<float>(float *)","1","7","(32, 4, 1)","(10, 20, 2)","0","8.0","Command line profiler metrics","smsp__inst_executed.sum","inst","42"
"1","4711","saxpy","127.0.0.1","void ""scale""<float>(float *)","1","7","(32, 4, 1)","(10, 20, 2)","0","8.0","","","","","more advice"
)csv";

std::string long_export() {
  std::string text = kLong;
  text.replace(text.find("(4,096"), 6, "(4096");
  text.replace(text.find(",\"more advice\""), 14, "");
  return text;
}

TEST(NcuExport, ReadsOneRowAMetricInBaseUnits) {
  const std::vector<NcuKernel> kernels = parse_ncu_export(long_export(), "export.csv");
  ASSERT_EQ(kernels.size(), 2U);
  const NcuKernel& saxpy = kernels[0];
  EXPECT_EQ(saxpy.id, 0U);
  EXPECT_EQ(saxpy.name, "saxpy(int, float, float *, float *)");
  EXPECT_EQ(saxpy.grid, (std::array<std::uint32_t, 3>{4096, 1, 1}));
  EXPECT_EQ(saxpy.block, (std::array<std::uint32_t, 3>{256, 1, 1}));
  EXPECT_EQ(saxpy.device, "0");
  EXPECT_EQ(saxpy.compute_capability, "8.0");
  EXPECT_EQ(saxpy.line, 5U);
  EXPECT_DOUBLE_EQ(saxpy.metrics.at("dram__bytes_read.sum"), 8.39e6);
  EXPECT_EQ(saxpy.units.at("dram__bytes_read.sum"), "byte");
  EXPECT_DOUBLE_EQ(saxpy.metrics.at("gpu__time_duration.sum"), 12350.0);
  EXPECT_EQ(saxpy.units.at("gpu__time_duration.sum"), "ns");
  EXPECT_EQ(saxpy.metrics.at("smsp__inst_executed.sum"), 1234567.0);
  EXPECT_EQ(kernels[1].name, "void \"scale\"<float>(float *)");
  EXPECT_EQ(kernels[1].grid, (std::array<std::uint32_t, 3>{10, 20, 2}));
  EXPECT_EQ(kernels[1].metrics.size(), 1U);
}

constexpr const char* kRaw =
    R"csv("ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","dram__bytes_read.sum.per_second","gpc__cycles_elapsed.avg.per_second","gpu__time_duration.sum","launch__func_cache_config","launch__occupancy_limit_registers","sm__warps_active.avg.pct_of_peak_sustained_active"
"","","","","","","","","","","","Gbyte/second","cycle/nsecond","msecond","","block","%"
"0","4711","app","127.0.0.1","gemm","1","7","(128, 1, 1)","(8, 8, 1)","0","8.6","612.5","1.41","1,234.5","CachePreferNone","8","93.21"
"0","4712","app","127.0.0.1","gemm","1","7","(128, 1, 1)","(8, 8, 1)","0","8.6","600","1.41","2","n/a","8",""
)csv";

TEST(NcuExport, ReadsARawPageWithItsRowOfUnits) {
  const std::vector<NcuKernel> kernels = parse_ncu_export(kRaw, "raw.csv");
  ASSERT_EQ(kernels.size(), 2U) << "rows of two processes with the same id are two launches";
  const NcuKernel& gemm = kernels[0];
  EXPECT_DOUBLE_EQ(gemm.metrics.at("dram__bytes_read.sum.per_second"), 612.5e9);
  EXPECT_EQ(gemm.units.at("dram__bytes_read.sum.per_second"), "byte/second");
  EXPECT_DOUBLE_EQ(gemm.metrics.at("gpc__cycles_elapsed.avg.per_second"), 1.41e9);
  EXPECT_DOUBLE_EQ(gemm.metrics.at("gpu__time_duration.sum"), 1234.5e6);
  EXPECT_EQ(gemm.metrics.at("sm__warps_active.avg.pct_of_peak_sustained_active"), 93.21);
  EXPECT_EQ(gemm.units.at("sm__warps_active.avg.pct_of_peak_sustained_active"), "%");
  EXPECT_EQ(gemm.metrics.at("launch__occupancy_limit_registers"), 8.0);
  EXPECT_EQ(gemm.texts.at("launch__func_cache_config"), "CachePreferNone");
  EXPECT_EQ(gemm.metrics.count("Process ID"), 0U);
  EXPECT_EQ(kernels[1].metrics.count("sm__warps_active.avg.pct_of_peak_sustained_active"), 0U);
  EXPECT_EQ(kernels[1].texts.at("launch__func_cache_config"), "n/a");
}

TEST(NcuExport, KeepsADetailsPagesTwoMetricsOfOneNameApart) {
  const std::string text =
      R"csv("ID","Kernel Name","Section Name","Metric Name","Metric Unit","Metric Value"
"0","k","GPU Speed Of Light Throughput","Memory Throughput","%","51.2"
"0","k","GPU Speed Of Light Throughput","Duration","usecond","10.02"
"0","k","Memory Workload Analysis","Memory Throughput","Gbyte/second","700"
"0","k","Other","Duration","usecond","10.0"
)csv";
  const std::vector<NcuKernel> kernels = parse_ncu_export(text, "details.csv");
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels[0].metrics.at("Memory Throughput"), 51.2);
  EXPECT_DOUBLE_EQ(kernels[0].metrics.at("Memory Throughput [byte/second]"), 7e11);
  EXPECT_DOUBLE_EQ(kernels[0].metrics.at("Duration"), 10020.0);
  EXPECT_EQ(kernels[0].grid, (std::array<std::uint32_t, 3>{}));
}

TEST(NcuExport, SaysWhereAnExportIsMalformed) {
  EXPECT_EQ(error_of("==PROF== nothing was profiled\n"),
            "export.csv: no table of ncu: no line begins with \"ID\"");
  EXPECT_EQ(error_of("\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\"\n"
                     "\"0\",\"k\",\"m\",\"inst\"\n"),
            "export.csv: the table of ncu has no column \"Metric Value\"");
  std::string bad = long_export();
  bad.replace(bad.find("(32, 4, 1)"), 10, "(32, 4)");
  EXPECT_EQ(error_of(bad), "export.csv:9: Block Size is \"(32, 4)\", not of the form (x, y, z)");
  bad = long_export();
  bad.replace(bad.find("1,234,567"), 9, "1,23,4567");
  EXPECT_EQ(error_of(bad),
            "export.csv:8: smsp__inst_executed.sum is \"1,23,4567\" inst, not a number");
  bad = long_export();
  bad.replace(bad.find("\"1\",\"4711\""), 3, "\"x\"");
  EXPECT_EQ(error_of(bad), "export.csv:9: ID is \"x\", not a number");
  EXPECT_THAT(error_of(kLong), HasSubstr("export.csv:10:")) << "a cell too many";
  EXPECT_THAT(error_of(long_export() + "\"2\",\"unfinished"), HasSubstr("export.csv:11:"));
}

TEST(NcuExport, RefusesARawPageWithoutUnitsAndATableWithoutKernels) {
  std::string text = kRaw;
  const std::size_t units = text.find("\"\",\"\"");
  text.erase(units, text.find('\n', units) + 1 - units);
  EXPECT_EQ(error_of(text), "export.csv:2: a raw page of ncu has its units in the second row, with "
                            "no ID; this has none");
  EXPECT_EQ(error_of("\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"),
            "export.csv: the table of ncu has no kernel");
}

TEST(NcuExport, RefusesAMetricWithTwoValues) {
  EXPECT_EQ(error_of("\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
                     "\"0\",\"k\",\"smsp__inst_executed.sum\",\"inst\",\"100\"\n"
                     "\"0\",\"k\",\"smsp__inst_executed.sum\",\"inst\",\"120\"\n"),
            "export.csv:3: smsp__inst_executed.sum of kernel 0 is 120 here and 100 before");
}

TEST(NcuValues, NumbersOfEveryLocale) {
  const std::pair<const char*, double> kNumbers[] = {
      {"0", 0.0},
      {"1234.5", 1234.5},
      {"1,234.5", 1234.5},
      {"1.234,5", 1234.5},
      {"1,234", 1234.0},
      {"0,5", 0.5},
      {"12,75", 12.75},
      {"1.234.567", 1234567.0},
      {"1'234.5", 1234.5},
      {"-3.5", -3.5},
      {"1e+06", 1e6},
      {"1.5E-3", 0.0015},
      {"1,234,567", 1234567.0},
      {" 7 ", 7.0},
      {".5", 0.5},
      {"1.234", 1.234},
  };
  for (const auto& [text, value] : kNumbers) {
    EXPECT_EQ(parse_ncu_number(text), value) << text;
  }
  for (const char* text : {"", "n/a", "12 %", "1,23,4", "0x10", "1.2.3,4,5", "nan", "inf", "--1"}) {
    EXPECT_EQ(parse_ncu_number(text), std::nullopt) << text;
  }
}

TEST(NcuValues, UnitsBecomeBaseUnits) {
  struct Case {
    const char* text;
    double scale;
    const char* base;
  };
  constexpr Case kCases[] = {
      {"usecond", 1e3, "ns"},
      {"ms", 1e6, "ns"},
      {"second", 1e9, "ns"},
      {"Kbyte", 1e3, "byte"},
      {"Mbyte", 1e6, "byte"},
      {"Kibyte", 1024.0, "byte"},
      {"Ghz", 1e9, "hz"},
      {"MHz", 1e6, "hz"},
      {"cycle/nsecond", 1e9, "cycle/second"},
      {"Tbyte/s", 1e12, "byte/second"},
      {"Kbyte/block", 1e3, "byte/block"},
      {"inst/cycle", 1.0, "inst/cycle"},
      {"%", 1.0, "%"},
      {"register/thread", 1.0, "register/thread"},
      {"", 1.0, ""},
      {"Kite", 1.0, "Kite"},
  };
  for (const Case& c : kCases) {
    const NcuUnit unit = parse_ncu_unit(c.text);
    EXPECT_EQ(unit.scale, c.scale) << c.text;
    EXPECT_EQ(unit.base, c.base) << c.text;
  }
}

} // namespace
} // namespace coulomb::hw
