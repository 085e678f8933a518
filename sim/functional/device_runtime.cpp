// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/device_runtime.hpp"

#include "sim/functional/device_printf.hpp"
#include "sim/functional/faults.hpp"
#include "sim/functional/kernel_impl.hpp"
#include "sim/functional/lanes.hpp"

#include <array>
#include <fmt/format.h>
#include <string>

namespace coulomb::functional {
namespace {

/// Far from code, which is linked at address 0, and from data.
constexpr std::uint64_t kEntries = 0x00007d0000000000ULL;
constexpr std::uint64_t kEntryBytes = 16;
constexpr unsigned kFirstArgument = 4;
/// Longest text that is read from device memory: an unterminated one ends.
constexpr std::size_t kLongestText = 64 * 1024;

/// One call of one lane.
class Call {
public:
  Call(Context& ctx, int lane) : ctx_(ctx), lane_(lane) {}

  [[nodiscard]] std::uint32_t argument32(unsigned reg) const {
    return ctx_.warp.registers[reg][static_cast<std::size_t>(lane_)];
  }
  [[nodiscard]] std::uint64_t argument64(unsigned reg) const {
    return join(argument32(reg), argument32(reg + 1));
  }
  void give32(std::uint32_t value) const {
    ctx_.warp.registers[kFirstArgument][static_cast<std::size_t>(lane_)] = value;
  }
  void give64(std::uint64_t value) const {
    give32(static_cast<std::uint32_t>(value));
    ctx_.warp.registers[kFirstArgument + 1][static_cast<std::size_t>(lane_)] =
        static_cast<std::uint32_t>(value >> 32);
  }
  /// One byte at a generic address.
  [[nodiscard]] std::uint8_t byte(std::uint64_t address) const {
    const std::uint64_t offset = address & ((std::uint64_t{1} << kWindowShift) - 1);
    const std::uint64_t window = address - offset;
    if (window == kLocalWindow && offset < ctx_.kernel.local_bytes) {
      return ctx_.warp.local[(offset / 4 * kLanes + static_cast<unsigned>(lane_)) * 4 + offset % 4];
    }
    if (window == kSharedWindow && offset < ctx_.cta.shared.size()) {
      return ctx_.cta.shared[offset];
    }
    try {
      return *ctx_.memory.read(address, 1);
    } catch (const KernelFault& fault) {
      throw_fault(ctx_, std::string("illegal access: ") + fault.what(), lane_);
    }
  }
  [[nodiscard]] std::uint64_t bytes(std::uint64_t address, std::uint32_t count) const {
    std::uint64_t value = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      value |= std::uint64_t{byte(address + i)} << (8 * i);
    }
    return value;
  }
  [[nodiscard]] std::string text(std::uint64_t address) const {
    if (address == 0) {
      return "(null)";
    }
    std::string out;
    while (out.size() < kLongestText) {
      const auto c = static_cast<char>(byte(address + out.size()));
      if (c == '\0') {
        break;
      }
      out += c;
    }
    return out;
  }
  [[nodiscard]] Context& context() const { return ctx_; }
  [[nodiscard]] int lane() const { return lane_; }

private:
  Context& ctx_;
  int lane_;
};

/// int vprintf(const char* format, const void* arguments)
void print(const Call& call) {
  std::uint64_t at = call.argument64(kFirstArgument + 2);
  const PrintfArguments arguments{[&](std::uint32_t bytes) {
                                    at = (at + bytes - 1) / bytes * bytes;
                                    const std::uint64_t value = call.bytes(at, bytes);
                                    at += bytes;
                                    return value;
                                  },
                                  [&](std::uint64_t address) { return call.text(address); }};
  const PrintfResult result = format_printf(call.text(call.argument64(kFirstArgument)), arguments);
  call.context().memory.print(result.text);
  call.give32(static_cast<std::uint32_t>(result.arguments));
}

/// void __assertfail(const char* message, const char* file, unsigned line, const char* function,
/// size_t char_size)
void assertion_failed(const Call& call) {
  Context& ctx = call.context();
  const std::string what = fmt::format(
      "{}:{}: {}: assertion `{}` failed", call.text(call.argument64(kFirstArgument + 2)),
      call.argument32(kFirstArgument + 4), call.text(call.argument64(kFirstArgument + 6)),
      call.text(call.argument64(kFirstArgument)));
  const ThreadIds& threads = ctx.kernel.threads[ctx.warp.warp_in_cta];
  const auto lane = static_cast<std::size_t>(call.lane());
  ctx.memory.print(fmt::format("{}, block ({},{},{}), thread ({},{},{})\n", what, ctx.cta.id.x,
                               ctx.cta.id.y, ctx.cta.id.z, threads.x[lane], threads.y[lane],
                               threads.z[lane]));
  throw_fault(ctx, what, call.lane());
}

/// void* malloc(size_t bytes)
void allocate(const Call& call) {
  call.give64(call.context().memory.heap_allocate(call.argument64(kFirstArgument)));
}

/// void free(void* pointer)
void release(const Call& call) {
  const std::uint64_t address = call.argument64(kFirstArgument);
  if (address != 0 && !call.context().memory.heap_free(address)) {
    throw_fault(call.context(), fmt::format("free of {:#x}, which malloc did not give", address),
                call.lane());
  }
}

struct Function {
  std::string_view name;
  void (*perform)(const Call&);
};
constexpr std::array<Function, 4> kFunctions = {{
    {"vprintf", print},
    {"__assertfail", assertion_failed},
    {"malloc", allocate},
    {"free", release},
}};

} // namespace

std::optional<std::uint64_t> runtime_entry(std::string_view name) {
  for (std::size_t i = 0; i < kFunctions.size(); ++i) {
    if (kFunctions[i].name == name) {
      return kEntries + i * kEntryBytes;
    }
  }
  return std::nullopt;
}

bool is_runtime_entry(std::uint64_t address) {
  return address >= kEntries && address < kEntries + kFunctions.size() * kEntryBytes &&
         (address - kEntries) % kEntryBytes == 0;
}

void call_runtime(Context& ctx, std::uint64_t entry, std::uint32_t lanes) {
  const Function& function = kFunctions[(entry - kEntries) / kEntryBytes];
  each_lane(lanes, [&](int lane) { function.perform(Call(ctx, lane)); });
}

} // namespace coulomb::functional
