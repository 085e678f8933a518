// SPDX-License-Identifier: Apache-2.0
// Whitted ray tracing of triangles: a hierarchy of boxes walked with a stack for each thread,
// shadow rays, and mirrors by recursion.

constexpr int kStackDepth = 16;
constexpr int kMaxBounces = 2;
constexpr int kLights = 2;
constexpr float kOffset = 1e-3f; ///< of secondary rays, along the normal
constexpr float kFar = 1e30f;

struct Camera {
  float3 origin;
  float3 corner; ///< direction of the ray through the corner of pixel (0, 0)
  float3 right;  ///< from one pixel to the next
  float3 down;
  int width;
  int height;
};

/// An inner node has `count` zero and its children at `index` and `index` + 1; a leaf has `count`
/// triangles from `index` on.
struct __align__(16) Node {
  float3 low;
  int index;
  float3 high;
  int count;
};

struct __align__(16) Triangle {
  float3 corner;
  float reflectivity;
  float3 edge1;
  float albedo;
  float3 edge2;
  float padding;
};

struct Light {
  float3 position;
  float intensity;
};

struct Scene {
  const Node* nodes;
  const Triangle* triangles;
};

struct Ray {
  float3 origin;
  float3 direction;
};

struct Hit {
  float t;
  int triangle; ///< -1 if there is none
};

__constant__ Light lights[kLights];

__device__ __forceinline__ float3 operator+(float3 a, float3 b) {
  return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}
__device__ __forceinline__ float3 operator-(float3 a, float3 b) {
  return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}
__device__ __forceinline__ float3 operator*(float s, float3 a) {
  return make_float3(s * a.x, s * a.y, s * a.z);
}
__device__ __forceinline__ float dot(float3 a, float3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
__device__ __forceinline__ float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
__device__ __forceinline__ float3 normalised(float3 a) {
  return rsqrtf(dot(a, a)) * a;
}

/// Distance at which the ray enters the box, or kFar if it misses it or enters it behind `limit`.
__device__ __forceinline__ float
enter(const Node& node, float3 origin, float3 inverse, float limit) {
  const float x0 = (node.low.x - origin.x) * inverse.x;
  const float x1 = (node.high.x - origin.x) * inverse.x;
  const float y0 = (node.low.y - origin.y) * inverse.y;
  const float y1 = (node.high.y - origin.y) * inverse.y;
  const float z0 = (node.low.z - origin.z) * inverse.z;
  const float z1 = (node.high.z - origin.z) * inverse.z;
  const float near = fmaxf(fmaxf(fminf(x0, x1), fminf(y0, y1)), fmaxf(fminf(z0, z1), 0.0f));
  const float far = fminf(fminf(fmaxf(x0, x1), fmaxf(y0, y1)), fminf(fmaxf(z0, z1), limit));
  return near <= far ? near : kFar;
}

/// Distance of the triangle along the ray, or kFar (Moeller and Trumbore, 1997).
__device__ __forceinline__ float intersect(const Triangle& triangle, const Ray& ray) {
  const float3 p = cross(ray.direction, triangle.edge2);
  const float determinant = dot(triangle.edge1, p);
  if (fabsf(determinant) < 1e-12f) {
    return kFar;
  }
  const float inverse = 1.0f / determinant;
  const float3 s = ray.origin - triangle.corner;
  const float u = dot(s, p) * inverse;
  if (u < 0.0f || u > 1.0f) {
    return kFar;
  }
  const float3 q = cross(s, triangle.edge1);
  const float v = dot(ray.direction, q) * inverse;
  if (v < 0.0f || u + v > 1.0f) {
    return kFar;
  }
  const float t = dot(triangle.edge2, q) * inverse;
  return t > 0.0f ? t : kFar;
}

/// Nearest hit before `limit`; any one if kAny.
template <bool kAny>
__device__ Hit walk(const Scene& scene, const Ray& ray, float limit) {
  int stack[kStackDepth];
  int top = 0;
  int current = 0;
  Hit hit = {limit, -1};
  const float3 inverse =
      make_float3(1.0f / ray.direction.x, 1.0f / ray.direction.y, 1.0f / ray.direction.z);
  while (true) {
    const Node node = scene.nodes[current];
    if (node.count > 0) {
      for (int i = node.index; i < node.index + node.count; ++i) {
        const float t = intersect(scene.triangles[i], ray);
        if (t < hit.t) {
          hit = {t, i};
          if (kAny) {
            return hit;
          }
        }
      }
    } else {
      const float left = enter(scene.nodes[node.index], ray.origin, inverse, hit.t);
      const float right = enter(scene.nodes[node.index + 1], ray.origin, inverse, hit.t);
      const int near = node.index + (right < left ? 1 : 0);
      if (fminf(left, right) < kFar) {
        if (fmaxf(left, right) < kFar) {
          stack[top++] = near ^ node.index ^ (node.index + 1);
        }
        current = near;
        continue;
      }
    }
    if (top == 0) {
      return hit;
    }
    current = stack[--top];
  }
}

__device__ __forceinline__ float sky(float3 direction) {
  return 0.2f + 0.3f * fmaxf(direction.y, 0.0f);
}

/// Brightness along the ray; the primary ray's hit goes to `first`.
__device__ __noinline__ float trace(const Scene& scene, const Ray& ray, int bounces, Hit* first) {
  const Hit hit = walk<false>(scene, ray, kFar);
  if (first != nullptr) {
    *first = hit;
  }
  if (hit.triangle < 0) {
    return sky(ray.direction);
  }
  const Triangle& triangle = scene.triangles[hit.triangle];
  float3 normal = normalised(cross(triangle.edge1, triangle.edge2));
  if (dot(normal, ray.direction) > 0.0f) {
    normal = -1.0f * normal;
  }
  const float3 point = ray.origin + hit.t * ray.direction + kOffset * normal;

  float brightness = 0.1f;
  for (int i = 0; i < kLights; ++i) {
    const float3 to_light = lights[i].position - point;
    const float distance = sqrtf(dot(to_light, to_light));
    const float3 direction = (1.0f / distance) * to_light;
    const float cosine = dot(normal, direction);
    if (cosine > 0.0f && walk<true>(scene, Ray{point, direction}, distance).triangle < 0) {
      brightness += lights[i].intensity * cosine;
    }
  }
  brightness *= triangle.albedo;
  if (triangle.reflectivity > 0.0f && bounces < kMaxBounces) {
    const float3 mirrored = ray.direction - 2.0f * dot(normal, ray.direction) * normal;
    const float reflected = trace(scene, Ray{point, mirrored}, bounces + 1, nullptr);
    brightness += triangle.reflectivity * (reflected - brightness);
  }
  return brightness;
}

/// One thread a pixel. `image` is row-major; `ids` are the triangles that primary rays hit, or -1;
/// `distances` is infinite where there is none.
extern "C" __global__ void ray_traversal(const Node* nodes,
                                         const Triangle* triangles,
                                         Camera camera,
                                         float* image,
                                         float* distances,
                                         int* ids) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= camera.width || y >= camera.height) {
    return;
  }
  const float3 direction =
      normalised(camera.corner + (x + 0.5f) * camera.right + (y + 0.5f) * camera.down);
  Hit first;
  const int pixel = y * camera.width + x;
  image[pixel] = trace(Scene{nodes, triangles}, Ray{camera.origin, direction}, 0, &first);
  distances[pixel] = first.triangle < 0 ? __int_as_float(0x7f800000) : first.t;
  ids[pixel] = first.triangle;
}
