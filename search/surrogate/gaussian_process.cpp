// SPDX-License-Identifier: Apache-2.0
#include "search/surrogate/gaussian_process.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>

namespace coulomb::search {
namespace {

using Index = Eigen::Index;
constexpr float kLeastVariance = 1e-6F;

} // namespace

GaussianProcess::GaussianProcess(Correlation correlation,
                                 float noise,
                                 std::size_t genes,
                                 std::size_t observations,
                                 std::size_t candidates)
    : correlation_(std::move(correlation)), noise_(noise), genes_(genes) {
  const auto n = static_cast<Index>(observations);
  const auto m = static_cast<Index>(candidates);
  observed_genes_.reserve(observations * genes);
  watched_genes_.resize(candidates * genes);
  factor_ = Matrix::Zero(n, n);
  values_ = Vector::Zero(n);
  weights_ = Vector::Zero(n);
  rows_.resize(m, n);
  mean_ = Vector::Zero(m);
  variance_ = Vector::Ones(m);
}

GaussianProcess::Vector GaussianProcess::solved(const Gene* genes) const {
  const auto n = static_cast<Index>(observed_);
  Vector row(n);
  for (Index i = 0; i < n; ++i) {
    row[i] = correlation_(genes, observed_genes_.data() + static_cast<std::size_t>(i) * genes_);
  }
  if (n > 0) {
    factor_.topLeftCorner(n, n).triangularView<Eigen::Lower>().solveInPlace(row);
  }
  return row;
}

std::size_t GaussianProcess::watch(std::span<const Gene> genes) {
  const std::size_t added = genes.size() / genes_;
  COULOMB_CHECK(added <= room(), "{} candidates more than there is room for", added - room());
  const auto stride = static_cast<std::size_t>(rows_.rows());
  for (std::size_t i = 0; i < added; ++i) {
    for (std::size_t d = 0; d < genes_; ++d) {
      watched_genes_[d * stride + watched_ + i] = genes[i * genes_ + d];
    }
  }
  const auto first = static_cast<Index>(watched_);
  const auto m = static_cast<Index>(added);
  const auto n = static_cast<Index>(observed_);
  auto rows = rows_.block(first, 0, m, n);
  for (Index i = 0; i < n; ++i) {
    correlation_.to_each(observed_genes_.data() + static_cast<std::size_t>(i) * genes_,
                         watched_genes_.data() + watched_, stride, {rows.col(i).data(), added});
  }
  if (n > 0) {
    factor_.topLeftCorner(n, n)
        .triangularView<Eigen::Lower>()
        .transpose()
        .solveInPlace<Eigen::OnTheRight>(rows);
  }
  mean_.segment(first, m).noalias() = rows * weights_.head(n);
  variance_.segment(first, m).array() = 1.0F - rows.rowwise().squaredNorm().array();
  watched_ += added;
  return static_cast<std::size_t>(first);
}

std::size_t GaussianProcess::observe(std::span<const Gene> genes, float value) {
  COULOMB_CHECK(!full(), "{} observations are all there is room for", observed_);
  const auto n = static_cast<Index>(observed_);
  const auto m = static_cast<Index>(watched_);
  const Vector row = solved(genes.data());
  const float pivot = std::sqrt(std::max(1.0F + noise_ - row.squaredNorm(), kLeastVariance));
  factor_.row(n).head(n) = row.transpose();
  factor_(n, n) = pivot;
  values_[n] = value;
  weights_[n] = (value - row.dot(weights_.head(n))) / pivot;
  auto column = rows_.col(n).head(m);
  correlation_.to_each(genes.data(), watched_genes_.data(), static_cast<std::size_t>(rows_.rows()),
                       {column.data(), watched_});
  if (n > 0) {
    column.noalias() -= rows_.topLeftCorner(m, n) * row;
  }
  column /= pivot;
  mean_.head(m) += column * weights_[n];
  variance_.head(m) -= column.cwiseAbs2();
  observed_genes_.insert(observed_genes_.end(), genes.begin(), genes.end());
  return observed_++;
}

void GaussianProcess::correct(std::size_t observation, float value) {
  const auto n = static_cast<Index>(observed_);
  const auto m = static_cast<Index>(watched_);
  values_[static_cast<Index>(observation)] = value;
  for (auto i = static_cast<Index>(observation); i < n; ++i) {
    const float known = factor_.row(i).head(i).dot(weights_.head(i));
    const float weight = (values_[i] - known) / factor_(i, i);
    mean_.head(m) += rows_.col(i).head(m) * (weight - weights_[i]);
    weights_[i] = weight;
  }
}

float GaussianProcess::deviation(std::size_t candidate) const {
  return std::sqrt(std::max(variance_[static_cast<Index>(candidate)], kLeastVariance));
}

float GaussianProcess::unit() const {
  const auto n = static_cast<Index>(observed_);
  return std::sqrt(
      std::max(weights_.head(n).squaredNorm() / static_cast<float>(n), kLeastVariance));
}

float GaussianProcess::mean_at(std::span<const Gene> genes) const {
  return solved(genes.data()).dot(weights_.head(static_cast<Index>(observed_)));
}

} // namespace coulomb::search
