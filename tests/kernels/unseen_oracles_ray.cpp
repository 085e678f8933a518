// SPDX-License-Identifier: Apache-2.0
// unseen: ray tracing. The oracle looks at every triangle, in double precision. Where a decision
// hangs on the last digits of a float (an edge, two surfaces at one distance, light along a face),
// a pixel is not compared; there are few of them.
#include "tests/kernels/kernel_case.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

namespace coulomb::kernels_test {
namespace {

using std::size_t;

struct Vector {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
};
Vector operator+(Vector a, Vector b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
Vector operator-(Vector a, Vector b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Vector operator*(double s, Vector a) {
  return {s * a.x, s * a.y, s * a.z};
}
double dot(Vector a, Vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
Vector cross(Vector a, Vector b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Vector normalised(Vector a) {
  return 1.0 / std::sqrt(dot(a, a)) * a;
}

/// As the kernel declares them.
struct Float3 {
  float x = 0.0F;
  float y = 0.0F;
  float z = 0.0F;
};
struct Node {
  Float3 low;
  std::int32_t index = 0;
  Float3 high;
  std::int32_t count = 0;
};
struct Triangle {
  Float3 corner;
  float reflectivity = 0.0F;
  Float3 edge1;
  float albedo = 0.0F;
  Float3 edge2;
  float padding = 0.0F;
};
struct Camera {
  Float3 origin{0.3F, 2.2F, -7.0F};
  Float3 corner{-0.9F, 0.45F, 1.0F};
  Float3 right{0.045F, 0.0F, 0.003F};
  Float3 down{0.0F, -0.045F, 0.002F};
  std::int32_t width = 40;
  std::int32_t height = 30;
};
struct Light {
  Float3 position;
  float intensity = 0.0F;
};

Vector wide(Float3 a) {
  return {a.x, a.y, a.z};
}
Float3 narrow(Vector a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}

/// Boxes over triangles, which it sorts. Leaves have at most four.
class Hierarchy {
public:
  explicit Hierarchy(std::vector<Triangle>& triangles) : triangles_(triangles) {
    nodes_.emplace_back();
    split(0, 0, triangles.size());
  }
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }

private:
  static std::array<double, 3> centre(const Triangle& t) {
    const Vector c = wide(t.corner) + 1.0 / 3.0 * (wide(t.edge1) + wide(t.edge2));
    return {c.x, c.y, c.z};
  }

  /// The box of triangles [first, last), a little wider than it has to be.
  void bound(Node& node, size_t first, size_t last) const {
    constexpr double kMargin = 1e-4;
    Vector low{1e9, 1e9, 1e9};
    Vector high{-1e9, -1e9, -1e9};
    for (size_t i = first; i < last; ++i) {
      const Vector a = wide(triangles_[i].corner);
      for (const Vector& v : {a, a + wide(triangles_[i].edge1), a + wide(triangles_[i].edge2)}) {
        low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
        high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
      }
    }
    const Vector margin{kMargin, kMargin, kMargin};
    node.low = narrow(low - margin);
    node.high = narrow(high + margin);
  }

  void split(size_t node, size_t first, size_t last) {
    bound(nodes_[node], first, last);
    if (last - first <= 4) {
      nodes_[node].index = static_cast<std::int32_t>(first);
      nodes_[node].count = static_cast<std::int32_t>(last - first);
      return;
    }
    const Vector size = wide(nodes_[node].high) - wide(nodes_[node].low);
    const size_t axis = size.x >= std::max(size.y, size.z) ? 0 : size.y >= size.z ? 1 : 2;
    const size_t middle = (first + last) / 2;
    const auto begin = triangles_.begin();
    std::nth_element(
        begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(middle),
        begin + static_cast<std::ptrdiff_t>(last),
        [&](const Triangle& a, const Triangle& b) { return centre(a)[axis] < centre(b)[axis]; });
    const size_t children = nodes_.size();
    nodes_.resize(children + 2);
    nodes_[node].index = static_cast<std::int32_t>(children);
    split(children, first, middle);
    split(children + 1, middle, last);
  }

  std::vector<Triangle>& triangles_;
  std::vector<Node> nodes_;
};

struct Hit {
  double t = std::numeric_limits<double>::infinity();
  int triangle = -1;
};

/// What a ray sees, and whether that is certain.
class Tracer {
public:
  Tracer(const std::vector<Triangle>& triangles, const std::vector<Light>& lights)
      : triangles_(triangles), lights_(lights) {}

  double trace(Vector origin, Vector direction, int bounces, Hit* first) {
    const Hit hit = nearest(origin, direction, std::numeric_limits<double>::infinity());
    if (first != nullptr) {
      *first = hit;
    }
    if (hit.triangle < 0) {
      return 0.2 + 0.3 * std::max(direction.y, 0.0);
    }
    const Triangle& triangle = triangles_[static_cast<size_t>(hit.triangle)];
    Vector normal = normalised(cross(wide(triangle.edge1), wide(triangle.edge2)));
    const double facing = dot(normal, direction);
    doubt(std::abs(facing));
    if (facing > 0.0) {
      normal = -1.0 * normal;
    }
    const Vector point = origin + hit.t * direction + 1e-3 * normal;
    double brightness = triangle.albedo * lit(point, normal);
    if (triangle.reflectivity > 0.0F && bounces < 2) {
      const Vector mirrored = direction - 2.0 * dot(normal, direction) * normal;
      brightness +=
          triangle.reflectivity * (trace(point, mirrored, bounces + 1, nullptr) - brightness);
    }
    return brightness;
  }
  /// Whether the decisions since the last call were clear.
  bool certain() { return std::exchange(margin_, 1.0) > kEnough; }

private:
  static constexpr double kEnough = 2e-4;

  /// Notes by how much a decision could have gone the other way.
  void doubt(double margin) { margin_ = std::min(margin_, margin); }

  double lit(Vector point, Vector normal) {
    double brightness = 0.1F;
    for (const Light& light : lights_) {
      const Vector to_light = wide(light.position) - point;
      const double distance = std::sqrt(dot(to_light, to_light));
      const Vector direction = 1.0 / distance * to_light;
      const double cosine = dot(normal, direction);
      doubt(std::abs(cosine));
      if (cosine > 0.0 && nearest(point, direction, distance, true).triangle < 0) {
        brightness += light.intensity * cosine;
      }
    }
    return brightness;
  }

  /// The nearest triangle before `limit`. Doubt arises from triangles that a slightly different ray
  /// would hit or miss, unless something nearer hides them. If `any`, distances do not matter.
  Hit nearest(Vector origin, Vector direction, double limit, bool any = false) {
    Hit hit{limit, -1};
    std::vector<std::pair<double, double>> margins; // distance, how clear
    for (size_t i = 0; i < triangles_.size(); ++i) {
      const auto [t, inside] = intersect(triangles_[i], origin, direction);
      const double clear = std::min({std::abs(inside), std::abs(t), std::abs(limit - t)});
      const bool close = inside > -kEnough && t > -kEnough && t < limit + kEnough;
      if (close) {
        margins.emplace_back(t, clear);
      }
      if (inside >= 0.0 && t > 0.0 && t < hit.t) {
        hit = {t, static_cast<int>(i)};
      }
    }
    const bool blocked = any && std::any_of(margins.begin(), margins.end(),
                                            [&](const auto& m) { return m.second > kEnough; });
    if (blocked) {
      return hit;
    }
    for (const auto& [t, clear] : margins) {
      if (t < hit.t + kEnough) {
        doubt(clear);
        doubt(any || t == hit.t ? 1.0 : std::abs(t - hit.t));
      }
    }
    return hit;
  }

  /// Distance, and the least barycentric coordinate: negative outside.
  static std::pair<double, double>
  intersect(const Triangle& triangle, Vector origin, Vector direction) {
    const Vector normal = cross(wide(triangle.edge1), wide(triangle.edge2));
    const Vector s = origin - wide(triangle.corner);
    const double t = -dot(normal, s) / dot(normal, direction);
    const Vector at = s + t * direction;
    const double area = dot(normal, normal);
    const double u = dot(cross(at, wide(triangle.edge2)), normal) / area;
    const double v = dot(cross(wide(triangle.edge1), at), normal) / area;
    return {t, std::min({u, v, 1.0 - u - v})};
  }

  const std::vector<Triangle>& triangles_;
  const std::vector<Light>& lights_;
  double margin_ = 1.0;
};

/// A floor that mirrors a little, and triangles of about unit size above it.
std::vector<Triangle> make_scene(Problem& p) {
  std::vector<Triangle> triangles{
      {{-9.0F, -1.0F, -9.0F}, 0.25F, {18.0F, 0.0F, 0.0F}, 0.9F, {0.0F, 0.0F, 21.0F}},
      {{9.0F, -1.0F, 12.0F}, 0.25F, {-18.0F, 0.0F, 0.0F}, 0.9F, {0.0F, 0.0F, -21.0F}}};
  while (triangles.size() < 130) {
    const auto at = p.floats(9, -1.0, 1.0);
    Triangle t;
    t.corner = {at[0] * 5.0F, 1.4F + at[1] * 2.2F, at[2] * 4.0F};
    t.edge1 = {at[3], at[4], at[5]};
    t.edge2 = {at[6], at[7], at[8]};
    t.albedo = 0.3F + 0.6F * static_cast<float>(p.random().uniform());
    t.reflectivity = triangles.size() % 3 == 0 ? 0.6F : 0.0F;
    const Vector area = cross(wide(t.edge1), wide(t.edge2));
    if (dot(area, area) > 0.25) {
      triangles.push_back(t);
    }
  }
  return triangles;
}

struct Image {
  std::vector<double> brightness;
  std::vector<double> distance;
  std::vector<std::int32_t> id;
  std::vector<bool> certain;
};

Image render(const Camera& camera,
             const std::vector<Triangle>& triangles,
             const std::vector<Light>& lights) {
  Tracer tracer(triangles, lights);
  Image image;
  for (int y = 0; y < camera.height; ++y) {
    for (int x = 0; x < camera.width; ++x) {
      const Vector direction = normalised(wide(camera.corner) + (x + 0.5) * wide(camera.right) +
                                          (y + 0.5) * wide(camera.down));
      Hit first;
      image.brightness.push_back(tracer.trace(wide(camera.origin), direction, 0, &first));
      image.distance.push_back(first.t);
      image.id.push_back(first.triangle);
      image.certain.push_back(tracer.certain());
    }
  }
  return image;
}

std::string compare_ids(const std::vector<std::int32_t>& now, const Image& image) {
  for (size_t i = 0; i < now.size(); ++i) {
    if (image.certain[i] && now[i] != image.id[i]) {
      return fmt::format("pixel {} shows triangle {}, not {}", i, now[i], image.id[i]);
    }
  }
  return {};
}

void ray_traversal(Problem& p) {
  const Camera camera;
  const std::vector<Light> lights{{{4.0F, 7.0F, -6.0F}, 0.7F}, {{-6.0F, 5.0F, -1.0F}, 0.4F}};
  auto triangles = make_scene(p);
  const Hierarchy hierarchy(triangles);
  const Image image = render(camera, triangles, lights);
  const size_t pixels = image.id.size();
  const auto doubtful = std::count(image.certain.begin(), image.certain.end(), false);
  if (static_cast<size_t>(doubtful) * 20 > pixels) {
    throw std::runtime_error(fmt::format("{} of {} pixels are doubtful", doubtful, pixels));
  }
  const auto bound = [certain = image.certain](std::size_t i) {
    return certain[i] ? Bound{.absolute = 1e-4, .relative = 1e-5} : Bound{.absolute = 1e30};
  };
  // A doubtful pixel may see nothing, or something where the oracle sees nothing.
  const auto distances = [image](const std::vector<float>& now) {
    for (size_t i = 0; i < now.size(); ++i) {
      const double want = image.distance[i];
      const bool same = std::isinf(want) ? static_cast<double>(now[i]) == want
                                         : std::abs(now[i] - want) <= 1e-4 + 1e-5 * want;
      if (image.certain[i] && !same) {
        return fmt::format("pixel {} is {:.9g} away, not {:.9g}", i, now[i], want);
      }
    }
    return std::string();
  };
  p.constant("lights", lights);
  p.input(hierarchy.nodes());
  p.input(triangles);
  p.value(camera);
  p.output_each<float, double>(std::vector<float>(pixels, -1.0F), image.brightness, bound);
  p.judged<float>(std::vector<float>(pixels, -1.0F), distances);
  p.judged<std::int32_t>(
      std::vector<std::int32_t>(pixels, -7),
      [image](const std::vector<std::int32_t>& now) { return compare_ids(now, image); });
}

constexpr KernelCase kCases[] = {
    {"unseen/ray_traversal.cu",
     "ray_traversal",
     {5, 4},
     {8, 8},
     0,
     ray_traversal,
     "1e-4 of values near 1, where a margin of 2e-4 leaves no decision to rounding"},
};

} // namespace

std::span<const KernelCase> unseen_ray_cases() {
  return kCases;
}

} // namespace coulomb::kernels_test
