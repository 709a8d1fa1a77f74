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
  explicit calibration(device_model &m) : Model(m), Memory(options(), nullptr) {
    note(cudaStreamCreate(&Stream));
    Memory = scratch(options(), Stream);
    note(cudaEventCreate(&Begin));
    note(cudaEventCreate(&End));
  }
  ~calibration() {
    Table.reset(); // While their stream lives.
    Cells.reset();
    (void)cudaEventDestroy(End);
    (void)cudaEventDestroy(Begin);
    (void)cudaStreamDestroy(Stream);
  }
  calibration(const calibration &) = delete;
  calibration &operator=(const calibration &) = delete;

  status measure() {
    note(Cells.allocate(Memory, hops + 1));
    note(Table.allocate(Memory, table_size));
    if (Status != status::ok)
      return Status;
    measure_steps();
    measure_traffic();
    measure_sort();
    measure_transfers();
    measure_host(Model);
    Model.is_measured = Status == status::ok;
    return Status;
  }

private:
  static constexpr index_t hops = 4000, steps = 200;
  static constexpr index_t table_size = 1 << 26; ///< Larger than caches.
  static constexpr index_t sorted = 1 << 24;

  void note(status s) {
    if (Status == status::ok)
      Status = s;
  }
  void note(cudaError_t e) { note(Memory.check(e)); }

  /// The shortest of three times of \p work on the stream, in us.
  template <class Work> float time(Work &&work) {
    float best = 1e30f;
    for (int k = 0; k < 4 && Status == status::ok; ++k) {
      note(cudaEventRecord(Begin, Stream));
      work();
      note(cudaEventRecord(End, Stream));
      note(cudaEventSynchronize(End));
      float ms = 0;
      note(cudaEventElapsedTime(&ms, Begin, End));
      if (k > 0) // The first one warms up.
        best = std::min(best, ms * 1000);
    }
    return best;
  }

  void launch_together(const void *kernel, int blocks, int threads,
                       void **arguments) {
    note(cudaLaunchCooperativeKernel(kernel, dim3(unsigned(blocks)),
                                     dim3(unsigned(threads)), arguments, 0,
                                     Stream));
  }

  void measure_steps() {
    cell *cells = Cells.data();
    index_t count = hops;
    std::uint64_t epoch = 0;
    void *arguments[] = {&cells, &count, &epoch};
    note(cudaMemsetAsync(cells, 0, Cells.bytes(), Stream));
    Model.hop_us =
        time([&] {
          ++epoch;
          launch_together(reinterpret_cast<const void *>(hop_by_cells), 2, 32,
                          arguments);
        }) /
        float(hops);
    Model.flag_hop_us =
        time([&] {
          note(cudaMemsetAsync(cells, 0, Cells.bytes(), Stream));
          launch_together(reinterpret_cast<const void *>(hop_by_flags), 2, 32,
                          arguments);
        }) /
        float(hops);
    index_t times = steps;
    void *sync_arguments[] = {&times};
    const int blocks = std::max(1, resident_blocks(sync_grid) / 8);
    Model.grid_sync_us =
        time([&] {
          launch_together(reinterpret_cast<const void *>(sync_grid), blocks,
                          block_threads, sync_arguments);
        }) /
        float(steps);
    auto launch_all = [&] {
      for (index_t k = 0; k < steps; ++k)
        do_nothing<<<1, 32, 0, Stream>>>();
      note(cudaPeekAtLastError());
    };
    Model.launch_us = time(launch_all) / float(steps);
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    note(cudaStreamBeginCapture(Stream, cudaStreamCaptureModeThreadLocal));
    launch_all();
    note(cudaStreamEndCapture(Stream, &graph));
    if (Status == status::ok)
      note(cudaGraphInstantiate(&executable, graph, 0));
    Model.graph_node_us =
        time([&] { note(cudaGraphLaunch(executable, Stream)); }) / float(steps);
    if (executable)
      (void)cudaGraphExecDestroy(executable);
    if (graph)
      (void)cudaGraphDestroy(graph);
  }

  void measure_traffic() {
    std::uint32_t *table = Table.data();
    const index_t count = table_size;
    note(cudaMemsetAsync(table, 0, Table.bytes(), Stream));
    Model.gathers_per_us =
        float(count) / time([&] {
          gather_randomly<<<blocks_for(gather_randomly, count), block_threads,
                            0, Stream>>>(table, count);
        });
    Model.atomics_per_us =
        float(count) / time([&] {
          update_randomly<<<blocks_for(update_randomly, count), block_threads,
                            0, Stream>>>(table, count);
        });
  }

  void measure_sort() {
    buffer<std::uint32_t> keys, values;
    note(keys.allocate(Memory, sorted));
    note(values.allocate(Memory, sorted));
    if (Status != status::ok)
      return;
    const float us = time([&] {
      fill_randomly<<<blocks_for(fill_randomly, sorted), block_threads, 0,
                      Stream>>>(keys.data(), sorted);
      note(sort_pairs(Memory, keys, values, 0, 26));
    });
    Model.sorted_per_us = float(sorted) / us;
  }

  void measure_transfers() {
    constexpr std::size_t bytes = 64 << 20;
    void *host = nullptr;
    note(cudaMallocHost(&host, bytes));
    if (Status != status::ok)
      return;
    Model.to_device_gb_s =
        float(bytes) * 1e-3f / time([&] {
          note(cudaMemcpyAsync(Table.data(), host, bytes,
                               cudaMemcpyHostToDevice, Stream));
        });
    Model.to_host_gb_s =
        float(bytes) * 1e-3f / time([&] {
          note(cudaMemcpyAsync(host, Table.data(), bytes,
                               cudaMemcpyDeviceToHost, Stream));
        });
    (void)cudaFreeHost(host);
  }

  device_model &Model;
  scratch Memory;
  stream Stream = nullptr;
  cudaEvent_t Begin = nullptr, End = nullptr;
  buffer<cell> Cells;
  buffer<std::uint32_t> Table;
  status Status = status::ok;
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
