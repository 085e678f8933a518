// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/kernel_impl.hpp"
#include "sim/functional/lanes.hpp"
#include "sim/functional/lowering.hpp"

/// Communication between lanes, special registers, and the way from vector to uniform registers.
namespace coulomb::functional {
namespace {
using isa::Modifier;
using isa::Opcode;

enum SpecialRegister : unsigned {
  kLaneId = 0,
  kVirtId = 3,
  kTid = 32,
  kTidX = 33,
  kTidY = 34,
  kTidZ = 35,
  kCtaidX = 37,
  kCtaidY = 38,
  kCtaidZ = 39,
  kNtid = 40,
  kSmemsz = 50,
  kLmemHiOff = 55, // lower end of the stack, with which unoptimised code compares R1: 0
  kEqMask = 56,
  kLtMask = 57,
  kLeMask = 58,
  kGtMask = 59,
  kGeMask = 60,
  kVirtualSmid = 67,
  kClockLo = 80,
  kClockHi = 81,
  kGlobalTimerLo = 82,
  kGlobalTimerHi = 83,
  kPm0 = 100, // PM0, PM_HI0, PM1 ... PM_HI7
  kPmHi7 = 115,
  kZero = 255,
};

/// The performance monitors of a launch without a profiler: no event is selected, they stay 0.
bool is_performance_monitor(unsigned sr) {
  return sr >= kPm0 && sr <= kPmHi7;
}

bool is_known_special(unsigned sr) {
  switch (sr) {
  case kLaneId:
  case kVirtId:
  case kTid:
  case kTidX:
  case kTidY:
  case kTidZ:
  case kCtaidX:
  case kCtaidY:
  case kCtaidZ:
  case kNtid:
  case kSmemsz:
  case kLmemHiOff:
  case kEqMask:
  case kLtMask:
  case kLeMask:
  case kGtMask:
  case kGeMask:
  case kVirtualSmid:
  case kClockLo:
  case kClockHi:
  case kGlobalTimerLo:
  case kGlobalTimerHi:
  case kZero:
    return true;
  default:
    return is_performance_monitor(sr);
  }
}

/// The global timer counts nanoseconds; it is taken to advance by one with each SM cycle
/// (assumption: 1 GHz).
std::uint32_t special(const Context& ctx, unsigned sr, int l) {
  const ThreadIds& t = ctx.kernel.threads[ctx.warp.warp_in_cta];
  const auto lane = static_cast<unsigned>(l);
  switch (sr) {
  case kLaneId:
    return lane;
  case kVirtId:
    return (ctx.machine.warp_slot & 0x7f) << 8;
  case kTid:
    return t.x[l] | t.y[l] << 16 | t.z[l] << 26;
  case kTidX:
    return t.x[l];
  case kTidY:
    return t.y[l];
  case kTidZ:
    return t.z[l];
  case kCtaidX:
    return ctx.cta.id.x;
  case kCtaidY:
    return ctx.cta.id.y;
  case kCtaidZ:
    return ctx.cta.id.z;
  case kNtid:
    return ctx.kernel.block.x | ctx.kernel.block.y << 16 | ctx.kernel.block.z << 26;
  case kSmemsz:
    return ctx.kernel.shared_bytes;
  case kEqMask:
    return 1U << lane;
  case kLtMask:
    return (1U << lane) - 1;
  case kLeMask:
    return (2U << lane) - 1;
  case kGtMask:
    return ~((2U << lane) - 1);
  case kGeMask:
    return ~((1U << lane) - 1);
  case kVirtualSmid:
    return ctx.machine.sm_id;
  case kClockLo:
  case kGlobalTimerLo:
    return static_cast<std::uint32_t>(ctx.machine.cycle);
  case kClockHi:
  case kGlobalTimerHi:
    return static_cast<std::uint32_t>(ctx.machine.cycle >> 32);
  default: // kLmemHiOff, performance monitors, kZero
    return 0;
  }
}

/// aux[0] = special register
void s2r(Context& ctx, const MicroOp& op) {
  for_lanes(ctx, row(ctx, op.dst), [&](int l) { return special(ctx, op.aux[0], l); });
}

/// A pair: the register and the one after it.
void cs2r64(Context& ctx, const MicroOp& op) {
  const unsigned sr = op.aux[0];
  for_lanes64(ctx, row(ctx, op.dst),
              [&](int l) { return join(special(ctx, sr, l), special(ctx, sr + 1, l)); });
}

/// CS2R from SRZ, the compiler's way to clear a pair.
void clear_pair(Context& ctx, const MicroOp& op) {
  for_lanes64(ctx, row(ctx, op.dst), [](int) { return std::uint64_t{0}; });
}

void s2ur(Context& ctx, const MicroOp& op) {
  *row(ctx, op.dst) = special(ctx, op.aux[0], std::countr_zero(ctx.exec));
}

Handler lower_special(Lowering& low) {
  const unsigned sr = low.operand(1).index;
  low.op.aux[0] = static_cast<std::uint8_t>(sr);
  if (!is_known_special(sr)) {
    return nullptr;
  }
  if (low.in.opcode == Opcode::S2UR) {
    low.uniform_dst(0);
    return s2ur;
  }
  low.dst(0);
  const bool pair = low.in.opcode == Opcode::CS2R && low.modifier(Modifier::w) != 0;
  if (pair && sr != kClockLo && sr != kGlobalTimerLo && sr != kZero &&
      !is_performance_monitor(sr)) {
    return nullptr;
  }
  if (pair) {
    return sr == kZero ? clear_pair : cs2r64;
  }
  return s2r;
}

/// Lane that lane `l` reads, or -1: its own value, predicate false. `c` = {segment mask 8..12,
/// clamp 0..4}.
template <unsigned Mode>
int shuffle_source(int l, std::uint32_t b, std::uint32_t c) {
  const int segment = static_cast<int>(c >> 8 & 31);
  const int clamp = static_cast<int>(c & 31);
  const int offset = static_cast<int>(b & 31);
  const int first = l & segment;
  const int bound = first | (clamp & ~segment & 31);
  int j = 0;
  bool valid = false;
  if constexpr (Mode == 0) { // IDX
    j = first | (offset & ~segment & 31);
    valid = j <= bound;
  } else if constexpr (Mode == 1) { // UP
    j = l - offset;
    valid = j >= bound;
  } else if constexpr (Mode == 2) { // DOWN
    j = l + offset;
    valid = j <= bound;
  } else { // BFLY
    j = l ^ offset;
    valid = j <= bound;
  }
  return valid ? j : -1;
}

template <unsigned Mode>
void shfl(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* b = row(ctx, op.src[1]);
  const std::uint32_t* c = row(ctx, op.src[2]);
  alignas(64) std::uint32_t r[kLanes];
  std::uint32_t valid = 0;
  for (int l = 0; l < kLanes; ++l) {
    const int j = shuffle_source<Mode>(l, b[l], c[l]);
    valid |= (j >= 0 ? 1U : 0U) << l;
    r[l] = a[j >= 0 ? j : l];
  }
  set_predicate(ctx, op.pdst[0], valid);
  store_row(ctx, row(ctx, op.dst), r);
}

Handler lower_shfl(Lowering& low) {
  low.pdst(0, 0);
  low.dst(1);
  for (int i = 0; i < 3; ++i) {
    low.src(i, 2 + i);
  }
  switch (low.modifier(Modifier::op)) {
  case 0:
    return shfl<0>;
  case 1:
    return shfl<1>;
  case 2:
    return shfl<2>;
  default:
    return shfl<3>;
  }
}

/// 0 ALL, 1 ANY, 2 EQ over the executing lanes.
bool vote_result(const Context& ctx, unsigned mode, std::uint32_t ballot) {
  if (mode == 1) {
    return ballot != 0;
  }
  return ballot == ctx.exec || (mode == 2 && ballot == 0);
}

void vote(Context& ctx, const MicroOp& op) {
  const std::uint32_t ballot = predicate(ctx, op.psrc[0]) & ctx.exec;
  for_lanes(ctx, row(ctx, op.dst), [=](int) { return ballot; });
  set_predicate(ctx, op.pdst[0], vote_result(ctx, op.aux[0], ballot) ? kAllLanes : 0);
}

void voteu(Context& ctx, const MicroOp& op) {
  const std::uint32_t ballot = predicate(ctx, op.psrc[0]) & ctx.exec;
  *row(ctx, op.dst) = ballot;
  if (op.pdst[0] != 7) {
    ctx.warp.uniform_predicates[op.pdst[0]] = vote_result(ctx, op.aux[0], ballot);
  }
}

/// aux[0]: 0 ALL, 1 ANY; aux[1]: compare pairs.
void match(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* h = row(ctx, op.aux[1] != 0 ? op.src_hi[0] : op.src[0]);
  alignas(64) std::uint32_t r[kLanes] = {};
  std::uint32_t todo = ctx.exec;
  while (todo != 0) {
    const int first = std::countr_zero(todo);
    std::uint32_t same = 0;
    each_lane(todo, [&](int l) { same |= (a[l] == a[first] && h[l] == h[first] ? 1U : 0U) << l; });
    each_lane(same, [&](int l) { r[l] = same; });
    todo &= ~same;
  }
  if (op.aux[0] == 0) {
    const bool all = r[std::countr_zero(ctx.exec)] == ctx.exec;
    for (std::uint32_t& v : r) {
      v = all ? v : 0;
    }
    set_predicate(ctx, op.pdst[0], all ? kAllLanes : 0);
  }
  store_row(ctx, row(ctx, op.dst), r);
}

/// aux[0]: 0 AND, 1 OR, 2 XOR, 3 SUM, 4 MIN, 5 MAX; aux[1] = signed.
std::uint32_t reduce(std::uint32_t x, std::uint32_t y, const MicroOp& op) {
  const bool less =
      op.aux[1] != 0 ? static_cast<std::int32_t>(x) < static_cast<std::int32_t>(y) : x < y;
  switch (op.aux[0]) {
  case 0:
    return x & y;
  case 1:
    return x | y;
  case 2:
    return x ^ y;
  case 3:
    return x + y;
  case 4:
    return less ? x : y;
  default:
    return less ? y : x;
  }
}

void redux(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const int first = std::countr_zero(ctx.exec);
  std::uint32_t r = a[first];
  each_lane(ctx.exec & (ctx.exec - 1), [&](int l) { r = reduce(r, a[l], op); });
  *row(ctx, op.dst) = r;
}

/// The value of the first executing lane; the predicate says which lanes hold another one.
void r2ur(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t value = a[std::countr_zero(ctx.exec)];
  set_predicate(ctx, op.pdst[0], lanes_where([=](int l) { return a[l] != value; }));
  *row(ctx, op.dst) = value;
}
} // namespace

Handler select_warp(Lowering& low) {
  switch (low.in.opcode) {
  case Opcode::S2R:
  case Opcode::CS2R:
  case Opcode::S2UR:
    return lower_special(low);
  case Opcode::SHFL:
    return lower_shfl(low);
  case Opcode::VOTE:
    low.dst(0);
    low.pdst(0, 1);
    low.psrc(0, 2);
    low.op.aux[0] = static_cast<std::uint8_t>(low.modifier(Modifier::op));
    return vote;
  case Opcode::VOTEU:
    low.uniform_dst(0);
    low.pdst(0, 1);
    low.psrc(0, 2);
    low.op.aux[0] = static_cast<std::uint8_t>(low.modifier(Modifier::op));
    return voteu;
  case Opcode::MATCH:
    low.pdst(0, 0);
    low.dst(1);
    low.src64(0, 2);
    low.op.aux[0] = static_cast<std::uint8_t>(low.modifier(Modifier::op));
    low.op.aux[1] = static_cast<std::uint8_t>(low.modifier(Modifier::U64));
    return match;
  case Opcode::REDUX:
    low.uniform_dst(0);
    low.src(0, 1);
    low.op.aux[0] = static_cast<std::uint8_t>(low.modifier(Modifier::op));
    low.op.aux[1] = static_cast<std::uint8_t>(low.modifier(Modifier::sign));
    return redux;
  case Opcode::R2UR:
    low.pdst(0, 0);
    low.uniform_dst(1);
    low.src(0, 2);
    return r2ur;
  default:
    return nullptr;
  }
}

} // namespace coulomb::functional
