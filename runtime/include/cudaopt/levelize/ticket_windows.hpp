// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Tickets of a loop that has no room for all of them: windows of iterations
/// one after the other, each a loop of its own. The next one is inspected while
/// one runs, in every execution anew; executions wait for the device.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_TICKET_WINDOWS_HPP
#define CUDAOPT_LEVELIZE_TICKET_WINDOWS_HPP

#include "cudaopt/levelize/ticket_counters.hpp"

#if CUDAOPT_CUDA && defined(__CUDACC__)

namespace cudaopt::detail {

/// The iterations of \p loop from \p first.
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

/// One iteration needs no order.
template <class Loop> __global__ void run_single(loop_window<Loop> window) {
  direct_memory memory;
  window.body(0, memory);
}

/// Looks at indices only.
struct no_sink {
  static constexpr bool wants_reads = true, wants_stores = true;
  template <class Number>
  __device__ void operator()(Number, Number, index_t, access_kind) const {}
};

/// What the windows of one plan have in common.
class ticket_windows {
public:
  ticket_windows() = default;
  ticket_windows(const ticket_windows &) = delete;
  ticket_windows &operator=(const ticket_windows &) = delete;
  ~ticket_windows() {
    const own_errors mine;
    for (part &p : Parts)
      p.tickets = {};
    for (cudaEvent_t e : {Parts[0].done, Parts[1].done, Ready})
      if (e)
        (void)cudaEventDestroy(e);
    if (Inspector)
      (void)cudaStreamDestroy(Inspector);
  }

  bool are_used() const { return Window > 0; }

  /// Checks all indices. \p summary is of all iterations.
  template <class Loop>
  status begin(inspection &work, const Loop &loop,
               const access_summary &summary) {
    Options = work.wanted;
    Map = work.map;
    Window = window_for(work, summary);
    // Each one costs some waits: others need less memory.
    if (work.wanted.window <= 0 && work.iterations / Window > most_windows)
      return status::out_of_memory;
    cudaError_t e =
        cudaStreamCreateWithFlags(&Inspector, cudaStreamNonBlocking);
    for (cudaEvent_t *event : {&Parts[0].done, &Parts[1].done, &Ready})
      if (e == cudaSuccess)
        e = cudaEventCreateWithFlags(event, cudaEventDisableTiming);
    if (e != cudaSuccess)
      return work.memory.check(e);
    status s = status::ok;
    index_t counters = 0;
    for (index_t first = 0; first < work.iterations && s == status::ok;
         first += Window)
      s = check_window(work, loop, first, counters);
    return s == status::ok ? Counters.allocate(work, counters) : s;
  }
  std::uint32_t *stalled_word() const { return Counters.stalled_word(); }
  std::size_t bytes() const {
    return Counters.bytes() + Parts[0].tickets.bytes() +
           Parts[1].tickets.bytes();
  }

  /// Waits for \p on.
  template <class Loop>
  status run(const Loop &loop, index_t iterations, stream on) {
    if (is_captured(on))
      return status::capturing;
    cudaError_t e = cudaEventRecord(Ready, on);
    if (e == cudaSuccess) // Who writes the indices may still run.
      e = cudaStreamWaitEvent(Inspector, Ready);
    status s = e == cudaSuccess ? status::ok : status::cuda_error;
    int turn = 0;
    for (index_t first = 0, size = Window; first < iterations; turn ^= 1) {
      size = std::min(size, iterations - first);
      const loop_window<Loop> window{loop, first};
      if (s == status::ok)
        s = run_window(window, size, Parts[turn], on);
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

  static index_t window_for(const inspection &work,
                            const access_summary &summary) {
    if (work.wanted.window > 0)
      return work.wanted.window;
    std::size_t bytes = work.wanted.max_scratch_bytes, all = 0;
    if (bytes == 0 && cudaMemGetInfo(&bytes, &all) != cudaSuccess)
      bytes = 0;
    // Sorting takes 32 bytes an access while another window's tickets and
    // counters take 12; more than one iteration may have at most.
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
    plan_info info; // The summary of one window is none of the plan's.
    inspection part{std::min(Window, work.iterations - first), work.map,
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
    // Two turns ago, on the same tables.
    if (cudaStreamWaitEvent(Inspector, p.done) != cudaSuccess)
      return status::cuda_error;
    p.tickets = {};
    options wanted = Options;
    const std::size_t held = bytes();
    if (wanted.max_scratch_bytes) // 0 has no limit.
      wanted.max_scratch_bytes =
          wanted.max_scratch_bytes > held ? wanted.max_scratch_bytes - held : 1;
    scratch memory(wanted, Inspector);
    plan_info info;
    inspection work{size, Map, wanted, memory, info};
    status s = summarize_accesses(work, window, p.tickets.list.summary);
    if (s == status::ok)
      s = p.tickets.make(work, window);
    if (s != status::ok)
      return s;
    if (cudaEventRecord(Ready, Inspector) != cudaSuccess ||
        cudaStreamWaitEvent(on, Ready) != cudaSuccess)
      return status::cuda_error;
    s = Counters.run(run_body<loop_window<Loop>>{window}, size,
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
    for (part &p : Parts)
      p.tickets = {};
    if (e == cudaSuccess && stalled) // The next execution begins anew.
      e = cudaMemsetAsync(stalled_word(), 0, sizeof(stalled), on);
    if (e != cudaSuccess)
      return status::cuda_error;
    return stalled ? status::stalled : status::ok;
  }

  index_t Window = 0;
  options Options;
  location_map Map;
  stream Inspector = nullptr;
  part Parts[2];
  ticket_counters Counters;    ///< Of one window at a time.
  cudaEvent_t Ready = nullptr; ///< Tickets of the window that comes.
};

} // namespace cudaopt::detail

#endif
#endif // CUDAOPT_LEVELIZE_TICKET_WINDOWS_HPP
