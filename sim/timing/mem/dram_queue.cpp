// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/mem/dram_queue.hpp"

namespace coulomb::timing::mem {

DramQueue::DramQueue(std::uint32_t banks, std::uint32_t window) : banks_(banks), room_(window) {
  store_.reserve(256);
}

void DramQueue::append(List& list, std::int32_t index) {
  (*this)[index].next = kNone;
  (list.last >= 0 ? (*this)[list.last].next : list.first) = index;
  list.last = index;
}

void DramQueue::remove(List& list, std::int32_t index) {
  std::int32_t before = kNone;
  std::int32_t* link = &list.first;
  while (*link != index) {
    before = *link;
    link = &(*this)[before].next;
  }
  *link = (*this)[index].next;
  list.last = list.last == index ? before : list.last;
}

void DramQueue::enter_window(std::int32_t index) {
  Bank& bank = banks_[(*this)[index].bank];
  append(bank.list, index);
  bank.changed = true;
  --room_;
}

bool DramQueue::push(const Request& request) {
  std::int32_t index = free_;
  if (index >= 0) {
    free_ = (*this)[index].next;
    (*this)[index] = request;
  } else {
    index = static_cast<std::int32_t>(store_.size());
    store_.push_back(request);
  }
  (*this)[index].order = next_order_++;
  ++size_;
  if (room_ == 0) {
    append(behind_, index);
    return false;
  }
  enter_window(index);
  return true;
}

DramQueue::Request DramQueue::take(std::int32_t index) {
  const Request taken = (*this)[index];
  Bank& bank = banks_[taken.bank];
  remove(bank.list, index);
  bank.changed = true;
  (*this)[index].next = free_;
  free_ = index;
  --size_;
  ++room_;
  if (const std::int32_t oldest = behind_.first; oldest >= 0) {
    remove(behind_, oldest);
    enter_window(oldest);
  }
  return taken;
}

DramQueue::Candidates DramQueue::candidates(std::uint32_t bank, std::uint64_t open_row) {
  Candidates found;
  banks_[bank].changed = false;
  for (std::int32_t i = banks_[bank].list.first; i >= 0; i = (*this)[i].next) {
    const Request& request = (*this)[i];
    const bool match = !request.found_open && request.row == open_row;
    found.hit = found.hit < 0 && (match || request.found_open) ? i : found.hit;
    if (match) {
      found.miss = kNone;
      break; // the hit is this one or an older one
    }
    found.miss = found.miss < 0 && !request.found_open ? i : found.miss;
  }
  return found;
}

} // namespace coulomb::timing::mem
