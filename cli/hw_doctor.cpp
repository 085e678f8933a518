// SPDX-License-Identifier: Apache-2.0
#include "cli/hw_doctor.hpp"

#include "base/config/gpu_catalogue.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/command_line.hpp"
#include "cli/json_output.hpp"
#include "hw/device/gpu_device.hpp"
#include "hw/toolchain/compiler.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;
using hw::DoctorCheck;
using State = DoctorCheck::State;

constexpr const char* kAbout =
    "usage: coulomb hw doctor [--json]\n\n"
    "Looks at everything that measuring needs and changes nothing. Exit code 3 if kernels cannot\n"
    "be measured here; each line says what was found and, if there is something to do, the "
    "fix.\n\n";

/// What the doctor says of one device, or of the machine.
struct Section {
  std::string title;
  std::vector<DoctorCheck> checks;
};

DoctorCheck check_compiler() {
  try {
    toolchain::Compiler compiler;
    const auto& nvrtc = compiler.nvrtc();
    return {State::ok, "NVRTC", fmt::format("{}, {}", nvrtc.version(), nvrtc.path()), ""};
  } catch (const Error& e) {
    return {State::warn, "NVRTC", e.what(), e.hint()};
  }
}

/// Whether the simulator has a file for the board.
DoctorCheck check_gpu_file(const hw::DeviceInfo& info) {
  const std::string id = hw::gpu_id_of(info.name);
  const auto file = std::filesystem::path(home_dir()) / "configs" / "gpu" / (id + ".toml");
  if (std::filesystem::exists(file)) {
    return {State::ok, "GPU file", id, ""};
  }
  return {State::warn, "GPU file",
          fmt::format("none for {}: it can be measured, not simulated", id),
          "\"coulomb gpus\" lists the boards that can"};
}

Section examine_device(hw::GpuDevice& device) {
  const auto& info = device.info();
  Section section;
  section.title =
      fmt::format("device {}   {}   {}   {} SMs   {} GiB   driver {}   CUDA {}", info.ordinal,
                  info.name, info.architecture(), info.sms, info.memory_bytes >> 30,
                  info.driver_version.empty() ? "?" : info.driver_version, info.cuda_version);
  section.checks = device.examine();
  section.checks.push_back(check_gpu_file(info));
  return section;
}

std::vector<Section> examine_all() {
  Section machine{"machine", {check_compiler()}};
  std::vector<Section> sections;
  std::uint32_t devices = 1;
  try {
    for (std::uint32_t i = 0; i < devices; ++i) {
      hw::GpuDevice device(i, {}, executable_dir());
      devices = device.device_count();
      sections.push_back(examine_device(device));
    }
    machine.checks.push_back(
        {State::ok, "driver", fmt::format("{} device{}", devices, devices == 1 ? "" : "s"), ""});
  } catch (const EnvironmentError& e) {
    machine.checks.push_back({State::fail, "driver", e.what(), e.hint()});
  }
  sections.insert(sections.begin(), machine);
  return sections;
}

const char* word(State state) {
  switch (state) {
  case State::ok:
    return "ok";
  case State::warn:
    return "warn";
  case State::fail:
    return "FAIL";
  }
  return "";
}

std::string text_of(const std::vector<Section>& sections) {
  std::string text;
  for (const Section& section : sections) {
    text += section.title + "\n";
    for (const DoctorCheck& check : section.checks) {
      text += fmt::format("  {:<5} {:<20} {}\n", word(check.state), check.subject, check.finding);
      if (!check.fix.empty()) {
        text += fmt::format("        fix  {}\n", check.fix);
      }
    }
  }
  return text;
}

std::string json_of(const std::vector<Section>& sections, bool usable) {
  nlohmann::ordered_json json = {{"schema", kJsonSchema}, {"usable", usable}};
  json["sections"] = nlohmann::ordered_json::array();
  for (const Section& section : sections) {
    nlohmann::ordered_json checks = nlohmann::ordered_json::array();
    for (const DoctorCheck& check : section.checks) {
      checks.push_back(nlohmann::ordered_json(hw::doctor_check_json(check)));
    }
    json["sections"].push_back({{"title", section.title}, {"checks", checks}});
  }
  return json_text(json);
}

} // namespace

int run_hw_doctor(const std::vector<std::string>& args) {
  po::options_description options("Options");
  auto add = options.add_options();
  add("json", "print one JSON object");
  add("help,h", "print this help");
  const auto values = parse_options("hw doctor", args, options);
  if (values.count("help") > 0) {
    std::ostringstream out;
    out << kAbout << options;
    fmt::print("{}", out.str());
    return 0;
  }
  const auto sections = examine_all();
  const bool usable = std::none_of(sections.begin(), sections.end(), [](const Section& section) {
    return std::any_of(section.checks.begin(), section.checks.end(),
                       [](const DoctorCheck& check) { return check.state == State::fail; });
  });
  fmt::print("{}{}", values.count("json") > 0 ? json_of(sections, usable) : text_of(sections),
             values.count("json") > 0 ? "\n" : "");
  return usable ? 0 : EnvironmentError("").exit_code();
}

} // namespace coulomb::cli
