// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Separates bright shapes from a noisy ground: an active contour, the zero
// level of u, that histograms of both sides drive and curvature keeps smooth
// (M. Moazeni, A. Bui, M. Sarrafzadeh, SASP 2009, call theirs Curvature2D).
//
// A block reads 16 x 16 values and moves the inner 12 x 12: differences, the
// norm of the gradient, its divergence, the mean of neighbours, each on fewer
// rows than the one before. Three arrays are alive together, so that 3084 bytes
// do for these 4940.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -fmad=false -o segmentation segmentation.cu
//   ./segmentation [--size N] [--steps S] [--dump FILE] [--pictures FOLDER]
//
// N is a multiple of 12; FILE receives the bytes of the result, FOLDER
// segmentation-before.png and segmentation-after.png, with the contour in red.

#include "../common/Example.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

constexpr int TILE = 16;
constexpr int MARGIN = 2; // What the steps lose on each side of a tile.
constexpr int INNER = TILE - 2 * MARGIN;
constexpr int BINS = 16; // Of a histogram.
constexpr int STEPS_OF_A_TABLE = 5;

// What moves the contour: a force for each level of gray, and three numbers.
enum Entry { SMOOTHING = BINS, WIDTH, STEP, TABLE_SIZE };

__global__ void evolve(float *out, const float *in, const unsigned char *image,
                       const float *forces, int n) {
  __shared__ float u[TILE][TILE];
  __shared__ float dx[TILE][TILE];
  __shared__ float dy[TILE - 1][TILE];
  __shared__ float norm[TILE - 1][TILE];
  __shared__ float div[TILE - 2][TILE];
  __shared__ float table[TABLE_SIZE];

  int tx = threadIdx.x, ty = threadIdx.y, thread = ty * TILE + tx;
  int x = blockIdx.x * INNER - MARGIN + tx;
  int y = blockIdx.y * INNER - MARGIN + ty;
  if (thread < TABLE_SIZE)
    table[thread] = forces[thread];
  float center = in[min(max(y, 0), n - 1) * n + min(max(x, 0), n - 1)];
  u[ty][tx] = center;
  __syncthreads();

  dx[ty][tx] = u[ty][min(tx + 1, TILE - 1)] - u[ty][tx];
  if (ty < TILE - 1)
    dy[ty][tx] = u[ty + 1][tx] - u[ty][tx];
  __syncthreads();

  // The norm belongs to the corner that four pixels share.
  bool isInner = tx > 0 && tx < TILE - 1 && ty > 0 && ty < TILE - 1;
  float east = 0, west = 0, south = 0, north = 0;
  if (ty < TILE - 1 && tx < TILE - 1) {
    float slopeX = 0.5f * (dx[ty][tx] + dx[ty + 1][tx]);
    float slopeY = 0.5f * (dy[ty][tx] + dy[ty][tx + 1]);
    norm[ty][tx] =
        1.0f / sqrtf(slopeX * slopeX + slopeY * slopeY + table[SMOOTHING]);
    if (isInner) {
      east = dx[ty][tx];
      west = dx[ty][tx - 1];
      south = dy[ty][tx];
      north = dy[ty - 1][tx];
    }
  }
  __syncthreads();

  if (isInner)
    div[ty - 1][tx] =
        0.5f * ((norm[ty - 1][tx] + norm[ty][tx]) * east -
                (norm[ty - 1][tx - 1] + norm[ty][tx - 1]) * west +
                (norm[ty][tx - 1] + norm[ty][tx]) * south -
                (norm[ty - 1][tx - 1] + norm[ty - 1][tx]) * north);
  __syncthreads();

  if (tx < MARGIN || tx >= TILE - MARGIN || ty < MARGIN || ty >= TILE - MARGIN)
    return;
  float curvature = 0.5f * div[ty - 1][tx] +
                    0.125f * (div[ty - 1][tx - 1] + div[ty - 1][tx + 1] +
                              div[ty - 2][tx] + div[ty][tx]);
  float force = table[image[y * n + x] * BINS / 256];
  float width = table[WIDTH];
  float nearness = width / (width * width + center * center);
  out[y * n + x] = center + table[STEP] * nearness * (curvature + force);
}

/// The same on the CPU, pixel by pixel.
std::vector<float> evolved(const std::vector<float> &in,
                           const std::vector<unsigned char> &image,
                           const std::vector<float> &table, int n) {
  auto at = [&](int x, int y) {
    return in[std::clamp(y, 0, n - 1) * n + std::clamp(x, 0, n - 1)];
  };
  auto dx = [&](int x, int y) { return at(x + 1, y) - at(x, y); };
  auto dy = [&](int x, int y) { return at(x, y + 1) - at(x, y); };
  auto norm = [&](int x, int y) {
    float slopeX = 0.5f * (dx(x, y) + dx(x, y + 1));
    float slopeY = 0.5f * (dy(x, y) + dy(x + 1, y));
    return 1.0f /
           std::sqrt(slopeX * slopeX + slopeY * slopeY + table[SMOOTHING]);
  };
  auto div = [&](int x, int y) {
    return 0.5f * ((norm(x, y - 1) + norm(x, y)) * dx(x, y) -
                   (norm(x - 1, y - 1) + norm(x - 1, y)) * dx(x - 1, y) +
                   (norm(x - 1, y) + norm(x, y)) * dy(x, y) -
                   (norm(x - 1, y - 1) + norm(x, y - 1)) * dy(x, y - 1));
  };
  std::vector<float> out(in.size());
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      float curvature =
          0.5f * div(x, y) + 0.125f * (div(x - 1, y) + div(x + 1, y) +
                                       div(x, y - 1) + div(x, y + 1));
      float force = table[image[y * n + x] * BINS / 256];
      float width = table[WIDTH], center = at(x, y);
      float nearness = width / (width * width + center * center);
      out[y * n + x] = center + table[STEP] * nearness * (curvature + force);
    }
  return out;
}

/// A level of gray pulls the contour to where it is the rarer one.
std::vector<float> forcesOf(const std::vector<float> &u,
                            const std::vector<unsigned char> &image) {
  int counts[2][BINS] = {}, sums[2] = {};
  for (size_t i = 0; i < u.size(); ++i) {
    ++counts[u[i] > 0][image[i] * BINS / 256];
    ++sums[u[i] > 0];
  }
  std::vector<float> table(TABLE_SIZE);
  for (int bin = 0; bin < BINS; ++bin)
    table[bin] = std::log((counts[1][bin] + 1.0f) / (sums[1] + BINS)) -
                 std::log((counts[0][bin] + 1.0f) / (sums[0] + BINS));
  table[SMOOTHING] = 0.5f;
  table[WIDTH] = 2.0f;
  table[STEP] = 0.4f;
  return table;
}

/// A disc, a ring, and a bar.
bool isShape(float x, float y) {
  float disc = std::hypot(x - 0.3f, y - 0.32f);
  float ring = std::hypot(x - 0.68f, y - 0.62f);
  return disc < 0.17f || (ring < 0.22f && ring > 0.11f) ||
         (std::fabs(y - 0.85f) < 0.05f && x > 0.1f && x < 0.4f);
}

/// How many pixels lie on the wrong side of the contour.
int misplaced(const std::vector<float> &u, int n) {
  int count = 0;
  for (int i = 0; i < n * n; ++i)
    count += isShape(float(i % n) / n, float(i / n) / n) != (u[i] > 0);
  return count;
}

void draw(const example::Options &options, const char *name,
          const std::vector<float> &u,
          const std::vector<unsigned char> &image) {
  int n = options.size;
  example::draw(options, name, n, n, 4, [&](int x, int y) -> png::Color {
    int i = y * n + x;
    bool isInside = u[i] > 0;
    bool isContour = (x + 1 < n && (u[i + 1] > 0) != isInside) ||
                     (y + 1 < n && (u[i + n] > 0) != isInside);
    if (isContour)
      return {255, 0, 0};
    return {image[i], image[i], image[i]};
  });
}

int main(int argc, char **argv) {
  example::Options options = example::parse(argc, argv, {96, 160}, INNER);
  int n = options.size;
  std::vector<unsigned char> image(size_t(n) * n);
  std::vector<float> u(image.size());
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      float mean = isShape(float(x) / n, float(y) / n) ? 0.62f : 0.38f;
      image[y * n + x] = png::level(mean + 0.3f * example::noise(y * n + x));
      float depth = 0.42f * n - std::hypot(x - 0.5f * n, y - 0.5f * n);
      u[y * n + x] = std::clamp(depth, -2.0f, 2.0f);
    }
  draw(options, "segmentation-before", u, image);

  example::DeviceArray<float> in(u), out(u), forces(forcesOf(u, image));
  example::DeviceArray<unsigned char> deviceImage(image);
  float *from = in.get(), *to = out.get();
  std::vector<float> expected = u;
  for (int i = 0; i < options.steps; ++i) {
    if (i % STEPS_OF_A_TABLE == 0)
      forces.set(forcesOf(expected, image));
    dim3 grid(n / INNER, n / INNER);
    evolve<<<grid, dim3(TILE, TILE)>>>(to, from, deviceImage.get(),
                                       forces.get(), n);
    CHECK(cudaGetLastError());
    std::swap(from, to);
    expected = evolved(expected, image, forces.values(), n);
  }
  std::vector<float> result = from == in.get() ? in.values() : out.values();

  example::dump(options, result);
  draw(options, "segmentation-after", result, image);
  int before = misplaced(u, n), after = misplaced(result, n);
  std::printf("%d of %d pixels are on the wrong side of the contour at first, "
              "%d in the end\n",
              before, n * n, after);
  return example::conclude(
      example::isClose("segmentation", result, expected, 1e-3f) &&
      after < before);
}
