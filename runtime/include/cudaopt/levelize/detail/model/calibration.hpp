// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The measurements that calibrate() makes: steps, traffic, sorts and transfers
/// of a device, and its host's memory.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_MODEL_CALIBRATION_HPP
#define CUDAOPT_LEVELIZE_DETAIL_MODEL_CALIBRATION_HPP

#include "cudaopt/levelize/detail/model/host_speed.hpp"
#include "cudaopt/levelize/detail/model/model_file.hpp"
#include "cudaopt/levelize/detail/model/probe_kernels.hpp"
#include "cudaopt/levelize/detail/support/device_algorithms.hpp"
#include "cudaopt/levelize/detail/support/launch.hpp"

#if CUDAOPT_CUDA

namespace cudaopt::detail {

/// One calibration: its stream, events and memory. The first error is kept and
/// ends it.
class calibration {
public:
  explicit calibration(device_model &m)
      : model_(m), memory_(options(), nullptr) {
    note(cudaStreamCreate(&stream_));
    memory_ = scratch(options(), stream_);
    note(cudaEventCreate(&begin_));
    note(cudaEventCreate(&end_));
  }
  ~calibration() {
    table_.reset(); // While their stream lives.
    cells_.reset();
    (void)cudaEventDestroy(end_);
    (void)cudaEventDestroy(begin_);
    (void)cudaStreamDestroy(stream_);
  }
  calibration(const calibration &) = delete;
  calibration &operator=(const calibration &) = delete;

  status measure() {
    note(cells_.allocate(memory_, hops + 1));
    note(table_.allocate(memory_, table_size));
    if (status_ != status::ok)
      return status_;
    measure_steps();
    measure_traffic();
    measure_sort();
    measure_transfers();
    measure_host(model_);
    model_.is_measured = status_ == status::ok;
    return status_;
  }

private:
  static constexpr index_t hops = 4000, steps = 200;
  static constexpr index_t table_size = 1 << 26; ///< Larger than caches.
  static constexpr index_t sorted = 1 << 24;

  void note(status s) {
    if (status_ == status::ok)
      status_ = s;
  }
  void note(cudaError_t e) { note(memory_.check(e)); }

  /// The shortest of three times of \p work on the stream, in us.
  template <class Work> float time(Work &&work) {
    float best = 1e30f;
    for (int k = 0; k < 4 && status_ == status::ok; ++k) {
      note(cudaEventRecord(begin_, stream_));
      work();
      note(cudaEventRecord(end_, stream_));
      note(cudaEventSynchronize(end_));
      float ms = 0;
      note(cudaEventElapsedTime(&ms, begin_, end_));
      if (k > 0) // The first one warms up.
        best = std::min(best, ms * 1000);
    }
    return best;
  }

  void launch_together(const void *kernel, int blocks, int threads,
                       void **arguments) {
    note(cudaLaunchCooperativeKernel(kernel, dim3(unsigned(blocks)),
                                     dim3(unsigned(threads)), arguments, 0,
                                     stream_));
  }

  void measure_steps() {
    cell *cells = cells_.data();
    index_t count = hops;
    std::uint64_t epoch = 0;
    void *arguments[] = {&cells, &count, &epoch};
    note(cudaMemsetAsync(cells, 0, cells_.bytes(), stream_));
    model_.hop_us =
        time([&] {
          ++epoch;
          launch_together(reinterpret_cast<const void *>(hop_by_cells), 2, 32,
                          arguments);
        }) /
        float(hops);
    model_.flag_hop_us =
        time([&] {
          note(cudaMemsetAsync(cells, 0, cells_.bytes(), stream_));
          launch_together(reinterpret_cast<const void *>(hop_by_flags), 2, 32,
                          arguments);
        }) /
        float(hops);
    index_t times = steps;
    void *sync_arguments[] = {&times};
    const int blocks = std::max(1, resident_blocks(sync_grid) / 8);
    model_.grid_sync_us =
        time([&] {
          launch_together(reinterpret_cast<const void *>(sync_grid), blocks,
                          block_threads, sync_arguments);
        }) /
        float(steps);
    auto launch_all = [&] {
      for (index_t k = 0; k < steps; ++k)
        do_nothing<<<1, 32, 0, stream_>>>();
      note(cudaPeekAtLastError());
    };
    model_.launch_us = time(launch_all) / float(steps);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    note(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    launch_all();
    note(cudaStreamEndCapture(stream_, &graph));
    if (status_ == status::ok)
      note(cudaGraphInstantiate(&executable, graph, 0));
    model_.graph_node_us =
        time([&] { note(cudaGraphLaunch(executable, stream_)); }) /
        float(steps);
    if (executable)
      (void)cudaGraphExecDestroy(executable);
    if (graph)
      (void)cudaGraphDestroy(graph);
  }

  void measure_traffic() {
    std::uint32_t *table = table_.data();
    const index_t count = table_size;
    note(cudaMemsetAsync(table, 0, table_.bytes(), stream_));
    model_.gathers_per_us =
        float(count) / time([&] {
          gather_randomly<<<blocks_for(gather_randomly, count), block_threads,
                            0, stream_>>>(table, count);
        });
    model_.atomics_per_us =
        float(count) / time([&] {
          update_randomly<<<blocks_for(update_randomly, count), block_threads,
                            0, stream_>>>(table, count);
        });
  }

  void measure_sort() {
    buffer<std::uint32_t> keys, values;
    note(keys.allocate(memory_, sorted));
    note(values.allocate(memory_, sorted));
    if (status_ != status::ok)
      return;
    const float us = time([&] {
      fill_randomly<<<blocks_for(fill_randomly, sorted), block_threads, 0,
                      stream_>>>(keys.data(), sorted);
      note(sort_pairs(memory_, keys, values, 0, 26));
    });
    model_.sorted_per_us = float(sorted) / us;
  }

  void measure_transfers() {
    constexpr std::size_t bytes = 64 << 20;
    void *host = nullptr;
    note(cudaMallocHost(&host, bytes));
    if (status_ != status::ok)
      return;
    model_.to_device_gb_s =
        float(bytes) * 1e-3f / time([&] {
          note(cudaMemcpyAsync(table_.data(), host, bytes,
                               cudaMemcpyHostToDevice, stream_));
        });
    model_.to_host_gb_s =
        float(bytes) * 1e-3f / time([&] {
          note(cudaMemcpyAsync(host, table_.data(), bytes,
                               cudaMemcpyDeviceToHost, stream_));
        });
    (void)cudaFreeHost(host);
  }

  device_model &model_;
  scratch memory_;
  stream stream_ = nullptr;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
  buffer<cell> cells_;
  buffer<std::uint32_t> table_;
  status status_ = status::ok;
};

inline status calibrate_device(int device, device_model &m) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess)
    return status::cuda_error;
  if (device < 0 || device >= devices)
    return status::invalid_argument;
  device_model found;
  {
    const device_scope there(device);
    if (current_device() != device)
      return status::cuda_error;
    const status s = calibration(found).measure();
    if (s != status::ok)
      return s;
  }
  m = found;
  const std::string path = model_path(device);
  if (!path.empty()) {
    make_directories(cache_directory());
    (void)write_model(path, m);
    known_models::all().forget(path);
  }
  return status::ok;
}

} // namespace cudaopt::detail

#endif

#endif // CUDAOPT_LEVELIZE_DETAIL_MODEL_CALIBRATION_HPP
