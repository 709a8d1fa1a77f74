// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of structs of 8 floats, member by member, by a tree in shared memory.
// Equal members of neighbours are 8 words apart: 8 lanes share a bank. Padded
// structs have a ninth float.

#include "Bench.h"

constexpr int THREADS = 256;

struct Body {
  float mass, px, py, pz, vx, vy, vz, charge;
};

#if defined(PADDED)

struct PaddedBody : Body {
  float padding;
};

__global__ void __launch_bounds__(THREADS)
    sumBodies(Body *out, const Body *in, int rounds) {
  __shared__ PaddedBody bodies[THREADS];

  int tid = threadIdx.x;
  Body own = in[blockIdx.x * THREADS + tid];
  Body total = {};
  for (int round = 0; round < rounds; ++round) {
    bodies[tid].mass = own.mass + round;
    bodies[tid].px = own.px + round;
    bodies[tid].py = own.py + round;
    bodies[tid].pz = own.pz + round;
    bodies[tid].vx = own.vx + round;
    bodies[tid].vy = own.vy + round;
    bodies[tid].vz = own.vz + round;
    bodies[tid].charge = own.charge + round;
    __syncthreads();

    for (int distance = THREADS / 2; distance > 0; distance /= 2) {
      if (tid < distance) {
        bodies[tid].mass += bodies[tid + distance].mass;
        bodies[tid].px += bodies[tid + distance].px;
        bodies[tid].py += bodies[tid + distance].py;
        bodies[tid].pz += bodies[tid + distance].pz;
        bodies[tid].vx += bodies[tid + distance].vx;
        bodies[tid].vy += bodies[tid + distance].vy;
        bodies[tid].vz += bodies[tid + distance].vz;
        bodies[tid].charge += bodies[tid + distance].charge;
      }
      __syncthreads();
    }

    if (tid == 0) {
      total.mass += bodies[0].mass;
      total.px += bodies[0].px;
      total.py += bodies[0].py;
      total.pz += bodies[0].pz;
      total.vx += bodies[0].vx;
      total.vy += bodies[0].vy;
      total.vz += bodies[0].vz;
      total.charge += bodies[0].charge;
    }
    __syncthreads();
  }
  if (tid == 0)
    out[blockIdx.x] = total;
}

#elif defined(SWIZZLED)

__global__ void __launch_bounds__(THREADS)
    sumBodies(Body *out, const Body *in, int rounds) {
  // Swizzle<1, 2, 3> moves the halves of structs, so that they are still read
  // 16 bytes at a time.
  __shared__ float4 bodies[THREADS * 2];
  auto at = [](int body, int half) {
    return bench::swizzle<1, 0, 3>(body * 2 + half);
  };

  int tid = threadIdx.x;
  Body own = in[blockIdx.x * THREADS + tid];
  Body total = {};
  for (int round = 0; round < rounds; ++round) {
    bodies[at(tid, 0)] = make_float4(own.mass + round, own.px + round,
                                     own.py + round, own.pz + round);
    bodies[at(tid, 1)] = make_float4(own.vx + round, own.vy + round,
                                     own.vz + round, own.charge + round);
    __syncthreads();

    for (int distance = THREADS / 2; distance > 0; distance /= 2) {
      if (tid < distance) {
        for (int half = 0; half < 2; ++half) {
          float4 a = bodies[at(tid, half)];
          float4 b = bodies[at(tid + distance, half)];
          bodies[at(tid, half)] =
              make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
        }
      }
      __syncthreads();
    }

    if (tid == 0) {
      float4 a = bodies[at(0, 0)], b = bodies[at(0, 1)];
      total = {total.mass + a.x, total.px + a.y,    total.py + a.z,
               total.pz + a.w,   total.vx + b.x,    total.vy + b.y,
               total.vz + b.z,   total.charge + b.w};
    }
    __syncthreads();
  }
  if (tid == 0)
    out[blockIdx.x] = total;
}

#else

__global__ void __launch_bounds__(THREADS)
    sumBodies(Body *out, const Body *in, int rounds) {
  __shared__ Body bodies[THREADS];

  int tid = threadIdx.x;
  Body own = in[blockIdx.x * THREADS + tid];
  Body total = {};
  for (int round = 0; round < rounds; ++round) {
    bodies[tid].mass = own.mass + round;
    bodies[tid].px = own.px + round;
    bodies[tid].py = own.py + round;
    bodies[tid].pz = own.pz + round;
    bodies[tid].vx = own.vx + round;
    bodies[tid].vy = own.vy + round;
    bodies[tid].vz = own.vz + round;
    bodies[tid].charge = own.charge + round;
    __syncthreads();

    for (int distance = THREADS / 2; distance > 0; distance /= 2) {
      if (tid < distance) {
        bodies[tid].mass += bodies[tid + distance].mass;
        bodies[tid].px += bodies[tid + distance].px;
        bodies[tid].py += bodies[tid + distance].py;
        bodies[tid].pz += bodies[tid + distance].pz;
        bodies[tid].vx += bodies[tid + distance].vx;
        bodies[tid].vy += bodies[tid + distance].vy;
        bodies[tid].vz += bodies[tid + distance].vz;
        bodies[tid].charge += bodies[tid + distance].charge;
      }
      __syncthreads();
    }

    if (tid == 0) {
      total.mass += bodies[0].mass;
      total.px += bodies[0].px;
      total.py += bodies[0].py;
      total.pz += bodies[0].pz;
      total.vx += bodies[0].vx;
      total.vy += bodies[0].vy;
      total.vz += bodies[0].vz;
      total.charge += bodies[0].charge;
    }
    __syncthreads();
  }
  if (tid == 0)
    out[blockIdx.x] = total;
}

#endif

int main(int argc, char **argv) {
  bench::Options options = bench::parse(argc, argv, {4224, 16}, 1);
  int blocks = options.work.size, rounds = options.work.rounds;
  bench::DeviceArray<Body> in(size_t(blocks) * THREADS, [](size_t i) {
    Body body;
    float *members[] = {&body.mass, &body.px, &body.py, &body.pz,
                        &body.vx,   &body.vy, &body.vz, &body.charge};
    for (float *member : members)
      *member = bench::number(i * 8 + (member - &body.mass));
    return body;
  });
  bench::DeviceArray<Body> out(blocks);
  return bench::run("aos", options, blocks, out, [&] {
    sumBodies<<<blocks, THREADS>>>(out.get(), in.get(), rounds);
  });
}
