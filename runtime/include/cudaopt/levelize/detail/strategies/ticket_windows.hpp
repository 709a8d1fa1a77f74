// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// strategy::tickets for loops whose tickets do not fit into memory: the loop
/// is cut into windows of consecutive iterations, which run one after the
/// other, each as a loop of its own. The next window is inspected on a stream
/// of its own while one runs, in every execution anew; executions wait for the
/// device.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_TICKET_WINDOWS_HPP
#define CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_TICKET_WINDOWS_HPP

#include "cudaopt/levelize/detail/strategies/ticket_counters.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

/// The iterations of \p loop from \p first on, as a loop.
template <class Loop> struct loop_window {
  Loop loop;
  index_t first;

  extents arrays() const { return loop.arrays(); }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(index_t i, Touch &touch) const {
    loop.slice(first + i, touch);
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(index_t i, Memory &memory) const {
    loop.body(first + i, memory);
  }
};

/// Runs a window of one iteration, which needs no order.
template <class Loop> __global__ void run_single(loop_window<Loop> window) {
  direct_memory memory;
  window.body(0, memory);
}

/// A sink that drops all accesses: the walk only checks indices.
struct no_sink {
  static constexpr bool wants_reads = true, wants_stores = true;
  template <class Number>
  __device__ void operator()(Number, Number, index_t, access_kind) const {}
};

/// The windows of one plan. At most two have tables at a time.
class ticket_windows {
public:
  ticket_windows() = default;
  ticket_windows(const ticket_windows &) = delete;
  ticket_windows &operator=(const ticket_windows &) = delete;
  ~ticket_windows() {
    const own_errors mine;
    for (part &p : parts_)
      p.tickets = {};
    for (cudaEvent_t e : {parts_[0].done, parts_[1].done, ready_})
      if (e)
        (void)cudaEventDestroy(e);
    if (inspector_)
      (void)cudaStreamDestroy(inspector_);
  }

  bool are_used() const { return window_ > 0; }

  /// The inspection: chooses the size of windows and checks all indices, so
  /// that executions find no index out of range after they have modified data.
  /// \p summary is that of all iterations.
  template <class Loop>
  status begin(inspection &work, const Loop &loop,
               const access_summary &summary) {
    options_ = work.wanted;
    map_ = work.map;
    window_ = window_for(work, summary);
    // Each window costs some waits; other strategies need less memory.
    if (work.wanted.window <= 0 && work.iterations / window_ > most_windows)
      return status::out_of_memory;
    cudaError_t e =
        cudaStreamCreateWithFlags(&inspector_, cudaStreamNonBlocking);
    for (cudaEvent_t *event : {&parts_[0].done, &parts_[1].done, &ready_})
      if (e == cudaSuccess)
        e = cudaEventCreateWithFlags(event, cudaEventDisableTiming);
    if (e != cudaSuccess)
      return work.memory.check(e);
    status s = status::ok;
    index_t counters = 0;
    for (index_t first = 0; first < work.iterations && s == status::ok;
         first += window_)
      s = check_window(work, loop, first, counters);
    return s == status::ok ? counters_.allocate(work, counters) : s;
  }
  std::uint32_t *stalled_word() const { return counters_.stalled_word(); }
  std::size_t bytes() const {
    return counters_.bytes() + parts_[0].tickets.bytes() +
           parts_[1].tickets.bytes();
  }

  /// Runs all windows and waits for \p on. Where a window's tables find no
  /// memory it is halved, down to one iteration.
  template <class Loop>
  status run(const Loop &loop, index_t iterations, stream on) {
    if (is_captured(on))
      return status::capturing;
    cudaError_t e = cudaEventRecord(ready_, on);
    if (e == cudaSuccess) // Work on the stream may still write the indices.
      e = cudaStreamWaitEvent(inspector_, ready_);
    status s = e == cudaSuccess ? status::ok : status::cuda_error;
    int turn = 0;
    for (index_t first = 0, size = window_; first < iterations; turn ^= 1) {
      size = std::min(size, iterations - first);
      const loop_window<Loop> window{loop, first};
      if (s == status::ok)
        s = run_window(window, size, parts_[turn], on);
      if (s == status::out_of_memory) {
        s = drain(on); // The other window's memory may be enough.
        if (s == status::ok && size > 1) {
          size /= 2;
          continue;
        }
        if (s == status::ok)
          s = run_one(window, on);
      }
      if (s != status::ok)
        break;
      first += size;
    }
    const status ended = drain(on);
    return s == status::ok ? ended : s;
  }

private:
  static constexpr index_t most_windows = 1000;

  /// A window's tickets, freed when their execution is done.
  struct part {
    ticket_table<std::uint32_t> tickets;
    cudaEvent_t done = nullptr;
  };

  /// The iterations of a window: what was asked for, or what fits into three
  /// quarters of the memory.
  static index_t window_for(const inspection &work,
                            const access_summary &summary) {
    if (work.wanted.window > 0)
      return work.wanted.window;
    std::size_t bytes = work.wanted.max_scratch_bytes, all = 0;
    if (bytes == 0 && cudaMemGetInfo(&bytes, &all) != cudaSuccess)
      bytes = 0;
    // Sorting takes 32 bytes an access while another window's tickets and
    // counters take 12. The average stands for all iterations; windows with
    // more accesses than that are halved when they run.
    const double each =
        double(summary.accesses()) / double(work.iterations) * 48 + 16;
    const double fits = double(bytes) * 0.75 / each;
    return std::max<index_t>(1,
                             index_t(std::min(fits, double(work.iterations))));
  }

  template <class Loop>
  status check_window(inspection &work, const Loop &loop, index_t first,
                      index_t &counters) {
    const loop_window<Loop> window{loop, first};
    plan_info info; // The plan's own must not get one window's counts.
    inspection part{std::min(window_, work.iterations - first), work.map,
                    work.wanted, work.memory, info};
    access_list<std::uint32_t> list;
    bad_iteration bad;
    status s = summarize_accesses(part, window, list.summary);
    if (s == status::ok && !has_narrow_numbers(list.summary, work.map))
      return status::unsupported;
    if (s == status::ok)
      s = number_accesses(part, window, list);
    if (s == status::ok)
      s = bad.allocate(work.memory);
    if (s == status::ok)
      s = walk_accesses(part, window, list, no_sink{}, bad.data());
    if (s == status::ok)
      s = bad.verify(part);
    if (s == status::index_out_of_range)
      work.info.bad_iteration = first + info.bad_iteration;
    list.give_back(work.memory);
    counters = std::max(counters,
                        std::min(list.summary.accesses(), work.map.locations));
    return s;
  }

  template <class Loop>
  status run_window(const loop_window<Loop> &window, index_t size, part &p,
                    stream on) {
    // These tables were used two turns ago: that execution must have ended.
    if (cudaStreamWaitEvent(inspector_, p.done) != cudaSuccess)
      return status::cuda_error;
    p.tickets = {};
    options wanted = options_;
    const std::size_t held = bytes();
    if (wanted.max_scratch_bytes) // 0 has no limit.
      wanted.max_scratch_bytes =
          wanted.max_scratch_bytes > held ? wanted.max_scratch_bytes - held : 1;
    scratch memory(wanted, inspector_);
    plan_info info;
    inspection work{size, map_, wanted, memory, info};
    status s = summarize_accesses(work, window, p.tickets.list.summary);
    if (s == status::ok)
      s = p.tickets.make(work, window);
    if (s != status::ok)
      return s;
    if (cudaEventRecord(ready_, inspector_) != cudaSuccess ||
        cudaStreamWaitEvent(on, ready_) != cudaSuccess)
      return status::cuda_error;
    s = counters_.run(run_body<loop_window<Loop>>{window}, size,
                      p.tickets.view(), on);
    if (s == status::ok && cudaEventRecord(p.done, on) != cudaSuccess)
      s = status::cuda_error;
    return s;
  }

  template <class Loop>
  status run_one(const loop_window<Loop> &window, stream on) {
    run_single<Loop><<<1, 1, 0, on>>>(window);
    return launched();
  }

  /// Waits for the windows that run, and frees their tickets.
  status drain(stream on) {
    std::uint32_t stalled = 0;
    cudaError_t e = cudaMemcpyAsync(&stalled, stalled_word(), sizeof(stalled),
                                    cudaMemcpyDeviceToHost, on);
    if (e == cudaSuccess)
      e = cudaStreamSynchronize(on);
    for (part &p : parts_)
      p.tickets = {};
    if (e == cudaSuccess && stalled) // The next execution begins anew.
      e = cudaMemsetAsync(stalled_word(), 0, sizeof(stalled), on);
    if (e != cudaSuccess)
      return status::cuda_error;
    return stalled ? status::stalled : status::ok;
  }

  index_t window_ = 0;
  options options_;
  location_map map_;
  stream inspector_ = nullptr;
  part parts_[2];
  ticket_counters counters_;    ///< For one window at a time.
  cudaEvent_t ready_ = nullptr; ///< The next window's tickets are made.
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_DETAIL_STRATEGIES_TICKET_WINDOWS_HPP
