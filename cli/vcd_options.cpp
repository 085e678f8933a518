// SPDX-License-Identifier: Apache-2.0
#include "cli/vcd_options.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <string_view>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;

constexpr const char* kRange = "0:100000";
constexpr std::uint64_t kLastCycle = 1'000'000'000'000; // in picoseconds it fits SystemC's time
constexpr std::int64_t kMegabytes = 200;
constexpr std::int64_t kMostMegabytes = 100'000;

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

/// Leaves no file behind where there was none.
void check_writable(const std::string& path) {
  const bool existed = std::filesystem::exists(path);
  errno = 0;
  if (!std::ofstream(path, std::ios::app)) {
    throw UserError(
        fmt::format("run: --vcd \"{}\" cannot be written: {}", path, std::strerror(errno)),
        "give it the path of a file to write, such as --vcd run.vcd");
  }
  if (!existed) {
    std::filesystem::remove(path);
  }
}

void read_range(const std::string& range, eval::VcdRequest& request) {
  const std::size_t colon = range.find(':');
  const std::string_view text = range;
  const auto from = whole_number(text.substr(0, colon));
  const auto to = whole_number(colon == std::string::npos ? "" : text.substr(colon + 1));
  if (!from || !to || *from > *to || *to > kLastCycle) {
    throw UserError(fmt::format("run: --vcd-cycles is \"{}\"; allowed: FROM:TO, two whole numbers "
                                "up to {}, FROM not above TO",
                                range, kLastCycle),
                    "such as --vcd-cycles 20000:30000");
  }
  request.from = *from;
  request.to = *to;
}

} // namespace

void add_vcd_options(po::options_description& options) {
  auto add = options.add_options();
  add("vcd", po::value<std::string>(),
      "write waveforms of SMs, L2 slices and DRAM channels to this .vcd file, for GTKWave; traced "
      "cycles take two to three times as long");
  add("vcd-cycles", po::value<std::string>(), "FROM:TO, the SM cycles to trace (default 0:100000)");
  add("vcd-mb", po::value<std::int64_t>(),
      "tracing ends where the file has that size, MB (default 200, 1 to 100000)");
}

eval::VcdRequest read_vcd_options(const po::variables_map& values) {
  for (const char* name : {"vcd-cycles", "vcd-mb"}) {
    if (values.count(name) > 0 && values.count("vcd") == 0) {
      throw UserError(fmt::format("run: --{} goes with --vcd", name),
                      "--vcd FILE.vcd names the file to write");
    }
  }
  if (values.count("vcd") == 0) {
    return {};
  }
  eval::VcdRequest request;
  const auto path = values["vcd"].as<std::string>();
  if (!path.ends_with(".vcd")) {
    throw UserError(fmt::format("run: --vcd \"{}\": the file's name must end in .vcd", path),
                    "such as --vcd run.vcd");
  }
  check_writable(path);
  request.path = std::filesystem::absolute(path).string();

  read_range(values.count("vcd-cycles") > 0 ? values["vcd-cycles"].as<std::string>() : kRange,
             request);
  const std::int64_t megabytes =
      values.count("vcd-mb") > 0 ? values["vcd-mb"].as<std::int64_t>() : kMegabytes;
  if (megabytes < 1 || megabytes > kMostMegabytes) {
    throw UserError(
        fmt::format("run: --vcd-mb is {}; allowed: 1 to {} MB", megabytes, kMostMegabytes));
  }
  request.max_bytes = static_cast<std::uint64_t>(megabytes) * 1'000'000;
  return request;
}

std::string vcd_text(const std::string& path, const eval::VcdOutcome& vcd) {
  if (vcd.signals == 0) {
    return {};
  }
  if (vcd.end == vcd.from) {
    return fmt::format("\nwaveform   {}   empty: the kernel ended before cycle {}\n", path,
                       with_thousands(vcd.from));
  }
  return fmt::format("\nwaveform   {}   cycles {} to {}{}, {} signals, {} bytes; open it with "
                     "gtkwave\n",
                     path, with_thousands(vcd.from), with_thousands(vcd.end - 1),
                     vcd.full ? " (then it was full: --vcd-mb)" : "", with_thousands(vcd.signals),
                     with_thousands(vcd.bytes));
}

} // namespace coulomb::cli
