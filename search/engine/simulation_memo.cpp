// SPDX-License-Identifier: Apache-2.0
#include "search/engine/simulation_memo.hpp"

#include <utility>

namespace coulomb::search {

bool SimulationMemo::join(const std::string& key, Receiver receive) {
  Result known;
  bool first = false;
  {
    const std::scoped_lock lock(mutex_);
    const auto [it, inserted] = entries_.try_emplace(key);
    first = inserted;
    known = it->second.result;
    if (!known) {
      it->second.receivers.push_back(std::move(receive));
    }
  }
  if (known) {
    receive(known);
  }
  return first;
}

void SimulationMemo::complete(const std::string& key, JobResult result) {
  const bool remember = result.end != JobEnd::cancelled;
  const Result shared = std::make_shared<const JobResult>(std::move(result));
  std::vector<Receiver> receivers;
  {
    const std::scoped_lock lock(mutex_);
    Entry& entry = entries_.at(key);
    receivers.swap(entry.receivers);
    entry.result = shared;
    if (!remember) {
      entries_.erase(key);
    }
  }
  for (const auto& receive : receivers) {
    receive(shared);
  }
}

} // namespace coulomb::search
