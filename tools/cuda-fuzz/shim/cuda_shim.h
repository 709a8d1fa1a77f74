// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Runs kernels of cuda-fuzz as C++ on the host. The threads of a block are
/// fibres, each with a stack; blocks run one after the other. It shares nothing
/// with the interpreter, and is compiled by the host's compiler, so that an
/// error of either is found by the other. A program includes it once and
/// defines shim::pairs; docs/Reliability.md tells how.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_SHIM_CUDA_SHIM_H
#define CUDAOPT_SHIM_CUDA_SHIM_H

#include "pairs.h"

#include <algorithm>
#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <ucontext.h>
#include <vector>

//===----------------------------------------------------------------------===//
// What kernels use of CUDA
//===----------------------------------------------------------------------===//

#define __global__
#define __device__
#define __host__
/// One variable for all fibres suffices, since blocks run one after the other.
#define __shared__ static
#define __align__(N) __attribute__((aligned(N)))
#define LAYOUT(KIND)

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)
      : x(x), y(y), z(z) {}
};
inline uint3 threadIdx, blockIdx;
inline dim3 blockDim, gridDim;

struct __attribute__((aligned(16))) float4 {
  float x, y, z, w;
};
struct __attribute__((aligned(16))) double2 {
  double x, y;
};
struct __attribute__((aligned(8))) float2 {
  float x, y;
};
struct __attribute__((aligned(8))) int2 {
  int x, y;
};
struct __attribute__((aligned(16))) int4 {
  int x, y, z, w;
};
struct Mixed {
  float x;
  short y;
};

namespace shim {

//===----------------------------------------------------------------------===//
// Fibres
//===----------------------------------------------------------------------===//

inline constexpr std::size_t dynamic_elements = 1 << 16;
inline constexpr std::size_t stack_bytes = 128 << 10;
inline constexpr unsigned warp_size = 32;

enum class state : std::uint8_t { ready, at_barrier, at_warp, held, done };

/// The number of block barriers after which a thread ends, and after which it
/// last meets threads of its warp.
struct thread_end {
  unsigned round = 0, met_warp = 0;
};

struct fibre {
  std::unique_ptr<char[]> stack{new char[stack_bytes]};
  ucontext_t start;
  std::jmp_buf where, base; ///< Where it waits, and where its body begins.
  bool is_started = false;
  state now = state::done;
  /// Counts exchanges; odd and even ones use different slots.
  unsigned exchanges = 0;
  thread_end end;
};

/// Runs the threads of one block.
class block {
public:
  void run(unsigned count, const std::function<void()> &kernel, order how);
  /// Begins a run of a program. The ends of threads in a forward run are
  /// remembered; a following late run makes the same launches.
  void begin(order how) {
    if (how == order::forwards)
      ends.clear();
    next_end = 0;
  }
  void wait(state how) {
    now_running->now = how;
    now_running->end.round = round;
    if (how == state::at_warp)
      now_running->end.met_warp = round + 1;
    if (!_setjmp(now_running->where))
      _longjmp(scheduler, 1);
  }
  [[noreturn]] void leave() { _longjmp(now_running->base, 1); }
  unsigned exchange(unsigned value, int lane_mask);

private:
  void resume(unsigned thread);
  bool run_warp(unsigned first, unsigned end, bool backwards);
  void run_warps(unsigned count, bool backwards);
  bool release(unsigned count, state from);
  void hold_leaving(unsigned count);
  static void enter(unsigned low, unsigned high);
  [[noreturn]] void live(fibre &self);

  std::vector<std::unique_ptr<fibre>> fibres;
  fibre *now_running = nullptr;
  unsigned now_number = 0;
  std::jmp_buf scheduler;
  const std::function<void()> *body = nullptr;
  unsigned slots[2][1024];
  unsigned round = 0; ///< The number of barriers that the block has passed.
  std::vector<thread_end> ends; ///< For all threads of a run, in order.
  std::size_t next_end = 0; ///< The index of the block's first thread in ends.
};

inline block the_block;

inline void block::enter(unsigned low, unsigned high) {
  the_block.live(*reinterpret_cast<fibre *>(std::uintptr_t(high) << 32 | low));
}

/// A fibre lives as long as the program and runs one thread after the other,
/// since creating a stack for every thread of a launch would be slow. A thread
/// that leaves early jumps back to here.
inline void block::live(fibre &self) {
  while (true) {
    if (!_setjmp(self.base))
      (*body)();
    wait(state::done);
  }
}

/// Runs a fibre until it waits. The first time it is entered by setcontext(3)
/// on its own stack; afterwards longjmp(3) switches between stacks, which is
/// much faster because it makes no system call.
inline void block::resume(unsigned thread) {
  fibre &f = *fibres[thread];
  now_running = &f;
  now_number = thread;
  threadIdx = {thread % blockDim.x, thread / blockDim.x % blockDim.y,
               thread / (blockDim.x * blockDim.y)};
  if (_setjmp(scheduler))
    return;
  if (f.is_started)
    _longjmp(f.where, 1);
  f.is_started = true;
  getcontext(&f.start);
  f.start.uc_stack.ss_sp = f.stack.get();
  f.start.uc_stack.ss_size = stack_bytes;
  auto address = reinterpret_cast<std::uintptr_t>(&f);
  makecontext(&f.start, reinterpret_cast<void (*)()>(&block::enter), 2,
              unsigned(address), unsigned(address >> 32));
  setcontext(&f.start);
}

/// Runs the threads of a warp until all wait for the block or are done. Returns
/// false if that never happens.
inline bool block::run_warp(unsigned first, unsigned end, bool backwards) {
  while (true) {
    for (unsigned i = first; i < end; ++i) {
      unsigned thread = backwards ? end - 1 - (i - first) : i;
      if (fibres[thread]->now == state::ready)
        resume(thread);
    }
    unsigned at_warp = 0, at_barrier = 0;
    for (unsigned i = first; i < end; ++i) {
      at_warp += fibres[i]->now == state::at_warp;
      at_barrier += fibres[i]->now == state::at_barrier;
    }
    if (!at_warp)
      return true;
    if (at_barrier)
      return false;
    for (unsigned i = first; i < end; ++i)
      if (fibres[i]->now == state::at_warp)
        fibres[i]->now = state::ready;
  }
}

inline void block::run_warps(unsigned count, bool backwards) {
  const unsigned warps = (count + warp_size - 1) / warp_size;
  for (unsigned w = 0; w < warps; ++w) {
    const unsigned warp = backwards ? warps - 1 - w : w;
    const unsigned end = (warp + 1) * warp_size;
    if (!run_warp(warp * warp_size, end < count ? end : count, backwards)) {
      std::fputs("a barrier that not all threads reach\n", stderr);
      std::abort();
    }
  }
}

/// Makes threads in state \p from ready; returns true if there were any.
inline bool block::release(unsigned count, state from) {
  bool found = false;
  for (unsigned i = 0; i < count; ++i)
    if (fibres[i]->now == from) {
      fibres[i]->now = state::ready;
      found = true;
    }
  return found;
}

/// Holds back threads that reach no further barrier while others do, until
/// those have ended: a barrier does not wait for threads that have not yet
/// left. Threads for which others of their warp still wait are not held.
inline void block::hold_leaving(unsigned count) {
  unsigned last = 0;
  for (unsigned i = 0; i < count; ++i)
    last = std::max(last, ends[next_end + i].round);
  for (unsigned i = 0; i < count; ++i) {
    const thread_end &end = ends[next_end + i];
    if (fibres[i]->now == state::ready && end.round == round && round < last &&
        end.met_warp <= round)
      fibres[i]->now = state::held;
  }
}

/// Runs the block from barrier to barrier: all warps run until their threads
/// wait, then all are released.
inline void block::run(unsigned count, const std::function<void()> &kernel,
                       order how) {
  while (fibres.size() < count)
    fibres.push_back(std::make_unique<fibre>());
  body = &kernel;
  for (unsigned i = 0; i < count; ++i) {
    fibres[i]->now = state::ready;
    fibres[i]->exchanges = 0;
    fibres[i]->end = {};
  }
  const bool is_late = how == order::late && next_end + count <= ends.size();
  round = 0;
  do {
    if (is_late)
      hold_leaving(count);
    run_warps(count, how == order::backwards);
    ++round;
  } while (release(count, state::at_barrier));
  if (release(count, state::held))
    run_warps(count, false);
  if (how == order::forwards)
    for (unsigned i = 0; i < count; ++i)
      ends.push_back(fibres[i]->end);
  next_end += count;
}

inline unsigned block::exchange(unsigned value, int lane_mask) {
  unsigned *values = slots[now_running->exchanges++ % 2];
  const unsigned own = now_number;
  values[own] = value;
  wait(state::at_warp);
  return values[own ^ unsigned(lane_mask)];
}

inline order now_order = order::forwards;

[[noreturn]] inline void leave() { the_block.leave(); }
inline void leave_if(bool condition) {
  if (condition)
    leave();
}

template <class F> void launch(dim3 grid, dim3 shape, F kernel) {
  gridDim = grid;
  blockDim = shape;
  const unsigned count = shape.x * shape.y * shape.z;
  if (count < 1 || count > 1024)
    std::abort();
  ++launches;
  threads += std::uint64_t(count) * grid.x;
  const std::function<void()> body = kernel;
  for (blockIdx = {0, 0, 0}; blockIdx.x < grid.x; ++blockIdx.x)
    the_block.run(count, body, now_order);
}

} // namespace shim

inline void __syncthreads() { shim::the_block.wait(shim::state::at_barrier); }
inline void __syncwarp(unsigned = ~0u) {
  shim::the_block.wait(shim::state::at_warp);
}
/// Computes a product that no compiler fuses with a sum.
inline float __fmul_rn(float a, float b) {
  volatile float product = a * b;
  return product;
}
inline double __dmul_rn(double a, double b) {
  volatile double product = a * b;
  return product;
}
inline unsigned __shfl_xor_sync(unsigned, unsigned value, int lane_mask) {
  return shim::the_block.exchange(value, lane_mask);
}
inline int atomicAdd(int *p, int v) {
  int old = *p;
  *p = old + v;
  return old;
}
inline unsigned __brev(unsigned v) {
  unsigned result = 0;
  for (int i = 0; i < 32; ++i)
    result |= (v >> i & 1) << (31 - i);
  return result;
}

//===----------------------------------------------------------------------===//
// The functions of the kernels
//===----------------------------------------------------------------------===//

inline float4 tofloat4(float v) { return {v, v + 1, v + 2, v + 3}; }
inline double2 todouble2(double v) { return {v, v + 1}; }
inline Mixed toMixed(float v) { return {v, 7}; }
inline float sumOf(float4 v) { return v.x + v.y + v.z + v.w; }
inline double sumOf(double2 v) { return v.x + v.y; }
inline float sumOf(Mixed v) { return v.x + v.y; }
template <class T> T twice(T v) { return v + v; }
inline int wrapped(int i, int n) { return i % n; }
template <class F> auto applied(F f, unsigned i) { return f(i); }
template <class T> unsigned long long throughAsm(T *p) {
  asm volatile("" : "+r"(p));
  return reinterpret_cast<unsigned long long>(p);
}
[[noreturn]] inline void __trap() { std::abort(); }
#define assert(C) ((C) ? (void)0 : __trap())
inline void trapUnless(bool c) { assert(c); }
inline void leaveIf(bool c) { shim::leave_if(c); }
template <class T> void leaveIfNot(T v) { shim::leave_if(!v); }
inline constexpr int roundUp(int n, int m) { return (n + m - 1) / m * m; }
inline void assign(int &to, int n) { to = n; }

//===----------------------------------------------------------------------===//
// Pairs of kernels
//===----------------------------------------------------------------------===//

namespace shim {

template <class T>
pair make_pair(unsigned long long number, unsigned outputs,
               void (*original)(T *, const T *, const int *),
               void (*rewritten)(T *, const T *, const int *)) {
  auto run = [=](auto launch) {
    return [=](order how) {
      const arguments<T> given(number);
      memory out(outputs * sizeof(T), unwritten);
      now_order = how;
      the_block.begin(how);
      launch(reinterpret_cast<T *>(out.data()), given.in.data(),
             given.flags.data());
      return out;
    };
  };
  return {number, run(original), run(rewritten)};
}

} // namespace shim

int main() { return shim::run_all(); }

#endif // CUDAOPT_SHIM_CUDA_SHIM_H
