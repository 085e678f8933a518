// SPDX-License-Identifier: Apache-2.0
// k10 convolutions and filters, k11 dedispersion and stencils.
#include "tests/kernels/kernel_case.hpp"

#include <algorithm>

namespace coulomb::kernels_test {
namespace {

using std::size_t;

/// Reads [y][x] of an image of the given width.
struct Image {
  const std::vector<float>& data;
  int width;
  double operator()(int y, int x) const { return data[static_cast<size_t>(y * width + x)]; }
};

/// Samples outside the image are those of its edge.
void conv2d_sh(Problem& p) {
  constexpr int kWidth = 100;
  constexpr int kHeight = 30;
  constexpr int kFilter = 7;
  const auto filter = p.floats(static_cast<size_t>(33 * 33));
  const auto in = p.floats(static_cast<size_t>(kWidth * kHeight));
  std::vector<double> want;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      double sum = 0.0;
      for (int i = 0; i < kFilter; ++i) {
        for (int j = 0; j < kFilter; ++j) {
          sum += Image{in, kWidth}(std::clamp(y + i - kFilter / 2, 0, kHeight - 1),
                                   std::clamp(x + j - kFilter / 2, 0, kWidth - 1)) *
                 Image{filter, kFilter}(i, j);
        }
      }
      want.push_back(sum);
    }
  }
  p.constant("d_filter", filter);
  p.output(std::vector<float>(in.size(), 4.0F), want, {.absolute = 49 * 6e-8 * 8});
  p.input(in);
  p.value(kWidth);
  p.value(kHeight);
}

void conv2d_direct(Problem& p) {
  constexpr int kWidth = 37;
  constexpr int kHeight = 11;
  constexpr int kFilter = 5;
  constexpr int kPadded = kWidth + kFilter - 1;
  const auto in = p.floats(static_cast<size_t>(kPadded * (kHeight + kFilter - 1)));
  const auto filter = p.floats(static_cast<size_t>(kFilter * kFilter));
  std::vector<double> want;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      double s = 0.0;
      for (int i = 0; i < kFilter; ++i) {
        for (int j = 0; j < kFilter; ++j) {
          s += Image{in, kPadded}(y + i, x + j) * Image{filter, kFilter}(i, j);
        }
      }
      want.push_back(s);
    }
  }
  p.output(std::vector<float>(want.size(), 0.0F), want, {.absolute = 2e-5});
  p.input(in);
  p.input(filter);
  p.value(kWidth);
  p.value(kHeight);
  p.value(kFilter);
}

void blur_rgba(Problem& p) {
  constexpr int kWidth = 21;
  constexpr int kHeight = 10;
  const auto in = p.integers<std::uint8_t>(static_cast<size_t>(4 * kWidth * kHeight));
  std::vector<std::uint8_t> want;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      int sums[3] = {};
      int count = 0;
      for (int yy = std::max(y - 1, 0); yy <= std::min(y + 1, kHeight - 1); ++yy) {
        for (int xx = std::max(x - 1, 0); xx <= std::min(x + 1, kWidth - 1); ++xx) {
          ++count;
          for (int c = 0; c < 3; ++c) {
            sums[c] += in[static_cast<size_t>(4 * (yy * kWidth + xx) + c)];
          }
        }
      }
      for (const int sum : sums) {
        want.push_back(static_cast<std::uint8_t>(sum / count));
      }
      want.push_back(255);
    }
  }
  p.input(in);
  p.output(std::vector<std::uint8_t>(in.size()), want);
  p.value(kWidth);
  p.value(kHeight);
}

void sobel_f(Problem& p) {
  constexpr int kWidth = 24;
  constexpr int kHeight = 15;
  const auto in = p.floats(static_cast<size_t>(kWidth * kHeight), 0.0, 0.4);
  const Image at{in, kWidth};
  std::vector<double> want(in.size(), -1.0);
  for (int y = 1; y < kHeight - 1; ++y) {
    for (int x = 1; x < kWidth - 1; ++x) {
      const double gx = at(y - 1, x + 1) + 2 * at(y, x + 1) + at(y + 1, x + 1) - at(y - 1, x - 1) -
                        2 * at(y, x - 1) - at(y + 1, x - 1);
      const double gy = at(y + 1, x - 1) + 2 * at(y + 1, x) + at(y + 1, x + 1) - at(y - 1, x - 1) -
                        2 * at(y - 1, x) - at(y - 1, x + 1);
      want[static_cast<size_t>(y * kWidth + x)] = std::min(1.0, std::hypot(gx, gy));
    }
  }
  p.input(in);
  p.output(std::vector<float>(in.size(), -1.0F), want, {.absolute = 6e-7});
  p.value(kWidth);
  p.value(kHeight);
}

void dedisperse(Problem& p) {
  constexpr int kChannels = 9;
  constexpr int kSamples = 250;
  constexpr int kStride = 400;
  const auto in = p.integers<std::uint8_t>(static_cast<size_t>(kChannels * kStride));
  auto shifts = p.floats(kChannels, 0.0, 40.0);
  std::vector<float> want;
  for (int d = 0; d < 4; ++d) {
    // Steps that a float holds exactly, so that contraction makes no difference to `dm`.
    const float dm = 0.5F + static_cast<float>(d) * 0.25F;
    for (int t = 0; t < kSamples; ++t) {
      float sum = 0.0F;
      for (int c = 0; c < kChannels; ++c) {
        const int s = static_cast<int>(dm * shifts[static_cast<size_t>(c)]);
        sum += in[static_cast<size_t>(c * kStride + t + s)];
      }
      want.push_back(sum);
    }
  }
  p.input(in);
  p.output(std::vector<float>(want.size(), 0.0F), want);
  p.input(shifts);
  p.value(0.5F);
  p.value(0.25F);
  p.value(kChannels);
  p.value(kSamples);
  p.value(kStride);
}

/// One CTA; its tile of 16 x 16 starts at (-iterations, -iterations) and loses one ring of cells
/// an iteration, neighbours outside the grid are those of the shared tile.
void hotspot(Problem& p) {
  constexpr int kTile = 16;
  constexpr int kIterations = 2;
  constexpr int kSize = kTile - 2 * kIterations;
  // Larger than one tile, so that no cell of the tile's interior lies outside the grid but those
  // above and left of it.
  constexpr int kGrid = 24;
  const auto temperature = p.floats(static_cast<size_t>(kGrid * kGrid), 70.0, 90.0);
  const auto power = p.floats(static_cast<size_t>(kGrid * kGrid));
  std::vector<double> a(kTile * kTile, 0.0);
  std::vector<double> b(kTile * kTile, 0.0);
  std::vector<double> want(temperature.size(), -1.0);
  const auto cell = [](int y, int x) { return static_cast<size_t>(y * kTile + x); };
  const auto inside = [&](int ty, int tx) { return ty >= kIterations && tx >= kIterations; };
  const auto source = [&](int ty, int tx) {
    return static_cast<size_t>((ty - kIterations) * kGrid + tx - kIterations);
  };
  for (int y = kIterations; y < kTile; ++y) {
    for (int x = kIterations; x < kTile; ++x) {
      a[cell(y, x)] = temperature[source(y, x)];
    }
  }
  for (int i = 0; i < kIterations; ++i) {
    for (int y = i + 1; y < kTile - 1 - i; ++y) {
      for (int x = i + 1; x < kTile - 1 - i; ++x) {
        if (inside(y, x)) {
          const double c = a[cell(y, x)];
          b[cell(y, x)] =
              c +
              0.25 * (power[source(y, x)] + (a[cell(y + 1, x)] + a[cell(y - 1, x)] - 2 * c) * 0.2F +
                      (a[cell(y, x + 1)] + a[cell(y, x - 1)] - 2 * c) * 0.1F + (80 - c) * 0.05F);
        }
      }
    }
    for (int y = i + 1; y < kTile - 1 - i; ++y) {
      for (int x = i + 1; x < kTile - 1 - i; ++x) {
        if (inside(y, x)) {
          a[cell(y, x)] = b[cell(y, x)];
        }
      }
    }
  }
  for (int y = 0; y < kSize; ++y) {
    for (int x = 0; x < kSize; ++x) {
      want[static_cast<size_t>(y * kGrid + x)] = a[cell(y + kIterations, x + kIterations)];
    }
  }
  p.input(temperature);
  p.input(power);
  p.output(std::vector<float>(want.size(), -1.0F), want, {.absolute = 1e-4});
  p.value(kGrid);
  p.value(kGrid);
  p.value(kIterations);
  for (const float coefficient : {0.25F, 0.1F, 0.2F, 0.05F}) {
    p.value(coefficient);
  }
}

void stencil3d(Problem& p) {
  constexpr int kX = 20;
  constexpr int kY = 9;
  constexpr int kZ = 6;
  const auto in = p.floats(static_cast<size_t>(kX * kY * kZ));
  const auto at = [&](int z, int y, int x) {
    return static_cast<double>(in[static_cast<size_t>((z * kY + y) * kX + x)]);
  };
  std::vector<double> want(in.size(), 8.0);
  for (int z = 1; z < kZ - 1; ++z) {
    for (int y = 1; y < kY - 1; ++y) {
      for (int x = 1; x < kX - 1; ++x) {
        want[static_cast<size_t>((z * kY + y) * kX + x)] =
            0.75 * at(z, y, x) - 0.125 * (at(z - 1, y, x) + at(z + 1, y, x) + at(z, y, x - 1) +
                                          at(z, y, x + 1) + at(z, y - 1, x) + at(z, y + 1, x));
      }
    }
  }
  p.input(in);
  p.output(std::vector<float>(in.size(), 8.0F), want, {.absolute = 1e-6});
  for (const int extent : {kX, kY, kZ}) {
    p.value(extent);
  }
  p.value(0.75F);
  p.value(0.125F);
}

void stencil_f64(Problem& p) {
  const auto in = p.doubles(100, -2.0, 2.0);
  std::vector<double> want(100, 3.0);
  for (size_t i = 1; i < 99; ++i) {
    want[i] = 0.5 * in[i] + 0.25 * (in[i - 1] + in[i + 1]) - std::clamp(in[i], -1.0, 1.0) -
              3.7 * std::abs(in[i - 1]);
  }
  p.input(in);
  p.output(std::vector<double>(100, 3.0), want, {.absolute = 1e-14});
  p.value(100);
}

constexpr const char* kConvolution = "k10_conv2d.cu";
constexpr const char* kStencil = "k11_dedisp_stencil.cu";

constexpr KernelCase kCases[] = {
    {kConvolution, "conv2d_sh", {2, 2}, {32, 8}, 0, conv2d_sh, kSumRounding},
    {kConvolution, "conv2d_direct", {3, 3}, {16, 4}, 0, conv2d_direct, kSumRounding},
    {kConvolution, "blur_rgba", {2, 3}, {16, 4}, 0, blur_rgba},
    {kConvolution, "sobel_f", {2, 4}, {16, 4}, 0, sobel_f, "six roundings of values below 2"},
    {kStencil, "dedisperse", {1, 2}, {64, 2}, 0, dedisperse, "exact: sums of small integers"},
    {kStencil, "hotspot", {1, 1}, {16, 16}, 0, hotspot, "roundings of values below 128"},
    {kStencil, "stencil3d", {2, 2}, {16, 4}, 0, stencil3d, "seven roundings of values below 2"},
    {kStencil, "stencil_f64", {2}, {64}, 0, stencil_f64, "six roundings of values below 16"},
};

} // namespace

std::span<const KernelCase> image_cases() {
  return kCases;
}

} // namespace coulomb::kernels_test
