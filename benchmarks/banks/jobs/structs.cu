// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs 14, 28 and 29: arrays of structs. A lane reads one field of its own
// struct, so that the lanes are a struct apart. Jobs 28 and 29 are written
// twice: with an array of two dimensions and with an array of structs.

struct FourVector {
  double v, x, y, z;
};

struct Body {
  float mass, charge, x, y, z, u, v, w;
};

constexpr int PARTICLES = 100;

// Forces between the particles of a box and those of a neighbouring box.
__global__ void job14_particle_forces(FourVector *forces,
                                      const FourVector *particles,
                                      const int *neighbours, double alpha) {
  __shared__ FourVector rA_shared[PARTICLES];
  const int tx = threadIdx.x;
  const int home = blockIdx.x * PARTICLES;
  const int there = neighbours[blockIdx.x] * PARTICLES;

  if (tx < PARTICLES) {
    rA_shared[tx].v = particles[home + tx].v;
    rA_shared[tx].x = particles[home + tx].x;
    rA_shared[tx].y = particles[home + tx].y;
    rA_shared[tx].z = particles[home + tx].z;
  }
  __syncthreads();

  if (tx < PARTICLES) {
    double v = 0, x = 0, y = 0, z = 0;
    for (int j = 0; j < PARTICLES; ++j) {
      const FourVector b = particles[there + j];
      const double dv = rA_shared[tx].v - b.v;
      const double dx = rA_shared[tx].x - b.x;
      const double dy = rA_shared[tx].y - b.y;
      const double dz = rA_shared[tx].z - b.z;
      const double weight = exp(-alpha * (dx * dx + dy * dy + dz * dz));
      v += weight * dv;
      x += weight * dx;
      y += weight * dy;
      z += weight * dz;
    }
    forces[home + tx].v = v;
    forces[home + tx].x = x;
    forces[home + tx].y = y;
    forces[home + tx].z = z;
  }
}

__global__ void job28_quads(float *out, const float *in, int n, float factor) {
  __shared__ float quads[128][4];
  const int tx = threadIdx.x;
  const int place = blockIdx.x * 128 + tx;

  for (int i = 0; i < 4; ++i)
    quads[tx][i] = in[i * n + place];
  __syncthreads();
  for (int i = 0; i < 4; ++i)
    out[i * n + place] = factor * quads[tx][i];
}

__global__ void job29_bodies(float *out, const float *in, int n, float factor) {
  __shared__ float bodies[64][8];
  const int tx = threadIdx.x;
  const int place = blockIdx.x * 64 + tx;

  for (int i = 0; i < 8; ++i)
    bodies[tx][i] = in[i * n + place];
  __syncthreads();
  for (int i = 0; i < 8; ++i)
    out[i * n + place] = factor * bodies[tx][i];
}

__global__ void job28s_quads(float *out, const float *in, int n, float factor) {
  __shared__ float4 quads[128];
  const int tx = threadIdx.x;
  const int place = blockIdx.x * 128 + tx;

  quads[tx].x = in[place];
  quads[tx].y = in[n + place];
  quads[tx].z = in[2 * n + place];
  quads[tx].w = in[3 * n + place];
  __syncthreads();
  out[place] = factor * quads[tx].x;
  out[n + place] = factor * quads[tx].y;
  out[2 * n + place] = factor * quads[tx].z;
  out[3 * n + place] = factor * quads[tx].w;
}

__global__ void job29s_bodies(float *out, const float *in, int n,
                              float factor) {
  __shared__ Body bodies[64];
  const int tx = threadIdx.x;
  const int place = blockIdx.x * 64 + tx;

  bodies[tx].mass = in[place];
  bodies[tx].charge = in[n + place];
  bodies[tx].x = in[2 * n + place];
  bodies[tx].y = in[3 * n + place];
  bodies[tx].z = in[4 * n + place];
  bodies[tx].u = in[5 * n + place];
  bodies[tx].v = in[6 * n + place];
  bodies[tx].w = in[7 * n + place];
  __syncthreads();
  out[place] = factor * bodies[tx].mass;
  out[n + place] = factor * bodies[tx].charge;
  out[2 * n + place] = factor * bodies[tx].x;
  out[3 * n + place] = factor * bodies[tx].y;
  out[4 * n + place] = factor * bodies[tx].z;
  out[5 * n + place] = factor * bodies[tx].u;
  out[6 * n + place] = factor * bodies[tx].v;
  out[7 * n + place] = factor * bodies[tx].w;
}

void launch14(FourVector *forces, const FourVector *particles,
              const int *neighbours, int boxes, double alpha) {
  job14_particle_forces<<<boxes, 128>>>(forces, particles, neighbours, alpha);
}

void launch28(float *out, const float *in, int n, float factor) {
  job28_quads<<<n / 128, 128>>>(out, in, n, factor);
  job28s_quads<<<n / 128, 128>>>(out, in, n, factor);
}

void launch29(float *out, const float *in, int n, float factor) {
  job29_bodies<<<n / 64, 64>>>(out, in, n, factor);
  job29s_bodies<<<n / 64, 64>>>(out, in, n, factor);
}
