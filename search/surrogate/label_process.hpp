// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/surrogate/gaussian_process.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace coulomb::search {

/// A Gaussian process over one number of every outcome, failed ones included, with correlation
/// lengths and a sample of its own: what decides whether a configuration runs, or how long it takes
/// to compile, is not what makes its kernel slow.
class LabelProcess {
public:
  /// `purpose` names its random streams. `noise`: the first guess of the unexplained variance.
  LabelProcess(const SearchSpace& space, std::uint64_t seed, std::string purpose, float noise);

  /// A label of about zero mean and unit variance; `genes` are all of the configuration's.
  void learn(std::span<const Gene> genes, float label);
  /// Labels so far.
  [[nodiscard]] const std::vector<float>& labels() const { return labels_; }
  /// Other labels of the same outcomes; the process is renewed before it is asked again.
  void relabel(std::vector<float> labels);
  /// Fits the lengths to at most `fitted` outcomes and holds at most `held`, with room for `more`
  /// and for `candidates`.
  void renew(std::size_t fitted, std::size_t held, std::size_t more, std::size_t candidates);
  /// Candidates, whose gene vectors follow each other; ignored before renew().
  void watch(std::span<const Gene> genes);

  /// Null before renew().
  [[nodiscard]] const GaussianProcess* process() const { return process_ ? &*process_ : nullptr; }
  [[nodiscard]] float noise() const { return noise_; }

private:
  [[nodiscard]] std::vector<std::size_t> sample(std::size_t most, const char* use) const;
  [[nodiscard]] std::span<const Gene> genes(std::size_t outcome) const;

  std::uint64_t seed_;
  std::string purpose_;
  std::size_t dimensions_; ///< genes of a configuration
  Correlation correlation_;
  float noise_;
  std::vector<Gene> genes_;   ///< [outcomes][dimensions]
  std::vector<float> labels_; ///< [outcomes]
  std::optional<GaussianProcess> process_;
};

} // namespace coulomb::search
