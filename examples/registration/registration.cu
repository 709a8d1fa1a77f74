// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the displacements that lay one image over another: in turn, forces pull
// pixels to where the images agree, and a biharmonic equation smooths what
// comes of it (M. Moazeni, A. Bui, M. Sarrafzadeh, SASP 2009, measure such a
// kernel).
//
// A block relaxes 49 x 28 pixels with a halo of 2 for some rounds; the
// horizontal and the vertical displacements are alive from the first round to
// the last, so that no two arrays can share bytes as the kernels stand. In
// relax the two do not depend on each other: one after the other, 6812 bytes do
// for these 13596. In relaxSheared the vertical ones push the horizontal ones,
// and all are needed.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 -fmad=false -o registration registration.cu
//   ./registration [--size N] [--steps S] [--dump FILE] [--pictures FOLDER]
//
// N is a multiple of 196; FILE receives the bytes of the results, FOLDER
// registration-before.png and registration-after.png: where the image in red
// and the one in blue-green lie over each other, the picture is gray.

#include "../common/Example.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int BLOCK_X = 16, BLOCK_Y = 24, THREADS = BLOCK_X * BLOCK_Y;
constexpr int HALO = 2;
constexpr int ROWS = 53, COLUMNS = 32;
constexpr int INNER_ROWS = ROWS - 2 * HALO, INNER_COLUMNS = COLUMNS - 2 * HALO;
constexpr int INNER = INNER_ROWS * INNER_COLUMNS;
constexpr int STEPS = (INNER + THREADS - 1) / THREADS; // Pixels of a thread.
constexpr int ROUNDS = 6;

// The weights of the equation: those of the neighbours at distance 1, at the
// corners, at distance 2; how much of the old value stays, the share of what
// the equation wants; how far pixels may move; how the vertical ones push.
enum Weight { NEAR, CORNER, FAR, KEPT, SHARE, LIMIT, SHEAR, WEIGHTS };

using Tile = float[ROWS][COLUMNS];

/// The pixel of the image, or the nearest to it, at \p y, \p x of the tile.
__device__ inline int pixelOf(int y, int x, int n) {
  y += blockIdx.y * INNER_ROWS - HALO;
  x += blockIdx.x * INNER_COLUMNS - HALO;
  return min(max(y, 0), n - 1) * n + min(max(x, 0), n - 1);
}

__global__ void relax(float *__restrict__ uOut, float *__restrict__ vOut,
                      const float *__restrict__ uIn,
                      const float *__restrict__ vIn,
                      const float *__restrict__ forceU,
                      const float *__restrict__ forceV,
                      const float *__restrict__ equation, int n, int rounds) {
  __shared__ float u[ROWS][COLUMNS];
  __shared__ float v[ROWS][COLUMNS];
  __shared__ float weights[WEIGHTS];

  int thread = threadIdx.y * BLOCK_X + threadIdx.x;
  if (thread < WEIGHTS)
    weights[thread] = equation[thread];
  for (int i = thread; i < ROWS * COLUMNS; i += THREADS)
    u[i / COLUMNS][i % COLUMNS] = uIn[pixelOf(i / COLUMNS, i % COLUMNS, n)];
  for (int i = thread; i < ROWS * COLUMNS; i += THREADS)
    v[i / COLUMNS][i % COLUMNS] = vIn[pixelOf(i / COLUMNS, i % COLUMNS, n)];
  __syncthreads();

  float nextU[STEPS], nextV[STEPS];
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < STEPS; ++k)
      if (thread + k * THREADS < INNER) {
        int i = thread + k * THREADS;
        int y = i / INNER_COLUMNS + HALO, x = i % INNER_COLUMNS + HALO;
        float near = u[y][x - 1] + u[y][x + 1] + u[y - 1][x] + u[y + 1][x];
        float corner = u[y - 1][x - 1] + u[y - 1][x + 1] + u[y + 1][x - 1] +
                       u[y + 1][x + 1];
        float far = u[y][x - 2] + u[y][x + 2] + u[y - 2][x] + u[y + 2][x];
        float force = forceU[pixelOf(y, x, n)];
        float sum = force + weights[NEAR] * near + weights[CORNER] * corner +
                    weights[FAR] * far;
        float value = weights[KEPT] * u[y][x] + weights[SHARE] * sum;
        nextU[k] = fminf(fmaxf(value, -weights[LIMIT]), weights[LIMIT]);
      }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < STEPS; ++k)
      if (thread + k * THREADS < INNER) {
        int i = thread + k * THREADS;
        int y = i / INNER_COLUMNS + HALO, x = i % INNER_COLUMNS + HALO;
        u[y][x] = nextU[k];
      }
    __syncthreads();

#pragma unroll
    for (int k = 0; k < STEPS; ++k)
      if (thread + k * THREADS < INNER) {
        int i = thread + k * THREADS;
        int y = i / INNER_COLUMNS + HALO, x = i % INNER_COLUMNS + HALO;
        float near = v[y][x - 1] + v[y][x + 1] + v[y - 1][x] + v[y + 1][x];
        float corner = v[y - 1][x - 1] + v[y - 1][x + 1] + v[y + 1][x - 1] +
                       v[y + 1][x + 1];
        float far = v[y][x - 2] + v[y][x + 2] + v[y - 2][x] + v[y + 2][x];
        float force = forceV[pixelOf(y, x, n)];
        float sum = force + weights[NEAR] * near + weights[CORNER] * corner +
                    weights[FAR] * far;
        float value = weights[KEPT] * v[y][x] + weights[SHARE] * sum;
        nextV[k] = fminf(fmaxf(value, -weights[LIMIT]), weights[LIMIT]);
      }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < STEPS; ++k)
      if (thread + k * THREADS < INNER) {
        int i = thread + k * THREADS;
        int y = i / INNER_COLUMNS + HALO, x = i % INNER_COLUMNS + HALO;
        v[y][x] = nextV[k];
      }
    __syncthreads();
  }

  for (int i = thread; i < INNER; i += THREADS) {
    int y = i / INNER_COLUMNS + HALO, x = i % INNER_COLUMNS + HALO;
    uOut[pixelOf(y, x, n)] = u[y][x];
  }
  for (int i = thread; i < INNER; i += THREADS) {
    int y = i / INNER_COLUMNS + HALO, x = i % INNER_COLUMNS + HALO;
    vOut[pixelOf(y, x, n)] = v[y][x];
  }
}

/// The same, but the vertical displacements push the horizontal ones.
__global__ void
relaxSheared(float *__restrict__ uOut, float *__restrict__ vOut,
             const float *__restrict__ uIn, const float *__restrict__ vIn,
             const float *__restrict__ forceU, const float *__restrict__ forceV,
             const float *__restrict__ equation, int n, int rounds) {
  __shared__ float u[ROWS][COLUMNS];
  __shared__ float v[ROWS][COLUMNS];
  __shared__ float weights[WEIGHTS];

  int thread = threadIdx.y * BLOCK_X + threadIdx.x;
  if (thread < WEIGHTS)
    weights[thread] = equation[thread];
  for (int i = thread; i < ROWS * COLUMNS; i += THREADS)
    u[i / COLUMNS][i % COLUMNS] = uIn[pixelOf(i / COLUMNS, i % COLUMNS, n)];
  for (int i = thread; i < ROWS * COLUMNS; i += THREADS)
    v[i / COLUMNS][i % COLUMNS] = vIn[pixelOf(i / COLUMNS, i % COLUMNS, n)];
  __syncthreads();

  float nextU[STEPS], nextV[STEPS];
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < STEPS; ++k)
      if (thread + k * THREADS < INNER) {
        int i = thread + k * THREADS;
        int y = i / INNER_COLUMNS + HALO, x = i % INNER_COLUMNS + HALO;
        float near = u[y][x - 1] + u[y][x + 1] + u[y - 1][x] + u[y + 1][x];
        float corner = u[y - 1][x - 1] + u[y - 1][x + 1] + u[y + 1][x - 1] +
                       u[y + 1][x + 1];
        float far = u[y][x - 2] + u[y][x + 2] + u[y - 2][x] + u[y + 2][x];
        float turn = v[y + 1][x + 1] - v[y + 1][x - 1] - v[y - 1][x + 1] +
                     v[y - 1][x - 1];
        float force = forceU[pixelOf(y, x, n)] + weights[SHEAR] * turn;
        float sum = force + weights[NEAR] * near + weights[CORNER] * corner +
                    weights[FAR] * far;
        float value = weights[KEPT] * u[y][x] + weights[SHARE] * sum;
        nextU[k] = fminf(fmaxf(value, -weights[LIMIT]), weights[LIMIT]);
      }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < STEPS; ++k)
      if (thread + k * THREADS < INNER) {
        int i = thread + k * THREADS;
        int y = i / INNER_COLUMNS + HALO, x = i % INNER_COLUMNS + HALO;
        u[y][x] = nextU[k];
      }
    __syncthreads();

#pragma unroll
    for (int k = 0; k < STEPS; ++k)
      if (thread + k * THREADS < INNER) {
        int i = thread + k * THREADS;
        int y = i / INNER_COLUMNS + HALO, x = i % INNER_COLUMNS + HALO;
        float near = v[y][x - 1] + v[y][x + 1] + v[y - 1][x] + v[y + 1][x];
        float corner = v[y - 1][x - 1] + v[y - 1][x + 1] + v[y + 1][x - 1] +
                       v[y + 1][x + 1];
        float far = v[y][x - 2] + v[y][x + 2] + v[y - 2][x] + v[y + 2][x];
        float force = forceV[pixelOf(y, x, n)];
        float sum = force + weights[NEAR] * near + weights[CORNER] * corner +
                    weights[FAR] * far;
        float value = weights[KEPT] * v[y][x] + weights[SHARE] * sum;
        nextV[k] = fminf(fmaxf(value, -weights[LIMIT]), weights[LIMIT]);
      }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < STEPS; ++k)
      if (thread + k * THREADS < INNER) {
        int i = thread + k * THREADS;
        int y = i / INNER_COLUMNS + HALO, x = i % INNER_COLUMNS + HALO;
        v[y][x] = nextV[k];
      }
    __syncthreads();
  }

  for (int i = thread; i < INNER; i += THREADS) {
    int y = i / INNER_COLUMNS + HALO, x = i % INNER_COLUMNS + HALO;
    uOut[pixelOf(y, x, n)] = u[y][x];
  }
  for (int i = thread; i < INNER; i += THREADS) {
    int y = i / INNER_COLUMNS + HALO, x = i % INNER_COLUMNS + HALO;
    vOut[pixelOf(y, x, n)] = v[y][x];
  }
}

/// The brightness between pixels.
__host__ __device__ inline float sample(const float *image, int n, float x,
                                        float y) {
  x = fminf(fmaxf(x, 0.0f), n - 1.001f);
  y = fminf(fmaxf(y, 0.0f), n - 1.001f);
  int column = int(x), row = int(y);
  const float *at = image + row * n + column;
  float s = x - column, t = y - row;
  float above = at[0] + s * (at[1] - at[0]);
  float below = at[n] + s * (at[n + 1] - at[n]);
  return above + t * (below - above);
}

struct Force {
  float u, v;
};

/// What draws \p pixel, displaced by \p u, \p v, to where \p moving is as
/// bright as \p fixed.
__host__ __device__ inline Force forceAt(const float *fixed,
                                         const float *moving, int n, int pixel,
                                         float u, float v) {
  float x = pixel % n + u, y = pixel / n + v;
  float slopeX =
      0.5f * (sample(moving, n, x + 1, y) - sample(moving, n, x - 1, y));
  float slopeY =
      0.5f * (sample(moving, n, x, y + 1) - sample(moving, n, x, y - 1));
  float miss = (fixed[pixel] - sample(moving, n, x, y)) /
               (slopeX * slopeX + slopeY * slopeY + 0.01f);
  return {u + miss * slopeX, v + miss * slopeY};
}

__global__ void pull(float *forceU, float *forceV, const float *u,
                     const float *v, const float *fixed, const float *moving,
                     int n) {
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (pixel >= n * n)
    return;
  Force force = forceAt(fixed, moving, n, pixel, u[pixel], v[pixel]);
  forceU[pixel] = force.u;
  forceV[pixel] = force.v;
}

using Image = std::vector<float>;

struct Displacements {
  Image u, v;
};

const float SMOOTHNESS = 0.4f;
const std::vector<float> EQUATION = {
    8 * SMOOTHNESS,
    -2 * SMOOTHNESS,
    -SMOOTHNESS,
    0.5f,
    0.5f / (1 + 20 * SMOOTHNESS),
    6.0f,
    0.02f,
};

/// The tile at \p row, \p column of the image, with its halo.
void load(Tile &tile, const Image &image, int n, int row, int column) {
  for (int y = 0; y < ROWS; ++y)
    for (int x = 0; x < COLUMNS; ++x)
      tile[y][x] = image[std::clamp(row + y - HALO, 0, n - 1) * n +
                         std::clamp(column + x - HALO, 0, n - 1)];
}

/// A round of one element, on the CPU.
float relaxedOnHost(const Tile &a, int y, int x, float force) {
  float near = a[y][x - 1] + a[y][x + 1] + a[y - 1][x] + a[y + 1][x];
  float corner =
      a[y - 1][x - 1] + a[y - 1][x + 1] + a[y + 1][x - 1] + a[y + 1][x + 1];
  float far = a[y][x - 2] + a[y][x + 2] + a[y - 2][x] + a[y + 2][x];
  float sum = force + EQUATION[NEAR] * near + EQUATION[CORNER] * corner +
              EQUATION[FAR] * far;
  float value = EQUATION[KEPT] * a[y][x] + EQUATION[SHARE] * sum;
  return std::clamp(value, -EQUATION[LIMIT], EQUATION[LIMIT]);
}

/// One round on the inner elements of \p tile; \p forceOf(y, x) is the force.
template <typename Function> void relaxTile(Tile &tile, Function forceOf) {
  Tile old;
  std::copy(&tile[0][0], &tile[0][0] + ROWS * COLUMNS, &old[0][0]);
  for (int y = HALO; y < ROWS - HALO; ++y)
    for (int x = HALO; x < COLUMNS - HALO; ++x)
      tile[y][x] = relaxedOnHost(old, y, x, forceOf(y, x));
}

/// A step on the CPU, tile by tile.
Displacements step(const Displacements &old, const Image &fixed,
                   const Image &moving, int n, bool isSheared) {
  Displacements force = old, result = old;
  for (int i = 0; i < n * n; ++i) {
    Force here = forceAt(fixed.data(), moving.data(), n, i, old.u[i], old.v[i]);
    force.u[i] = here.u;
    force.v[i] = here.v;
  }
  for (int row = 0; row < n; row += INNER_ROWS)
    for (int column = 0; column < n; column += INNER_COLUMNS) {
      auto at = [&](int y, int x) {
        return (row + y - HALO) * n + column + x - HALO;
      };
      Tile u, v;
      load(u, old.u, n, row, column);
      load(v, old.v, n, row, column);
      for (int round = 0; round < ROUNDS; ++round) {
        relaxTile(u, [&](int y, int x) {
          float turn = v[y + 1][x + 1] - v[y + 1][x - 1] - v[y - 1][x + 1] +
                       v[y - 1][x - 1];
          return force.u[at(y, x)] + (isSheared ? EQUATION[SHEAR] * turn : 0);
        });
        relaxTile(v, [&](int y, int x) { return force.v[at(y, x)]; });
      }
      for (int y = HALO; y < ROWS - HALO; ++y)
        for (int x = HALO; x < COLUMNS - HALO; ++x) {
          result.u[at(y, x)] = u[y][x];
          result.v[at(y, x)] = v[y][x];
        }
    }
  return result;
}

/// The steps on the GPU.
template <typename Kernel>
Displacements align(Kernel kernel, const Image &fixed, const Image &moving,
                    const example::Options &options) {
  int n = options.size;
  Image zeros(fixed.size());
  example::DeviceArray<float> f(fixed), m(moving), equation(EQUATION);
  example::DeviceArray<float> u(zeros), v(zeros), forceU(zeros), forceV(zeros);
  example::DeviceArray<float> nextU(zeros), nextV(zeros);
  float *uIn = u.get(), *vIn = v.get();
  float *uOut = nextU.get(), *vOut = nextV.get();
  for (int i = 0; i < options.steps; ++i) {
    pull<<<(n * n + 255) / 256, 256>>>(forceU.get(), forceV.get(), uIn, vIn,
                                       f.get(), m.get(), n);
    CHECK(cudaGetLastError());
    kernel(dim3(n / INNER_COLUMNS, n / INNER_ROWS), dim3(BLOCK_X, BLOCK_Y),
           uOut, vOut, uIn, vIn, forceU.get(), forceV.get(), equation.get(), n);
    CHECK(cudaGetLastError());
    std::swap(uIn, uOut);
    std::swap(vIn, vOut);
  }
  bool isFirst = uIn == u.get();
  return {isFirst ? u.values() : nextU.values(),
          isFirst ? v.values() : nextV.values()};
}

Image moved(const Image &image, int n, const Displacements &by) {
  Image result(image.size());
  for (int i = 0; i < n * n; ++i)
    result[i] = sample(image.data(), n, i % n + by.u[i], i / n + by.v[i]);
  return result;
}

double miss(const Image &a, const Image &b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i)
    sum += std::fabs(a[i] - b[i]);
  return sum / a.size();
}

/// Smooth rings and a soft square, with some noise.
Image scene(int n) {
  Image image(size_t(n) * n);
  for (int i = 0; i < n * n; ++i) {
    float x = (i % n) / 196.0f, y = (i / n) / 196.0f;
    float rings = std::cos(40 * std::hypot(x - 0.45f, y - 0.5f));
    float square = std::fmax(std::fabs(x - 0.7f), std::fabs(y - 0.3f));
    image[i] = 0.45f + 0.25f * rings + 0.2f * std::tanh(20 * (0.15f - square)) +
               0.02f * example::noise(i);
  }
  return image;
}

void draw(const example::Options &options, const char *name, const Image &fixed,
          const Image &moving) {
  int n = options.size;
  example::draw(options, name, n, n, 2, [&](int x, int y) -> png::Color {
    uint8_t other = png::level(moving[y * n + x]);
    return {png::level(fixed[y * n + x]), other, other};
  });
}

int main(int argc, char **argv) {
  example::Options options =
      example::parse(argc, argv, {196, 16}, INNER_ROWS * 4);
  int n = options.size;
  Image moving = scene(n);
  Displacements truth{Image(moving.size()), Image(moving.size())};
  for (int i = 0; i < n * n; ++i) {
    truth.u[i] = 3 * std::sin(i / n / 30.0f);
    truth.v[i] = 2 * std::cos(i % n / 40.0f);
  }
  Image fixed = moved(moving, n, truth);

  Displacements free = align(
      [](dim3 grid, dim3 block, auto... arguments) {
        relax<<<grid, block>>>(arguments..., ROUNDS);
      },
      fixed, moving, options);
  Displacements pushed = align(
      [](dim3 grid, dim3 block, auto... arguments) {
        relaxSheared<<<grid, block>>>(arguments..., ROUNDS);
      },
      fixed, moving, options);

  Displacements zero{Image(moving.size()), Image(moving.size())};
  Displacements expectedFree = zero, expectedPushed = zero;
  for (int i = 0; i < options.steps; ++i) {
    expectedFree = step(expectedFree, fixed, moving, n, false);
    expectedPushed = step(expectedPushed, fixed, moving, n, true);
  }

  Image all, expected;
  for (const Image *part : {&free.u, &free.v, &pushed.u, &pushed.v})
    all.insert(all.end(), part->begin(), part->end());
  for (const Image *part :
       {&expectedFree.u, &expectedFree.v, &expectedPushed.u, &expectedPushed.v})
    expected.insert(expected.end(), part->begin(), part->end());
  example::dump(options, all);
  Image result = moved(moving, n, free);
  draw(options, "registration-before", fixed, moving);
  draw(options, "registration-after", fixed, result);
  double before = miss(fixed, moving), after = miss(fixed, result);
  std::printf("the images differ by %.4f before, %.4f after\n", before, after);
  return example::conclude(
      example::isClose("registration", all, expected, 1e-2f) && after < before);
}
