// SPDX-License-Identifier: Apache-2.0
#include "cli/hw_features.hpp"

#include "base/config/gpu_catalogue.hpp"
#include "base/error.hpp"
#include "base/eval/compilation.hpp"
#include "base/eval/features.hpp"
#include "base/kernel/spec_lookup.hpp"
#include "base/results/feature_matrix.hpp"
#include "base/results/measurement_file.hpp"
#include "base/text.hpp"
#include "cli/command_line.hpp"
#include "hw/collectors/counter_map.hpp"
#include "hw/toolchain/compiler.hpp"
#include "sim/isa/code_mix.hpp"
#include "sim/isa/cubin.hpp"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <sstream>
#include <utility>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;

constexpr const char* kAbout =
    "usage: coulomb hw features FILE [--gpu GPU] [-o FILE.csv|FILE.h5]\n\n"
    "The features of every measured configuration of FILE as CSV or HDF5, under the names that\n"
    "simulations have (docs/features.md). What silicon does not tell is empty (HDF5: NaN). "
    "Machine\n"
    "code comes from the kernel cache, or is compiled.\n\n";

enum class Format : std::uint8_t { csv, hdf5 };

/// By the name of the file to write.
Format format_of(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension != ".csv" && extension != ".h5") {
    throw UserError(fmt::format(
        "hw features: -o {}: the name ends in \"{}\"; allowed: .csv and .h5", path, extension));
  }
  return extension == ".h5" ? Format::hdf5 : Format::csv;
}

/// One measured configuration.
struct FeatureRow {
  std::string kernel;
  std::string parameters;
  std::string status;
  std::vector<double> values; ///< by eval::feature_table(); all NaN if it was not measured
};

/// Static counts of the machine code that was measured; empty if it cannot be had.
std::map<std::string, double> code_mix_of(toolchain::Compiler& compiler,
                                          const kernel::TunableSpec& spec,
                                          const kernel::Configuration& configuration,
                                          const config::GpuConfig& gpu) {
  const auto compiled = compiler.compile(
      eval::compile_request(spec, configuration, fmt::format("sm_{}", gpu.architecture)));
  if (compiled.status != eval::EvalStatus::ok) {
    return {};
  }
  return isa::code_mix(isa::Cubin::load(compiled.cubin_path).kernel(compiled.entry_name));
}

std::vector<double> values_of(const results::MeasuredRow& row,
                              const kernel::TunableSpec& spec,
                              const config::GpuConfig& gpu,
                              toolchain::Compiler& compiler) {
  if (row.outcome.status != eval::EvalStatus::ok) {
    return std::vector<double>(eval::feature_table().size(),
                               std::numeric_limits<double>::quiet_NaN());
  }
  const auto family = hw::chip_family_of(gpu.architecture);
  return eval::features_of(row.outcome, hw::measured_counters(family, row.outcome.counters),
                           spec.launch(row.parameters),
                           code_mix_of(compiler, spec, row.parameters, gpu), gpu);
}

std::vector<FeatureRow> rows_of(const results::MeasurementFile& file,
                                const config::GpuConfig& gpu) {
  toolchain::Compiler compiler;
  std::vector<FeatureRow> rows;
  for (const auto& measured : file.kernels) {
    const kernel::TunableSpec spec = kernel::find_spec(measured.spec);
    for (const results::MeasuredRow& row : measured.rows) {
      rows.push_back({measured.spec, row.parameters.key(),
                      std::string(eval::to_string(row.outcome.status)),
                      values_of(row, spec, gpu, compiler)});
    }
  }
  return rows;
}

std::string csv_of(const std::vector<FeatureRow>& rows) {
  std::string out = "kernel,parameters,status";
  for (const eval::Feature& feature : eval::feature_table()) {
    out += fmt::format(",{}", feature.name);
  }
  out += '\n';
  for (const FeatureRow& row : rows) {
    out += fmt::format("{},\"{}\",{}", row.kernel, row.parameters, row.status);
    for (const double value : row.values) {
      out += ',' + (std::isfinite(value) ? fmt::to_string(value) : std::string());
    }
    out += '\n';
  }
  return out;
}

results::Hdf5Snapshot hdf5_of(const std::vector<FeatureRow>& rows,
                              const results::MeasurementFile& file) {
  const auto texts = [&](std::string FeatureRow::*member) {
    std::vector<std::string> all;
    all.reserve(rows.size());
    for (const FeatureRow& row : rows) {
      all.push_back(row.*member);
    }
    return all;
  };
  std::vector<double> values;
  for (const FeatureRow& row : rows) {
    values.insert(values.end(), row.values.begin(), row.values.end());
  }
  results::Hdf5Snapshot snapshot;
  snapshot.meta = {{"gpu", "text", "id of the measured board's GPU file", file.gpu},
                   {"board", "text", "name of the measured board", file.board},
                   {"address", "text", "what measured it", file.address},
                   {"date", "UTC", "of the measurement", file.date},
                   {"version", "of coulomb", "that measured", file.version}};
  snapshot.table = "measurements";
  snapshot.columns = {
      {"kernel", "text", "name of the tunable kernel", texts(&FeatureRow::kernel)},
      {"parameters", "text", "the configuration", texts(&FeatureRow::parameters)},
      {"status", "text", "ok, or why there is no time", texts(&FeatureRow::status)}};
  snapshot.matrices.push_back(results::feature_matrix(std::move(values)));
  return snapshot;
}

} // namespace

int run_hw_features(const std::vector<std::string>& args) {
  po::options_description options("Options");
  auto add = options.add_options();
  add("file", po::value<std::string>(), "measurement file (.json)");
  add("gpu", po::value<std::string>(), "GPU id or file (default: the measured board's)");
  add("output,o", po::value<std::string>(),
      "file to write, .csv or .h5 (default: CSV on standard output)");
  add("help,h", "print this help");
  const auto values = parse_options("hw features", args, options, {"file"});
  if (values.count("help") > 0) {
    std::ostringstream out;
    out << kAbout << options;
    fmt::print("{}", out.str());
    return 0;
  }
  if (values.count("file") == 0) {
    throw UserError("hw features: which file?",
                    "coulomb hw measure KERNEL --metrics full --out FILE.json writes one");
  }
  const std::string out = values.count("output") > 0 ? values["output"].as<std::string>() : "";
  const Format format = out.empty() ? Format::csv : format_of(out);
  const auto file = results::MeasurementFile::load(values["file"].as<std::string>());
  const config::GpuConfig gpu =
      config::load_gpu(values.count("gpu") > 0 ? values["gpu"].as<std::string>() : file.gpu).config;
  const auto rows = rows_of(file, gpu);
  if (out.empty()) {
    fmt::print("{}", csv_of(rows));
    return 0;
  }
  if (format == Format::hdf5) {
    results::write_hdf5(out, hdf5_of(rows, file));
  } else {
    write_file_atomically(out, csv_of(rows));
  }
  fmt::print("saved {}   {} configurations\n", out, rows.size());
  return 0;
}

} // namespace coulomb::cli
