// SPDX-License-Identifier: Apache-2.0
// Where the structure of JSON records lies: a bit for each quote and each operator outside strings.
// One warp takes a record, 16 bytes a lane; bytes are classified four at a time by byte permutes,
// and what a lane must know of those before it (escapes, open strings, depth) comes by ballots.

using u32 = unsigned;
using u64 = unsigned long long;

constexpr int kWarps = 4;
constexpr u32 kFull = 0xffffffffu;

/// Classes of bytes. A byte has a class if the tables of its low and of its high nibble both do.
enum Class : u32 { kOpen = 1, kColon = 2, kComma = 4, kClose = 8 };

struct Summary {
  int structurals;
  int code_points;
  int max_depth;
  int flags; ///< 1: a string is left open, 2: brackets do not balance, 4: a control in a string
};

/// Sixteen bits, one for each byte of a lane.
struct Masks {
  u32 quote = 0;
  u32 backslash = 0;
  u32 open = 0;
  u32 close = 0;
  u32 separator = 0;
  u32 control = 0;
  u32 continuation = 0;
};

/// `table`[nibble] for the four nibbles in the bytes of `nibbles`.
__device__ __forceinline__ u32 look_up(u32 t0, u32 t1, u32 t2, u32 t3, u32 nibbles) {
  u32 selector = nibbles | nibbles >> 4;
  selector = __byte_perm(selector, 0, 0x4420) & 0x7777u;
  const u32 low = __byte_perm(t0, t1, selector);
  const u32 high = __byte_perm(t2, t3, selector);
  const u32 upper = (nibbles >> 3 & 0x01010101u) * 0xffu;
  return (high & upper) | (low & ~upper);
}

/// ':' 3a, ',' 2c, '[' 5b, '{' 7b, ']' 5d, '}' 7d.
__device__ __forceinline__ u32 classify(u32 bytes) {
  const u32 of_low =
      look_up(0, 0, kColon << 16 | kOpen << 24, kComma | kClose << 8, bytes & 0x0f0f0f0fu);
  const u32 of_high =
      look_up(kComma << 16 | kColon << 24, (kOpen | kClose) << 8 | (kOpen | kClose) << 24, 0, 0,
              bytes >> 4 & 0x0f0f0f0fu);
  return of_low & of_high;
}

/// The four bits of bytes that are all ones.
__device__ __forceinline__ u32 gather(u32 bytes) {
  return (bytes & 0x08040201u) * 0x01010101u >> 24;
}

__device__ __forceinline__ u32 having(u32 classes, u32 wanted) {
  return gather(__vcmpne4(classes & wanted * 0x01010101u, 0));
}

__device__ __forceinline__ void add_word(Masks& masks, u32 word, int shift) {
  const u32 classes = classify(word);
  masks.quote |= gather(__vcmpeq4(word, 0x22222222u)) << shift;
  masks.backslash |= gather(__vcmpeq4(word, 0x5c5c5c5cu)) << shift;
  masks.open |= having(classes, kOpen) << shift;
  masks.close |= having(classes, kClose) << shift;
  masks.separator |= having(classes, kColon | kComma) << shift;
  masks.control |= gather(__vcmpltu4(word, 0x20202020u)) << shift;
  masks.continuation |= gather(__vcmplts4(word, 0xc0c0c0c0u)) << shift;
}

/// Bytes whose backslash makes them literal; `carry` tells that the first one is.
__device__ __forceinline__ u32 escaped_bytes(u32 backslash, u32 carry) {
  u32 escaped = carry;
  u32 left = backslash & ~carry;
  while (left != 0) {
    const u32 first = left & (0u - left);
    escaped |= first << 1;
    left &= ~(first | first << 1);
  }
  return escaped & 0xffffu;
}

/// For each lane whether the byte before its first is an unescaped backslash: runs of backslashes
/// generate, whole lanes of them propagate a carry, and an addition carries.
__device__ __forceinline__ u32 escape_carry(u32 backslash, u32& carry) {
  const int run = __clz(~(backslash << 16));
  const u32 generate = __ballot_sync(kFull, run < 16 && run % 2 == 1);
  const u32 propagate = __ballot_sync(kFull, run >= 16);
  const u32 either = generate | propagate;
  const u64 sum = static_cast<u64>(either) + generate + carry;
  carry = static_cast<u32>(sum >> 32);
  return (static_cast<u32>(sum) ^ either ^ generate) >> threadIdx.x % 32 & 1;
}

/// Bit i is the parity of bits 0 .. i.
__device__ __forceinline__ u32 prefix_parity(u32 bits) {
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  bits ^= bits << 8;
  return bits & 0xffffu;
}

/// Deepest nesting after any byte of the lane, which starts at `depth`.
__device__ __forceinline__ int deepest(u32 open, u32 close, int depth) {
  int most = depth;
  for (u32 left = open | close; left != 0; left &= left - 1) {
    depth += (open & left & (0u - left)) != 0 ? 1 : -1;
    most = max(most, depth);
  }
  return most;
}

/// What is carried from one 512 bytes to the next; the same in all lanes.
struct State {
  u32 escape = 0;
  u32 in_string = 0;
  int depth = 0;
};

/// What a lane gathers.
struct Tally {
  int structurals = 0;
  int code_points = 0;
  int max_depth = 0;
  bool control = false;
};

/// Takes a lane's 16 bytes, of which those in `valid` count; returns its structural bits.
__device__ u32 scan_chunk(const uint4& bytes, u32 valid, State& state, Tally& tally) {
  Masks masks;
  add_word(masks, bytes.x, 0);
  add_word(masks, bytes.y, 4);
  add_word(masks, bytes.z, 8);
  add_word(masks, bytes.w, 12);

  const u32 backslash = masks.backslash & valid;
  const u32 escaped = escaped_bytes(backslash, escape_carry(backslash, state.escape));
  const u32 quotes = masks.quote & valid & ~escaped;
  const u32 odd = __ballot_sync(kFull, __popc(quotes) % 2 == 1);
  u32 lanes_below;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lanes_below));
  const u32 starts_inside = (__popc(odd & lanes_below) & 1) ^ state.in_string;
  const u32 inside = prefix_parity(quotes) ^ (0u - starts_inside & 0xffffu);
  state.in_string ^= __popc(odd) & 1;

  const u32 outside = valid & ~inside;
  const u32 open = masks.open & outside;
  const u32 close = masks.close & outside;
  const u32 structural = open | close | (masks.separator & outside) | quotes;

  int depth = __popc(open) - __popc(close);
  const int change = depth;
#pragma unroll
  for (int delta = 1; delta < 32; delta *= 2) {
    const int other = __shfl_up_sync(kFull, depth, delta);
    depth += static_cast<int>(threadIdx.x % 32) >= delta ? other : 0;
  }
  tally.max_depth = max(tally.max_depth, deepest(open, close, state.depth + depth - change));
  state.depth += __shfl_sync(kFull, depth, 31);
  tally.structurals += __popc(structural);
  tally.code_points += __popc(valid & ~masks.continuation);
  tally.control |= (masks.control & inside & valid) != 0;
  return structural;
}

/// Record r is bytes [offsets[r], offsets[r + 1]) of `text`, which is aligned to 16 bytes and
/// padded to a multiple of them. Its bits, counted from the aligned byte at or before its first, go
/// to `bitmap` from element bitmap_offsets[r] on, 16 to an element.
extern "C" __global__ void __launch_bounds__(kWarps * 32)
    json_structure(const unsigned char* __restrict__ text,
                   const int* __restrict__ offsets,
                   const int* __restrict__ bitmap_offsets,
                   int records,
                   unsigned short* __restrict__ bitmap,
                   Summary* __restrict__ summaries) {
  const int record = blockIdx.x * kWarps + threadIdx.x / 32;
  if (record >= records) {
    return;
  }
  const int lane = threadIdx.x % 32;
  const int begin = offsets[record];
  const int end = offsets[record + 1];
  const int base = begin & ~15;
  const int chunks = (end - base + 15) / 16;

  State state;
  Tally tally;
  for (int first = 0; first < chunks; first += 32) {
    const int chunk = first + lane;
    const int at = base + chunk * 16;
    uint4 bytes = make_uint4(0, 0, 0, 0);
    u32 valid = 0;
    if (chunk < chunks) {
      bytes = __ldg(reinterpret_cast<const uint4*>(text + at));
      const int skip = max(begin - at, 0);
      const int stop = min(end - at, 16);
      valid = stop > skip ? (0xffffu >> (16 - stop)) & (0xffffu << skip) : 0;
    }
    const u32 structural = scan_chunk(bytes, valid, state, tally);
    if (chunk < chunks) {
      bitmap[bitmap_offsets[record] + chunk] = static_cast<unsigned short>(structural);
    }
  }

  const int structurals = __reduce_add_sync(kFull, tally.structurals);
  const int code_points = __reduce_add_sync(kFull, tally.code_points);
  const int max_depth = __reduce_max_sync(kFull, tally.max_depth);
  const bool control = __any_sync(kFull, tally.control);
  if (lane == 0) {
    const int flags =
        (state.in_string != 0 ? 1 : 0) | (state.depth != 0 ? 2 : 0) | (control ? 4 : 0);
    summaries[record] = {structurals, code_points, max_depth, flags};
  }
}
