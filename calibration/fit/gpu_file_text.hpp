// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_catalogue.hpp"

#include <string>

namespace coulomb::calibration {

/// A GPU file that loads to this configuration and these sources: it extends `preset` and holds
/// what differs from it; with an empty `preset` it holds every key. `heading`: lines that start the
/// file as comments.
[[nodiscard]] std::string gpu_file_text(const config::ResolvedGpu& gpu,
                                        const std::string& preset,
                                        const std::string& heading);

/// The preset that a file made from `gpu` extends: the one that `gpu` extends (a file extends one
/// level only), or `gpu` itself if it is a preset of `dir` that stands alone; else empty.
[[nodiscard]] std::string preset_for(const config::ResolvedGpu& gpu,
                                     const std::string& dir = config::default_gpu_dir());

} // namespace coulomb::calibration
