// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/strategy/individual.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace coulomb::search {

/// A point that a search wants evaluated.
struct Proposal {
  std::uint64_t id = 0; ///< 0, 1, 2, ... over the whole search
  Point point = 0;
  std::string origin; ///< what made it: "first", "random", "crossover", "model", ...
  bool operator==(const Proposal&) const = default;
};

/// What a search strategy can do. It proposes no point twice, and its proposals depend on the
/// space, its settings, the seed and the committed fitnesses only.
template <class T>
concept StrategyModel = requires(T strategy, const T& constant, const Individual& evaluated) {
  { constant.needs() } -> std::same_as<std::uint64_t>;
  { strategy.propose() } -> std::same_as<std::optional<Proposal>>;
  strategy.commit(evaluated);
  strategy.relearn(std::span<const Individual>());
};

/// What a strategy can do beside that, if others search the same space at the same time.
template <class T>
concept MigrantModel = requires(T strategy, const T& constant, const Individual& immigrant) {
  { constant.emigrants(std::size_t{1}) } -> std::same_as<std::vector<Individual>>;
  strategy.adopt(immigrant);
};

/// Any search strategy, as a value.
///
/// The caller keeps to this order, whatever the number of workers: before a propose() it commits
/// exactly the first needs() evaluations, in the order of their ids. So a strategy that looks ahead
/// sees the same past with 1 worker and with 100.
class Strategy {
public:
  template <class T>
  requires StrategyModel<std::remove_cvref_t<T>> &&(!std::same_as<std::remove_cvref_t<T>, Strategy>)
      Strategy(T&& model) // NOLINT(google-explicit-constructor): a strategy is used as one
      : model_(std::make_unique<Holder<std::remove_cvref_t<T>>>(std::forward<T>(model))) {}

  /// Evaluations that must be committed before the next propose().
  [[nodiscard]] std::uint64_t needs() const { return model_->needs(); }
  /// The next point, or nothing if every valid configuration was proposed.
  [[nodiscard]] std::optional<Proposal> propose() { return model_->propose(); }
  /// The outcome of the first proposal that was not committed yet.
  void commit(const Individual& evaluated) { model_->commit(evaluated); }
  /// All commitments and adoptions so far, in their order, with other fitnesses: what is searched
  /// for has changed.
  void relearn(std::span<const Individual> history) { model_->relearn(history); }

  /// It breeds from what others found: emigrants() and adopt() mean something.
  [[nodiscard]] bool takes_migrants() const { return model_->takes_migrants(); }
  /// The best of its population, best first, at most `count`; adopted ones among them.
  [[nodiscard]] std::vector<Individual> emigrants(std::size_t count) const {
    return model_->emigrants(count);
  }
  /// A point that another search evaluated, and this one neither proposed nor adopted: it is bred
  /// from, and never proposed. Its id is kFirstImmigrant or above, and its own.
  void adopt(const Individual& immigrant) { model_->adopt(immigrant); }

private:
  struct Interface {
    virtual ~Interface() = default;
    [[nodiscard]] virtual std::uint64_t needs() const = 0;
    [[nodiscard]] virtual std::optional<Proposal> propose() = 0;
    virtual void commit(const Individual& evaluated) = 0;
    virtual void relearn(std::span<const Individual> history) = 0;
    [[nodiscard]] virtual bool takes_migrants() const = 0;
    [[nodiscard]] virtual std::vector<Individual> emigrants(std::size_t count) const = 0;
    virtual void adopt(const Individual& immigrant) = 0;
  };
  template <class T>
  struct Holder final : Interface {
    explicit Holder(T held) : strategy(std::move(held)) {}
    [[nodiscard]] std::uint64_t needs() const override { return strategy.needs(); }
    [[nodiscard]] std::optional<Proposal> propose() override { return strategy.propose(); }
    void commit(const Individual& evaluated) override { strategy.commit(evaluated); }
    void relearn(std::span<const Individual> history) override { strategy.relearn(history); }
    [[nodiscard]] bool takes_migrants() const override { return MigrantModel<T>; }
    [[nodiscard]] std::vector<Individual> emigrants(std::size_t count) const override {
      if constexpr (MigrantModel<T>) {
        return strategy.emigrants(count);
      } else {
        return {};
      }
    }
    void adopt(const Individual& immigrant) override {
      if constexpr (MigrantModel<T>) {
        strategy.adopt(immigrant);
      }
    }
    T strategy;
  };

  std::unique_ptr<Interface> model_;
};

} // namespace coulomb::search
