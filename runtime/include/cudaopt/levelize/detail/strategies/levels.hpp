// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// strategy::levels_graph and strategy::levels_cooperative: the levels of a
/// loop one after the other. The iterations of a level do not depend on each
/// other. Several levels in a row that are at most as wide as a block are run
/// by one block, which needs no barrier of the whole grid between them.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_LEVELS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_LEVELS_HPP

#include "cudaopt/levelize/detail/strategies/level_order.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

#include <cooperative_groups.h>

#include <cstring>

namespace cudaopt::detail {

/// Threads of a block that runs narrow levels, and of the cooperative kernel.
constexpr int level_threads = 512;

template <class Loop, class Index>
__device__ void run_places(const Loop &loop, const Index *order, index_t begin,
                           index_t end, index_t thread, index_t threads) {
  direct_memory memory; // Barriers order what conflicts.
  for (index_t p = begin + thread; p < end; p += threads)
    loop.body(index_t(order[p]), memory);
}

template <class Loop, class Index>
__device__ void run_narrow_levels(const Loop &loop, const Index *order,
                                  const index_t *begins, index_t level,
                                  index_t end) {
  for (index_t next = begins[level]; level < end; ++level) {
    const index_t begin = next;
    next = begins[level + 1];
    run_places(loop, order, begin, next, index_t(threadIdx.x),
               index_t(blockDim.x));
    __syncthreads();
  }
}

template <class Loop, class Index>
__global__ void __launch_bounds__(block_threads)
    run_level(Loop loop, const Index *order, index_t begin, index_t end) {
  run_places(loop, order, begin, end, grid_thread(), grid_threads());
}

template <class Loop, class Index>
__global__ void __launch_bounds__(level_threads)
    run_level_block(Loop loop, const Index *order, const index_t *begins,
                    index_t level, index_t end) {
  run_narrow_levels(loop, order, begins, level, end);
}

template <class Loop, class Index>
__global__ void __launch_bounds__(level_threads)
    run_all_levels(Loop loop, const Index *order, const index_t *begins,
                   const level_step *steps, index_t count) {
  const auto grid = cooperative_groups::this_grid();
  for (index_t k = 0; k < count; ++k) {
    const level_step step = steps[k];
    if (!step.is_narrow)
      run_places(loop, order, begins[step.begin], begins[step.begin + 1],
                 grid_thread(), grid_threads());
    else if (blockIdx.x == 0)
      run_narrow_levels(loop, order, begins, step.begin, step.end);
    if (k + 1 < count)
      grid.sync();
  }
}

template <> struct on_device<strategy::levels_cooperative> {
  struct state : plan_state {
    loop_levels levels;
    buffer<level_step> steps;
    index_t widest = 1;

    std::size_t bytes() const override {
      return levels.bytes() + steps.bytes();
    }
  };

  template <class Loop>
  static constexpr bool applies = !is_self_indexing<Loop>::value;

  template <class Loop>
  static status inspect(inspection &work, const Loop &loop,
                        std::unique_ptr<plan_state> &result) {
    int device = 0, cooperative = 0;
    (void)cudaGetDevice(&device);
    (void)cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch,
                                 device);
    if (!cooperative)
      return status::unsupported;
    auto made = std::make_unique<state>();
    status s = made->levels.find(work, loop);
    if (s == status::ok)
      s = made->levels.is_narrow ? upload(work, *made, made->levels.narrow)
                                 : upload(work, *made, made->levels.wide);
    if (s == status::ok)
      result = std::move(made);
    return s;
  }

  template <class Loop>
  static status execute(state &made, const Loop &loop, index_t, stream on) {
    return made.levels.is_narrow ? run(made, loop, made.levels.narrow, on)
                                 : run(made, loop, made.levels.wide, on);
  }

private:
  template <class Index>
  static status upload(inspection &work, state &made,
                       const level_order<Index> &levels) {
    const std::vector<level_step> steps = levels.steps(level_threads);
    for (const level_step &step : steps)
      if (!step.is_narrow)
        made.widest = std::max(made.widest, levels.width(step.begin));
    status s = made.steps.allocate(work.memory, index_t(steps.size()));
    if (s != status::ok || steps.empty())
      return s;
    cudaError_t e =
        cudaMemcpyAsync(made.steps.data(), steps.data(), made.steps.bytes(),
                        cudaMemcpyHostToDevice, work.memory.on());
    if (e == cudaSuccess)
      e = cudaStreamSynchronize(work.memory.on());
    return work.memory.check(e);
  }

  template <class Loop, class Index>
  static status run(state &made, Loop loop, const level_order<Index> &levels,
                    stream on) {
    auto *kernel = run_all_levels<Loop, Index>;
    const index_t enough = (made.widest + level_threads - 1) / level_threads;
    const int blocks =
        int(std::min<index_t>(enough, resident_blocks(kernel, level_threads)));
    const Index *order = levels.order.data();
    const index_t *begins = levels.begins.data();
    const level_step *steps = made.steps.data();
    index_t count = made.steps.size();
    void *arguments[] = {&loop, &order, &begins, &steps, &count};
    return cudaLaunchCooperativeKernel(
               reinterpret_cast<void *>(kernel), dim3(unsigned(blocks)),
               dim3(level_threads), arguments, 0, on) == cudaSuccess
               ? status::ok
               : status::cuda_error;
  }
};

/// A graph of the launches of all levels. The loop's struct is an argument of
/// its kernels, so that the graph is made at the first execution, and again
/// when the struct has other bytes. While the stream is captured, the launches
/// become part of that capture instead.
class level_graph {
public:
  level_graph() = default;
  level_graph(const level_graph &) = delete;
  level_graph &operator=(const level_graph &) = delete;
  ~level_graph() { reset(); }

  /// \p launch(stream) launches what the graph has, for \p loop.
  template <class Loop, class Launch>
  status run(const Loop &loop, stream on, Launch launch) {
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    if (cudaStreamIsCapturing(on, &capture) != cudaSuccess)
      return status::cuda_error;
    if (capture != cudaStreamCaptureStatusNone)
      return launch(on);
    const char *bytes = reinterpret_cast<const char *>(&loop);
    if (!graph_ || values_.size() != sizeof(loop) ||
        std::memcmp(values_.data(), bytes, sizeof(loop)) != 0) {
      reset();
      values_.assign(bytes, bytes + sizeof(loop)); // May throw.
      if (status s = make(launch); s != status::ok)
        return s;
    }
    return cudaGraphLaunch(graph_, on) == cudaSuccess ? status::ok
                                                      : status::cuda_error;
  }

private:
  template <class Launch> status make(Launch launch) {
    cudaStream_t own;
    if (cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking) != cudaSuccess)
      return status::cuda_error;
    cudaGraph_t graph = nullptr;
    status s = status::cuda_error;
    if (cudaStreamBeginCapture(own, cudaStreamCaptureModeThreadLocal) ==
        cudaSuccess) {
      s = launch(own);
      if (cudaStreamEndCapture(own, &graph) != cudaSuccess ||
          (s == status::ok &&
           cudaGraphInstantiate(&graph_, graph, 0) != cudaSuccess))
        s = status::cuda_error;
    }
    if (graph)
      (void)cudaGraphDestroy(graph);
    (void)cudaStreamDestroy(own);
    return s;
  }
  void reset() {
    const own_errors mine;
    if (graph_)
      (void)cudaGraphExecDestroy(graph_);
    graph_ = nullptr;
  }

  cudaGraphExec_t graph_ = nullptr;
  std::vector<char> values_; ///< The bytes of the loop that it was made for.
};

template <> struct on_device<strategy::levels_graph> {
  struct state : plan_state {
    loop_levels levels;
    std::vector<level_step> steps;
    level_graph graph;

    std::size_t bytes() const override { return levels.bytes(); }
  };
  /// A graph of more kernels costs more memory and time than it saves.
  static constexpr std::size_t most_steps = 100'000;

  template <class Loop>
  static constexpr bool applies = !is_self_indexing<Loop>::value;

  template <class Loop>
  static status inspect(inspection &work, const Loop &loop,
                        std::unique_ptr<plan_state> &result) {
    auto made = std::make_unique<state>();
    status s = made->levels.find(work, loop);
    if (s != status::ok)
      return s;
    made->steps = made->levels.is_narrow
                      ? made->levels.narrow.steps(level_threads)
                      : made->levels.wide.steps(level_threads);
    if (made->steps.size() > most_steps)
      return status::unsupported;
    result = std::move(made);
    return status::ok;
  }

  template <class Loop>
  static status execute(state &made, const Loop &loop, index_t, stream on) {
    return made.graph.run(loop, on, [&](stream s) {
      return made.levels.is_narrow ? launch(made, loop, made.levels.narrow, s)
                                   : launch(made, loop, made.levels.wide, s);
    });
  }

private:
  template <class Loop, class Index>
  static status launch(const state &made, const Loop &loop,
                       const level_order<Index> &levels, stream on) {
    const Index *order = levels.order.data();
    const int resident = resident_blocks(run_level<Loop, Index>);
    for (const level_step &step : made.steps) {
      if (step.is_narrow) {
        run_level_block<<<1, level_threads, 0, on>>>(
            loop, order, levels.begins.data(), step.begin, step.end);
        continue;
      }
      const index_t enough =
          (levels.width(step.begin) + block_threads - 1) / block_threads;
      run_level<<<int(std::min<index_t>(enough, resident)), block_threads, 0,
                  on>>>(loop, order, levels.host[step.begin],
                        levels.host[step.begin + 1]);
    }
    return launched();
  }
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_LEVELS_HPP
