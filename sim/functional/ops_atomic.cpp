// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/float_math.hpp"
#include "sim/functional/memory_access.hpp"

#include <array>

/// Atomic operations. Lanes act one after the other, in lane order.
namespace coulomb::functional {
namespace {
using isa::Modifier;
using isa::Opcode;

enum AtomicType : unsigned { kU32, kS32, kU64, kF32, kF16x2, kS64, kF64, kBf16x2 };
enum AtomicOp : unsigned {
  kAdd,
  kMin,
  kMax,
  kInc,
  kDec,
  kAnd,
  kOr,
  kXor,
  kExch,
  kSafeAdd,
  kPopcInc,
  kMbarrierArrive ///< not encoded so, see operation_without_data
};

// src[1] (and src_hi[1]): operand, src[2] (src_hi[2]): new value of a compare-and-swap.
// aux[0]: scale (see lower_address), aux[1]: type, aux[2]: operation or CAS kind.

constexpr std::uint32_t bytes_of_type(unsigned type) {
  return type == kU64 || type == kS64 || type == kF64 ? 8 : 4;
}

std::uint16_t add_half(std::uint16_t a, std::uint16_t b, bool bf16) {
  if (bf16) {
    return double_to_bf16(double{bf16_to_float(a)} + bf16_to_float(b), 0);
  }
  return double_to_half(double{half_to_float(a)} + half_to_float(b), 0);
}

std::uint32_t add_packed(std::uint32_t a, std::uint32_t b, bool bf16) {
  const auto low = add_half(static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b), bf16);
  const auto high =
      add_half(static_cast<std::uint16_t>(a >> 16), static_cast<std::uint16_t>(b >> 16), bf16);
  return low | std::uint32_t{high} << 16;
}

std::uint64_t add(unsigned type, std::uint64_t old, std::uint64_t b) {
  const auto x = static_cast<std::uint32_t>(old);
  const auto y = static_cast<std::uint32_t>(b);
  switch (type) {
  case kF32:
    return canonical(flush(as_bits(as_float(flush(x)) + as_float(flush(y)))));
  case kF64:
    return as_bits(as_double(old) + as_double(b));
  case kF16x2:
  case kBf16x2:
    return add_packed(x, y, type == kBf16x2);
  default:
    return old + b;
  }
}

bool is_less(unsigned type, std::uint64_t a, std::uint64_t b) {
  switch (type) {
  case kS32:
    return static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
  case kS64:
    return static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b);
  default:
    return a < b;
  }
}

/// The value of an mbarrier after one arrival. The words were read off the code that the compiler
/// makes of mbarrier.init, test_wait, pending_count and arrive_drop: the low one holds 2^30 -
/// expected, the high one 2^31 - pending with the phase in its top bit. The last arrival flips the
/// phase and expects everybody again.
std::uint64_t arrive(std::uint64_t barrier) {
  constexpr std::uint32_t kPhase = 0x80000000U;
  constexpr std::uint32_t kExpectedBase = 0x40000000U;
  const auto expected = static_cast<std::uint32_t>(barrier);
  std::uint32_t pending = static_cast<std::uint32_t>(barrier >> 32) + 1;
  if ((pending & ~kPhase) == 0) {
    pending |= (expected + kExpectedBase) & ~kPhase;
  }
  return expected | std::uint64_t{pending} << 32;
}

std::uint64_t apply(unsigned operation, unsigned type, std::uint64_t old, std::uint64_t b) {
  switch (operation) {
  case kAdd:
  case kSafeAdd:
    return add(type, old, b);
  case kMin:
    return is_less(type, b, old) ? b : old;
  case kMax:
    return is_less(type, old, b) ? b : old;
  case kInc:
    return old >= b ? 0 : old + 1;
  case kDec:
    return old == 0 || old > b ? b : old - 1;
  case kAnd:
    return old & b;
  case kOr:
    return old | b;
  case kXor:
    return old ^ b;
  case kPopcInc:
    return old + 1;
  case kMbarrierArrive:
    return arrive(old);
  default:
    return b; // EXCH
  }
}

std::uint64_t read_bytes(const std::uint8_t* p, std::uint32_t bytes) {
  std::uint64_t v = 0;
  std::memcpy(&v, p, bytes);
  return v;
}

/// Read-modify-write of every executing lane; `pointer(lane)` gives checked host memory.
template <class Pointer>
void update(Context& ctx, const MicroOp& op, Pointer pointer) {
  const std::uint32_t bytes = bytes_of_type(op.aux[1]);
  const bool wide = bytes == 8;
  std::uint32_t* d = row(ctx, op.dst);
  each_lane(ctx.exec, [&](int l) {
    std::uint8_t* p = pointer(l, bytes);
    const std::uint64_t old = read_bytes(p, bytes);
    const std::uint64_t b = wide ? source64(ctx, op, 1, l) : row(ctx, op.src[1])[l];
    const std::uint64_t next = apply(op.aux[2], op.aux[1], old, b);
    std::memcpy(p, &next, bytes);
    d[l] = static_cast<std::uint32_t>(old);
    if (wide) {
      d[kLanes + l] = static_cast<std::uint32_t>(old >> 32);
    }
  });
}

/// Compare and swap; aux[2] odd: CAST, whose result is 1 on success and 0 otherwise instead of the
/// old value.
template <class Pointer>
void compare_and_swap(Context& ctx, const MicroOp& op, Pointer pointer) {
  const std::uint32_t bytes = bytes_of_type(op.aux[1]);
  const bool wide = bytes == 8;
  const bool test = (op.aux[2] & 1) != 0;
  std::uint32_t* d = row(ctx, op.dst);
  each_lane(ctx.exec, [&](int l) {
    std::uint8_t* p = pointer(l, bytes);
    const std::uint64_t old = read_bytes(p, bytes);
    const std::uint64_t expected = wide ? source64(ctx, op, 1, l) : row(ctx, op.src[1])[l];
    const std::uint64_t next = wide ? source64(ctx, op, 2, l) : row(ctx, op.src[2])[l];
    const bool equal = old == expected;
    if (equal) {
      std::memcpy(p, &next, bytes);
    }
    const std::uint64_t result = test ? (equal ? 1 : 0) : old;
    d[l] = static_cast<std::uint32_t>(result);
    if (wide) {
      d[kLanes + l] = static_cast<std::uint32_t>(result >> 32);
    }
  });
}

void describe_atomic(Context& ctx, const MicroOp& op, MemorySpace space) {
  const bool returns = (op.dst & 3) == kRegisterBase; // RZ results go to the scratch rows
  describe_access(ctx, space, bytes_of_type(op.aux[1]), returns, true);
  ctx.result.access.atomic = true;
  ctx.result.access.bypass_l1 = space == MemorySpace::global;
}

std::uint8_t* shared_pointer(Context& ctx, int l, std::uint32_t bytes) {
  const std::uint64_t a = ctx.result.access.address[static_cast<std::size_t>(l)];
  auto& shared = ctx.cta.shared;
  if (a % bytes != 0 || a + bytes > shared.size()) {
    window_fault(ctx, MemorySpace::shared, l, a, bytes);
  }
  return shared.data() + a;
}

template <bool Cas>
void perform(Context& ctx, const MicroOp& op, MemorySpace space) {
  describe_atomic(ctx, op, space);
  const auto pointer = [&](int l, std::uint32_t bytes) {
    return space == MemorySpace::shared ? shared_pointer(ctx, l, bytes)
                                        : global_write(ctx, l, bytes);
  };
  if constexpr (Cas) {
    compare_and_swap(ctx, op, pointer);
  } else {
    update(ctx, op, pointer);
  }
}

template <bool Cas>
void atomic_global(Context& ctx, const MicroOp& op) {
  global_addresses(ctx, op);
  perform<Cas>(ctx, op, MemorySpace::global);
  set_predicate(ctx, op.pdst[0], 0);
}

template <bool Cas>
void atomic_shared(Context& ctx, const MicroOp& op) {
  window_addresses(ctx, op);
  perform<Cas>(ctx, op, MemorySpace::shared);
}

/// Lanes of `lanes` whose address lies in the window at `base`; their addresses become offsets.
std::uint32_t take_window(Context& ctx, std::uint32_t lanes, std::uint64_t base) {
  auto& a = ctx.result.access.address;
  std::uint32_t inside = 0;
  each_lane(lanes, [&](int l) {
    const auto i = static_cast<std::size_t>(l);
    if (a[i] >> kWindowShift == base >> kWindowShift) {
      inside |= 1U << l;
      a[i] -= base;
    }
  });
  return inside;
}

/// Local memory belongs to one lane and its words lie apart, so the operands are copied out and
/// back.
template <bool Cas>
void perform_local(Context& ctx, const MicroOp& op) {
  const std::uint32_t bytes = bytes_of_type(op.aux[1]);
  describe_access(ctx, MemorySpace::local, bytes, true, true);
  check_window(ctx, MemorySpace::local, ctx.kernel.local_bytes, bytes);
  const auto& address = ctx.result.access.address;
  std::array<std::array<std::uint8_t, 8>, kLanes> copies{};
  const auto each_word = [&](auto copy) {
    each_lane(ctx.exec, [&](int l) {
      const auto i = static_cast<std::size_t>(l);
      for (unsigned at = 0; at < bytes; at += 4) {
        copy(copies[i].data() + at, local_word(ctx, address[i] + at, l));
      }
    });
  };
  each_word([](std::uint8_t* copy, const std::uint8_t* word) { std::memcpy(copy, word, 4); });
  const auto pointer = [&](int l, std::uint32_t) {
    return copies[static_cast<std::size_t>(l)].data();
  };
  if constexpr (Cas) {
    compare_and_swap(ctx, op, pointer);
  } else {
    update(ctx, op, pointer);
  }
  each_word([](const std::uint8_t* copy, std::uint8_t* word) { std::memcpy(word, copy, 4); });
}

/// ATOM: global, shared or local, by the address. The predicate result says that the operation is
/// done here.
template <bool Cas>
void atomic_generic(Context& ctx, const MicroOp& op) {
  global_addresses(ctx, op);
  const std::uint32_t all = ctx.exec;
  const std::uint32_t shared = take_window(ctx, all, kSharedWindow);
  const std::uint32_t local = take_window(ctx, all & ~shared, kLocalWindow);
  const std::uint32_t global = all & ~(shared | local);
  if (local != 0) {
    ctx.exec = local;
    perform_local<Cas>(ctx, op);
  }
  if (shared != 0) {
    ctx.exec = shared;
    perform<Cas>(ctx, op, MemorySpace::shared);
  }
  if (global != 0) {
    ctx.exec = global;
    perform<Cas>(ctx, op, MemorySpace::global);
  }
  ctx.exec = all;
  set_predicate(ctx, op.pdst[0], ~0U); // done here: compiled code skips its fallback
}

/// Data operand `i` as source `slot`.
void data(Lowering& low, int slot, int i) {
  low.src64(slot, i);
}

bool is_modelled(unsigned operation, unsigned type) {
  if (operation == kAdd || operation == kSafeAdd) {
    return type <= kBf16x2;
  }
  const bool is_float = type == kF32 || type == kF16x2 || type == kF64 || type == kBf16x2;
  return !is_float || operation == kExch;
}

/// ATOM and ATOMS that take no register: POPC.INC and ARRIVE, which has the code of SAFEADD.
/// False: another one.
bool operation_without_data(Lowering& low, unsigned operation, unsigned type) {
  constexpr unsigned kArrive = kSafeAdd;
  if (operation == kArrive && type == kU64) {
    low.op.aux[2] = kMbarrierArrive;
    return true;
  }
  return operation == kPopcInc && type == kU32;
}

/// ATOM, ATOMG: P, R, MEM [, R [, R]]. RED: MEM, R.
Handler lower_global_atomic(Lowering& low) {
  const Opcode opcode = low.in.opcode;
  const bool reduction = opcode == Opcode::RED;
  const int address = reduction ? 0 : 2;
  const bool cas = low.in.operand_count == 5;
  if (!reduction) {
    low.pdst(0, 0);
    low.dst(1);
  }
  lower_address(low, address, low.modifier(Modifier::E_) != 0);
  const unsigned operation = low.modifier(Modifier::op);
  const unsigned type = low.modifier(Modifier::type);
  low.op.aux[1] = static_cast<std::uint8_t>(type);
  low.op.aux[2] = static_cast<std::uint8_t>(operation);
  if (!reduction && low.in.operand_count == 3) {
    return operation_without_data(low, operation, type) ? atomic_generic<false> : nullptr;
  }
  data(low, 1, address + 1);
  if (cas) {
    data(low, 2, address + 2);
    return opcode == Opcode::ATOM ? atomic_generic<true> : atomic_global<true>;
  }
  if (!is_modelled(operation, type)) {
    return nullptr;
  }
  // RED works on generic addresses as ATOM does.
  return opcode == Opcode::ATOMG ? atomic_global<false> : atomic_generic<false>;
}

/// R, MEM [, R [, R]]: POPC.INC or ARRIVE, operation, compare-and-swap.
Handler lower_shared_atomic(Lowering& low) {
  const int count = low.in.operand_count;
  const unsigned operation = low.modifier(Modifier::op);
  const unsigned type = low.modifier(Modifier::type);
  low.dst(0);
  lower_address(low, 1, false);
  low.op.aux[1] = static_cast<std::uint8_t>(type);
  low.op.aux[2] = static_cast<std::uint8_t>(operation);
  if (count == 4) {
    data(low, 1, 2);
    data(low, 2, 3);
    return atomic_shared<true>;
  }
  if (count == 3) {
    data(low, 1, 2);
    return operation != kSafeAdd && is_modelled(operation, type) ? atomic_shared<false> : nullptr;
  }
  return operation_without_data(low, operation, type) ? atomic_shared<false> : nullptr;
}

/// ARRIVES.LDGSTSBAR: each lane arrives when its earlier asynchronous copies are done, which is at
/// once here.
Handler lower_copy_arrival(Lowering& low) {
  lower_address(low, 0, false);
  low.op.aux[1] = kU64;
  low.op.aux[2] = kMbarrierArrive;
  return atomic_shared<false>;
}
} // namespace

Handler select_atomic(Lowering& low) {
  switch (low.in.opcode) {
  case Opcode::ATOM:
  case Opcode::ATOMG:
  case Opcode::RED:
    return lower_global_atomic(low);
  case Opcode::ATOMS:
    return lower_shared_atomic(low);
  case Opcode::ARRIVES_LDGSTSBAR_64:
    return lower_copy_arrival(low);
  default:
    return nullptr;
  }
}

} // namespace coulomb::functional
