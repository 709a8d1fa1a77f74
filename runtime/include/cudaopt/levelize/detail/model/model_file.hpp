// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Measured models are kept in CUDAOPT_CACHE_DIR, or else ~/.cache/cudaopt, one
/// text file for each device of each host.
//===----------------------------------------------------------------------===//

#ifndef CUDAOPT_LEVELIZE_DETAIL_MODEL_MODEL_FILE_HPP
#define CUDAOPT_LEVELIZE_DETAIL_MODEL_MODEL_FILE_HPP

#include "cudaopt/levelize/detail/support/environment.hpp"
#include "cudaopt/levelize/detail/support/error_state.hpp"
#include "cudaopt/levelize/device_model.hpp"

#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <unistd.h>

namespace cudaopt::detail {

/// Calls `f(name, value)` for each number of a model.
template <class Model, class F> void for_each_number(Model &m, F &&f) {
  f("hop_us", m.hop_us);
  f("flag_hop_us", m.flag_hop_us);
  f("grid_sync_us", m.grid_sync_us);
  f("graph_node_us", m.graph_node_us);
  f("launch_us", m.launch_us);
  f("gathers_per_us", m.gathers_per_us);
  f("atomics_per_us", m.atomics_per_us);
  f("sorted_per_us", m.sorted_per_us);
  f("to_device_gb_s", m.to_device_gb_s);
  f("to_host_gb_s", m.to_host_gb_s);
  f("host_near_ns", m.host_near_ns);
  f("host_far_ns", m.host_far_ns);
  f("host_cache_mb", m.host_cache_mb);
}

/// The directory of measured models, which need not exist; "" if neither
/// CUDAOPT_CACHE_DIR nor HOME is set.
inline std::string cache_directory() {
  if (*variable("CUDAOPT_CACHE_DIR"))
    return variable("CUDAOPT_CACHE_DIR");
  if (*variable("HOME"))
    return std::string(variable("HOME")) + "/.cache/cudaopt";
  return "";
}

/// Reads a model that write_model() wrote. Returns false if \p path has no
/// complete one; \p m is then as before.
inline bool read_model(const std::string &path, device_model &m) {
  std::FILE *file = std::fopen(path.c_str(), "r");
  if (!file)
    return false;
  device_model read;
  bool is_good = true;
  for_each_number(read, [&](const char *name, float &value) {
    char found[32];
    is_good = is_good && std::fscanf(file, "%31s %f", found, &value) == 2 &&
              std::strcmp(found, name) == 0 && value > 0;
  });
  std::fclose(file);
  if (is_good) {
    m = read;
    m.is_measured = true;
  }
  return is_good;
}

/// Writes \p m to another file and renames that, so that readers see the model
/// complete or not at all. Returns false if that fails.
inline bool write_model(const std::string &path, const device_model &m) {
  const std::string draft = path + ".new";
  std::FILE *file = std::fopen(draft.c_str(), "w");
  if (!file)
    return false;
  bool is_good = true;
  for_each_number(m, [&](const char *name, const float &value) {
    is_good =
        std::fprintf(file, "%s %.9g\n", name, double(value)) > 0 && is_good;
  });
  is_good = std::fclose(file) == 0 && is_good;
  return is_good && std::rename(draft.c_str(), path.c_str()) == 0;
}

#if CUDAOPT_CUDA
/// The cache's file for a device of this host, "" if it has none. It is named
/// by the host, since hosts may share a home, and by the device's PCI address.
inline std::string model_path(int device) {
  char host[64] = "", bus[32];
  const std::string directory = cache_directory();
  if (directory.empty() || gethostname(host, sizeof(host) - 1) != 0 ||
      cudaDeviceGetPCIBusId(bus, sizeof(bus), device) != cudaSuccess)
    return "";
  return directory + "/" + host + "-" + bus + ".txt";
}
#endif

/// Models that were read from files already: each inspection needs one, and
/// reading a file costs more than the choice. Threads may share it.
class known_models {
public:
  static known_models &all() {
    static auto &models = *new known_models; // Plans may end late.
    return models;
  }
  /// The model of the file \p path, which is read once.
  device_model at(const std::string &path) {
    const std::lock_guard<std::mutex> lock(lock_);
    const auto [place, is_new] = models_.try_emplace(path);
    if (is_new)
      (void)read_model(path, place->second);
    return place->second;
  }
  /// Reads the file again next time: it has changed.
  void forget(const std::string &path) {
    const std::lock_guard<std::mutex> lock(lock_);
    models_.erase(path);
  }

private:
  std::mutex lock_;
  std::map<std::string, device_model> models_;
};

/// The measured model of the current device, else the H200's.
inline device_model current_model() {
  device_model model;
#if CUDAOPT_CUDA
  const own_errors mine;
  const int device = current_device();
  (void)without_throwing([&] {
    if (const std::string path = device < 0 ? "" : model_path(device);
        !path.empty())
      model = known_models::all().at(path);
    return status::ok;
  });
#endif
  return model;
}

} // namespace cudaopt::detail

#endif // CUDAOPT_LEVELIZE_DETAIL_MODEL_MODEL_FILE_HPP
