// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "base/eval/simulation.hpp"
#include "sim/isa/cubin.hpp"
#include "sim/timing/sm/streaming_multiprocessor.hpp"

#include <optional>

namespace coulomb::worker {

/// What a request wants recorded of its timed run: room made before the run, results after it.
class Recording {
public:
  /// `image` must outlive this.
  Recording(const eval::ProfileRequest& request,
            const isa::KernelImage& image,
            const config::GpuConfig& gpu,
            std::uint32_t sms);

  /// Makes the SMs that run `program` report here; this must then stay where it is.
  void attach(timing::sm::SmProgram& program);
  /// Puts what was recorded into the outcome.
  void report(eval::SimOutcome& outcome) const;

private:
  void report_instructions(eval::SimOutcome& outcome) const;
  void report_timeline(eval::SimOutcome& outcome) const;

  const isa::KernelImage& image_;
  timing::sm::InstructionProfile profile_; ///< empty: not asked for
  std::optional<timing::sm::Timeline> timeline_;
};

} // namespace coulomb::worker
