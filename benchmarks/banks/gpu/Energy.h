// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The energy that the GPU counts, read through NVIDIA's management library,
/// which is part of the driver and is loaded when asked for.
//===----------------------------------------------------------------------===//

#ifndef BENCHMARKS_BANKS_GPU_ENERGY_H
#define BENCHMARKS_BANKS_GPU_ENERGY_H

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <chrono>
#include <cstdio>

namespace bench {

/// What \c nvmlDeviceGetTotalEnergyConsumption tells: millijoules since the
/// driver was loaded. It is renewed a few times in a second.
class EnergyCounter {
public:
  EnergyCounter() {
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (!library)
      return;
    auto start = reinterpret_cast<int (*)()>(dlsym(library, "nvmlInit_v2"));
    auto find = reinterpret_cast<int (*)(const char *, void **)>(
        dlsym(library, "nvmlDeviceGetHandleByPciBusId_v2"));
    read = reinterpret_cast<Read>(
        dlsym(library, "nvmlDeviceGetTotalEnergyConsumption"));
    int domain, bus, slot;
    if (!start || !find || !read || start() != 0 ||
        cudaDeviceGetAttribute(&domain, cudaDevAttrPciDomainId, 0) !=
            cudaSuccess ||
        cudaDeviceGetAttribute(&bus, cudaDevAttrPciBusId, 0) != cudaSuccess ||
        cudaDeviceGetAttribute(&slot, cudaDevAttrPciDeviceId, 0) != cudaSuccess)
      return;
    char name[32];
    std::snprintf(name, sizeof name, "%08x:%02x:%02x.0", domain, bus, slot);
    if (find(name, &device) != 0)
      device = nullptr;
  }
  EnergyCounter(const EnergyCounter &) = delete;
  EnergyCounter &operator=(const EnergyCounter &) = delete;

  /// Returns false if this GPU does not count.
  bool joules(double &value) const {
    unsigned long long millijoules;
    if (!device || read(device, &millijoules) != 0)
      return false;
    value = double(millijoules) / 1000;
    return true;
  }

private:
  using Read = int (*)(void *, unsigned long long *);
  Read read = nullptr;
  void *device = nullptr;
};

/// Of a launch, the mean of many.
struct Energy {
  double joules = 0, watts = 0;
  bool isKnown = false;
};

/// Launches for at least \p seconds. The GPU's idle power is included: that is
/// what the user pays for.
template <typename Function>
Energy measureEnergy(double seconds, Function launch) {
  using Clock = std::chrono::steady_clock;
  auto since = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  EnergyCounter counter;
  double first, last;
  long launches = 0;
  auto launchSome = [&] {
    for (int i = 0; i < 16; ++i, ++launches)
      launch();
    cudaDeviceSynchronize();
  };
  // The interval begins and ends where the counter is renewed.
  auto waitForNext = [&](double &value) {
    if (!counter.joules(value))
      return false;
    double old = value;
    while (value == old && counter.joules(value))
      launchSome();
    return value != old;
  };
  if (!waitForNext(first))
    return {};
  launches = 0;
  auto begin = Clock::now();
  while (since(begin) < seconds)
    launchSome();
  if (!waitForNext(last))
    return {};
  double used = last - first;
  return {used / double(launches), used / since(begin), true};
}

} // namespace bench

#endif // BENCHMARKS_BANKS_GPU_ENERGY_H
