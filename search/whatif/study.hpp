// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::search {

/// A kernel that designs are judged by.
struct StudyKernel {
  std::string name;    ///< the spec's, with "#2" and so on where a study has it several times
  std::string spec;    ///< name of a tunable kernel, or the path of its file
  double weight = 1.0; ///< its part of the mean over kernels; made to sum to 1
  std::vector<std::string> params; ///< NAME=VALUE; others have their defaults
  bool operator==(const StudyKernel&) const = default;
};

/// A key of the GPU file and the values that are tried, in the order that a search steps through.
struct StudyGene {
  std::string key;
  std::vector<std::string> values; ///< as a GPU file writes them
  bool operator==(const StudyGene&) const = default;
};

/// What a design must keep to. Area: a design above it is not built. Power and temperature: the
/// board's controller lowers the clock until it is within them; what is above even at the lowest
/// clock is not built.
struct StudyLimits {
  std::optional<double> area_mm2;
  std::optional<double> power_w;       ///< of the sensor's reading; none: the board's own limit
  std::optional<double> temperature_c; ///< of the die; none: the board's own slowdown
  bool operator==(const StudyLimits&) const = default;
};

/// Voltage islands to be weighed against one rail: see power::IslandStudy.
struct StudyIslands {
  std::string size = "sm"; ///< of power::kIslandSizes
  double sigma = 0.012;
  double conversion_loss = 0.07;
  double boundary_cycles = 3.0;
  std::vector<double> spreads_mhz = {60.0}; ///< each is tried
  bool gate_idle_sms = false;
  bool operator==(const StudyIslands&) const = default;
};

/// A what-if study: which designs of a GPU are best for these kernels within these limits?
struct Study {
  std::string path; ///< of the file
  std::string name; ///< of the file, without .toml
  std::string gpu;
  std::vector<std::string> set; ///< KEY=VALUE: changes of the GPU that all designs share
  std::uint64_t budget = 200;   ///< designs
  std::uint64_t seed = 1;
  std::vector<std::string> objectives = {"time", "energy"};
  std::vector<StudyKernel> kernels;
  std::vector<StudyGene> genes;
  StudyLimits limits;
  std::optional<StudyIslands> islands; ///< then there may be no genes
};

/// Reads a study. Throws UserError with every mistake of the file: unknown or missing key, a value
/// of the wrong kind, no kernel, a gene with fewer than two
/// values, neither genes nor islands.
[[nodiscard]] Study read_study(const std::string& path);

} // namespace coulomb::search
