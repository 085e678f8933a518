// SPDX-License-Identifier: Apache-2.0
#include "cli/hw_measure.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/hw_measure_options.hpp"
#include "cli/hw_measure_report.hpp"
#include "hw/device/clock_guard.hpp"
#include "hw/device/gpu_device.hpp"
#include "hw/device/power_sensor.hpp"
#include "hw/replay/recorded_device.hpp"
#include "search/driver/interruption.hpp"
#include "search/store/evaluation_record.hpp"

#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <optional>

namespace coulomb::cli {
namespace {

using results::MeasurementFile;

/// The device that --device means, and the head of the file for what it measures.
struct Chosen {
  std::unique_ptr<hw::MeasuringDevice> device;
  MeasurementFile file;
  std::string pci_bus_id; ///< empty: recorded
};

MeasurementFile head_of(const MeasureCommand& command, const hw::MeasuringDevice& device) {
  MeasurementFile file;
  file.path = command.out;
  file.version = COULOMB_VERSION;
  file.date = search::utc_now();
  file.address = device.address();
  file.board = device.board();
  file.sampling = command.options.sampling;
  file.cache_state = command.options.cache_state;
  file.locked_sm_clock_mhz = command.lock_clock_mhz;
  return file;
}

Chosen choose_replay(const MeasureCommand& command) {
  const std::string path =
      results::find_silicon_table(command.replayed, home_dir() + "/data/silicon");
  auto device = std::make_unique<hw::RecordedDevice>(results::SiliconTable::load(path));
  MeasurementFile file = head_of(command, *device);
  file.gpu = device->table().metadata.gpu;
  file.cache_state = device->table().metadata.cache_state;
  return {std::move(device), std::move(file), ""};
}

Chosen choose_gpu(const MeasureCommand& command, const std::atomic<bool>& stop) {
  const std::string& text = command.device;
  std::uint32_t ordinal = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), ordinal);
  if (ec != std::errc{} || end != text.data() + text.size()) {
    throw UserError(fmt::format("hw measure: --device is \"{}\"; it must be a device's number, or "
                                "replay:TABLE",
                                text),
                    "\"coulomb hw doctor\" lists the devices");
  }
  auto gpu = std::make_unique<hw::GpuDevice>(ordinal, command.options, executable_dir(), &stop);
  if (command.options.power_s > 0.0) {
    gpu->set_power_window(
        hw::power_window_ms(home_dir() + "/data/power/power_sensor.csv", gpu->board()));
  }
  MeasurementFile file = head_of(command, *gpu);
  file.gpu = hw::gpu_id_of(file.board);
  file.device = hw::device_info_json(gpu->info());
  const std::string bus = gpu->info().pci_bus_id;
  return {std::move(gpu), std::move(file), bus};
}

/// The file that exists, if its rows were measured alike; else the new one.
MeasurementFile continue_file(const MeasurementFile& fresh) {
  if (fresh.path.empty() || !std::filesystem::exists(fresh.path)) {
    return fresh;
  }
  MeasurementFile old = MeasurementFile::load(fresh.path);
  if (old.board != fresh.board || old.device != fresh.device ||
      old.cache_state != fresh.cache_state ||
      old.locked_sm_clock_mhz != fresh.locked_sm_clock_mhz) {
    throw UserError(fmt::format("{} holds measurements of another board, driver, clock or cache "
                                "state ({}, {})",
                                fresh.path, old.board, old.date),
                    "name another file with --out");
  }
  return old;
}

results::MeasuredKernel& kernel_of(MeasurementFile& file, const kernel::TunableSpec& spec) {
  for (auto& measured : file.kernels) {
    if (measured.spec == spec.name && measured.problem_size == spec.problem_size) {
      return measured;
    }
  }
  file.kernels.push_back({spec.name, spec.problem_size, {}});
  return file.kernels.back();
}

/// Measures all, until a signal comes. A recorded table that lacks one of several configurations
/// leaves it out, with the reason.
void measure_all(const MeasureCommand& command,
                 hw::MeasuringDevice& device,
                 const std::atomic<bool>& stop,
                 MeasurementFile& file,
                 MeasureReport& report) {
  const kernel::TunableSpec& spec = command.kernel.spec;
  for (const kernel::Configuration& configuration : command.configurations) {
    try {
      const results::MeasuredRow row{configuration, device.measure(spec, configuration)};
      report.add(row);
      kernel_of(file, spec).rows.push_back(row);
    } catch (const UserError& e) {
      if (command.replayed.empty() || command.configurations.size() == 1) {
        throw;
      }
      report.leave_out(configuration, e.what());
      continue;
    } catch (const EnvironmentError&) {
      if (!stop.load()) {
        throw;
      }
    }
    if (stop.load()) {
      return;
    }
    if (!file.path.empty()) {
      file.save();
    }
  }
}

} // namespace

int run_hw_measure(const std::vector<std::string>& args) {
  const auto command = read_measure_command(args);
  if (!command) {
    return 0;
  }
  search::Interruption interruption("stopping; what was measured is kept");
  Chosen chosen = command->replayed.empty() ? choose_gpu(*command, interruption.stop())
                                            : choose_replay(*command);
  if (command->plan) {
    fmt::print("{}", plan_text(*chosen.device, command->kernel.spec, command->configurations,
                               command->options));
    return 0;
  }
  MeasurementFile file = continue_file(chosen.file);
  std::optional<hw::ClockLock> lock;
  if (command->lock_clock_mhz > 0) {
    lock.emplace(executable_dir() + "/coulomb-device-worker", chosen.pci_bus_id,
                 command->lock_clock_mhz);
  }
  MeasureReport report(*chosen.device, command->kernel.spec, command->json);
  measure_all(*command, *chosen.device, interruption.stop(), file, report);
  report.finish(file.path);
  if (interruption.stop().load()) {
    return search::kInterruptedExit;
  }
  return command->configurations.size() == 1 && !report.all_ok() ? UnsupportedError("").exit_code()
                                                                 : 0;
}

} // namespace coulomb::cli
