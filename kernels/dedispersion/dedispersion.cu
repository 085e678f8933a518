// SPDX-License-Identifier: Apache-2.0
//
// Incoherent dedispersion of a radio-astronomy observation: for each dispersion measure (DM) d and
// each sample s, the sum of all frequency channels, each delayed by what that DM predicts:
//   output[d][s] = sum over c of (float)input[c][s + shift(d, c)]
//   shift(d, c)  = (unsigned int)((dm_first + d * dm_step) * shifts[c])
//
// A thread computes tile_size_x samples of tile_size_y DMs, one after the other: every output is
// summed over all channels before the next one begins. Tunable parameters, all given as macros:
//   block_size_x, block_size_y      threads per block: samples, DMs
//   tile_size_x, tile_size_y        outputs per thread
//   tile_stride_x, tile_stride_y    0: a thread's outputs are neighbours; 1: one block apart
//   loop_unroll_factor_channel      unrolling of the channel loop; 0: the compiler decides
// The grid covers the problem without regard to the tiles, so that with tiles larger than 1 the
// surplus blocks find nothing to do and exit: this is how the published tables were measured.

#ifndef nr_dms
#define nr_dms 2048
#endif
#ifndef nr_samples
#define nr_samples 25000
#endif
#ifndef nr_channels
#define nr_channels 1536
#endif
// Samples of a channel: the largest shift stays below 650.
#ifndef nr_samples_per_channel
#define nr_samples_per_channel (nr_samples + 650)
#endif
#ifndef dm_first
#define dm_first 0.0f
#endif
#ifndef dm_step
#define dm_step 0.02f
#endif

#if tile_stride_x == 0
#define sample_of(k) ((blockIdx.x * block_size_x + threadIdx.x) * tile_size_x + (k))
#else
#define sample_of(k) (blockIdx.x * block_size_x * tile_size_x + threadIdx.x + (k)*block_size_x)
#endif
#if tile_stride_y == 0
#define dm_of(k) ((blockIdx.y * block_size_y + threadIdx.y) * tile_size_y + (k))
#else
#define dm_of(k) (blockIdx.y * block_size_y * tile_size_y + threadIdx.y + (k)*block_size_y)
#endif

extern "C" __global__ void
dedispersion_kernel(const unsigned char* input, float* output, const float* shifts) {
  for (unsigned int j = 0; j < tile_size_y; j++) {
    const unsigned int dm = dm_of(j);
    const float dispersion = dm_first + dm * dm_step;
    for (unsigned int i = 0; i < tile_size_x; i++) {
      const unsigned int sample = sample_of(i);
      if (sample < nr_samples && dm < nr_dms) {
        float sum = 0.0f;
#if loop_unroll_factor_channel > 0
#pragma unroll loop_unroll_factor_channel
#endif
        for (unsigned int channel = 0; channel < nr_channels; channel++) {
          const unsigned int shift = (unsigned int)(dispersion * shifts[channel]);
          sum += (float)input[channel * nr_samples_per_channel + sample + shift];
        }
        output[dm * nr_samples + sample] = sum;
      }
    }
  }
}
