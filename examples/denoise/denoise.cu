// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes the noise out of a volume: total variation, whose flow is the curvature
// of the surfaces of equal brightness, split into sweeps along x, y and z
// (M. Moazeni, A. Bui, M. Sarrafzadeh, SASP 2009, call theirs Curvature3D).
//
// A block keeps a tile of one slice: brightness, its two derivatives, from
// these the unit normal, from that the divergence. Each array serves one step
// or two; three are alive together, so that 3916 bytes do for these 6220.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -fmad=false -o denoise denoise.cu
//   ./denoise [--size N] [--steps S] [--dump FILE] [--pictures FOLDER]
//
// N is a multiple of 16; FILE receives the bytes of the result, FOLDER
// denoise-before.png and denoise-after.png, the slice in the middle.

#include "../common/Example.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

constexpr int TILE = 16;
constexpr int HALO = TILE + 2;
constexpr float SMOOTHING = 0.01f; // Of the norm where nothing changes.

// How a sweep sees the volume: its columns run along x, y or z.
enum Plan { COLUMNS, ROWS, LAYERS, COLUMN, ROW, LAYER, IS_ACROSS, PLAN_SIZE };

__global__ void denoise(float *out, const float *in, const float *noisy,
                        const int *plans, float step, float fidelity) {
  __shared__ float u[HALO][HALO];
  __shared__ float dx[HALO][HALO];
  __shared__ float dy[HALO][HALO];
  __shared__ float normal[TILE][HALO];
  __shared__ float div[TILE][HALO];
  __shared__ int plan[PLAN_SIZE];

  int tx = threadIdx.x, ty = threadIdx.y, thread = ty * TILE + tx;
  int left = blockIdx.x * TILE - 1, top = blockIdx.y * TILE - 1;
  if (thread < PLAN_SIZE)
    plan[thread] = plans[thread];
  __syncthreads();

  // Neighbouring threads read neighbours along x: a column, if x is the rows.
  int slice = blockIdx.z * plan[LAYER];
  for (int i = thread; i < HALO * HALO; i += TILE * TILE) {
    int row = plan[IS_ACROSS] ? i % HALO : i / HALO;
    int column = plan[IS_ACROSS] ? i / HALO : i % HALO;
    int y = min(max(top + row, 0), plan[ROWS] - 1);
    int x = min(max(left + column, 0), plan[COLUMNS] - 1);
    u[row][column] = in[slice + y * plan[ROW] + x * plan[COLUMN]];
  }
  __syncthreads();

  for (int i = thread; i < HALO * HALO; i += TILE * TILE) {
    int row = i / HALO, column = i % HALO;
    dx[row][column] = u[row][min(column + 1, HALO - 1)] - u[row][column];
    dy[row][column] = u[min(row + 1, HALO - 1)][column] - u[row][column];
  }
  __syncthreads();

  // Of the unit normal, what points along the row, halfway to the next column.
  int above = blockIdx.z > 0 ? -plan[LAYER] : 0;
  int below = blockIdx.z + 1 < plan[LAYERS] ? plan[LAYER] : 0;
  for (int i = thread; i < TILE * (TILE + 1); i += TILE * TILE) {
    int row = i / (TILE + 1), column = i % (TILE + 1);
    float slope = dx[row + 1][column];
    float slopeY = 0.25f * (dy[row + 1][column] + dy[row + 1][column + 1] +
                            dy[row][column] + dy[row][column + 1]);
    int y = top + row + 1, x = left + column;
    const float *here = in + slice + y * plan[ROW] + max(x, 0) * plan[COLUMN];
    const float *next = in + slice + y * plan[ROW] +
                        min(x + 1, plan[COLUMNS] - 1) * plan[COLUMN];
    float slopeZ =
        0.25f * (here[below] - here[above] + next[below] - next[above]);
    normal[row][column] = slope / sqrtf(slope * slope + slopeY * slopeY +
                                        slopeZ * slopeZ + SMOOTHING);
  }
  __syncthreads();

  div[ty][tx] = normal[ty][tx + 1] - normal[ty][tx];
  __syncthreads();

  int row = plan[IS_ACROSS] ? tx : ty, column = plan[IS_ACROSS] ? ty : tx;
  int pixel =
      slice + (top + 1 + row) * plan[ROW] + (left + 1 + column) * plan[COLUMN];
  out[pixel] = in[pixel] + step * (div[row][column] +
                                   fidelity * (noisy[pixel] - in[pixel]));
}

/// The same on the CPU, pixel by pixel.
std::vector<float> sweep(const std::vector<float> &in,
                         const std::vector<float> &noisy, const int *plan,
                         float step, float fidelity) {
  auto at = [&](int x, int y, int z) {
    return in[std::clamp(x, 0, plan[COLUMNS] - 1) * plan[COLUMN] +
              std::clamp(y, 0, plan[ROWS] - 1) * plan[ROW] +
              std::clamp(z, 0, plan[LAYERS] - 1) * plan[LAYER]];
  };
  auto normalAt = [&](int x, int y, int z) {
    auto dy = [&](int x, int y) { return at(x, y + 1, z) - at(x, y, z); };
    float slope = at(x + 1, y, z) - at(x, y, z);
    float slopeY =
        0.25f * (dy(x, y) + dy(x + 1, y) + dy(x, y - 1) + dy(x + 1, y - 1));
    float slopeZ = 0.25f * (at(x, y, z + 1) - at(x, y, z - 1) +
                            at(x + 1, y, z + 1) - at(x + 1, y, z - 1));
    return slope / std::sqrt(slope * slope + slopeY * slopeY + slopeZ * slopeZ +
                             SMOOTHING);
  };
  std::vector<float> out(in.size());
  for (int z = 0; z < plan[LAYERS]; ++z)
    for (int y = 0; y < plan[ROWS]; ++y)
      for (int x = 0; x < plan[COLUMNS]; ++x) {
        float div = normalAt(x, y, z) - normalAt(x - 1, y, z);
        int pixel = x * plan[COLUMN] + y * plan[ROW] + z * plan[LAYER];
        out[pixel] =
            in[pixel] + step * (div + fidelity * (noisy[pixel] - in[pixel]));
      }
  return out;
}

/// A ball with a hole, a bar, and a box.
float brightness(float x, float y, float z) {
  float radius = std::sqrt((x - 0.4f) * (x - 0.4f) + (y - 0.4f) * (y - 0.4f) +
                           (z - 0.5f) * (z - 0.5f));
  if (radius < 0.28f)
    return radius < 0.12f ? 0.15f : 0.85f;
  if (std::fabs(x + y - 1.45f) < 0.06f)
    return 0.6f;
  return x > 0.7f && y < 0.3f ? 0.45f : 0.15f;
}

void draw(const example::Options &options, const char *name,
          const std::vector<float> &volume) {
  int n = options.size;
  example::draw(options, name, n, n, 8, [&](int x, int y) {
    return png::gray(volume[(size_t(n / 2) * n + y) * n + x]);
  });
}

double error(const std::vector<float> &volume,
             const std::vector<float> &truth) {
  double sum = 0;
  for (size_t i = 0; i < volume.size(); ++i)
    sum += (volume[i] - truth[i]) * (volume[i] - truth[i]);
  return std::sqrt(sum / volume.size());
}

int main(int argc, char **argv) {
  example::Options options = example::parse(argc, argv, {32, 8}, TILE);
  int n = options.size;
  std::vector<float> truth(size_t(n) * n * n), noisy(truth.size());
  for (size_t i = 0; i < truth.size(); ++i) {
    truth[i] = brightness(float(i % n) / n, float(i / n % n) / n,
                          float(i / n / n) / n);
    noisy[i] = truth[i] + 0.2f * example::noise(i);
  }
  const std::vector<int> plans[] = {
      {n, n, n, 1, n, n * n, false}, // Along x.
      {n, n, n, n, 1, n * n, true},  // Along y.
      {n, n, n, n * n, 1, n, true},  // Along z.
  };
  const float step = 0.02f, fidelity = 1.0f;

  example::DeviceArray<float> in(noisy), out(noisy), observed(noisy);
  example::DeviceArray<int> plan(plans[0]);
  float *from = in.get(), *to = out.get();
  std::vector<float> expected = noisy;
  for (int i = 0; i < options.steps; ++i)
    for (const std::vector<int> &along : plans) {
      plan.set(along);
      denoise<<<dim3(n / TILE, n / TILE, n), dim3(TILE, TILE)>>>(
          to, from, observed.get(), plan.get(), step, fidelity);
      CHECK(cudaGetLastError());
      std::swap(from, to);
      expected = sweep(expected, noisy, along.data(), step, fidelity);
    }
  std::vector<float> result = from == in.get() ? in.values() : out.values();

  example::dump(options, result);
  draw(options, "denoise-before", noisy);
  draw(options, "denoise-after", result);
  double before = error(noisy, truth), after = error(result, truth);
  std::printf("error of the volume: %.4f before, %.4f after\n", before, after);
  return example::conclude(
      example::isClose("denoise", result, expected, 1e-4f) && after < before);
}
