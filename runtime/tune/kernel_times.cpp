// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// A library that the CUDA driver loads into a program (CUDA_INJECTION64_PATH).
/// It measures how long each kernel runs, with CUPTI, and how fast and at which
/// energy the GPU works meanwhile, with NVML. When the program exits, lines of
/// words, separated by tabs, are appended to the file that CUDAOPT_TIMES names:
///
///   gpu     <uuid> <name>        kernel <nanoseconds> <launches> <symbol>
///   mig                          clock  <MHz, median> <samples>
///   lost    <records>            energy <millijoules> <nanoseconds>
///
/// `cuda-opt tune` compiles it with the user's toolkit. No exception may leave
/// these functions, which C code calls.
//===----------------------------------------------------------------------===//

#include <cupti.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#if __has_include(<nvml.h>)
#include <nvml.h>
#define HAS_NVML 1
#endif

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

struct KernelSum {
  uint64_t Nanoseconds = 0, Launches = 0;
};

/// What is known of the program so far. It is never destroyed: CUPTI's threads
/// may deliver records while the program exits.
struct Record {
  std::mutex Lock;
  std::map<std::string, KernelSum> Kernels;
  uint64_t Lost = 0;
  std::string Device; ///< The lines about the GPU.
  bool IsWritten = false;
  pid_t Process = getpid(); ///< A process that it forks runs no kernels.
};

Record &record() {
  static Record *const Only = new Record;
  return *Only;
}

constexpr size_t BufferBytes = 4 << 20, BufferAlignment = 8;

void CUPTIAPI lendBuffer(uint8_t **Buffer, size_t *Size, size_t *MaxRecords) {
  *Buffer = static_cast<uint8_t *>(aligned_alloc(BufferAlignment, BufferBytes));
  *Size = *Buffer ? BufferBytes : 0;
  *MaxRecords = 0;
}

void CUPTIAPI readBuffer(CUcontext Context, uint32_t Stream, uint8_t *Buffer,
                         size_t, size_t ValidBytes) {
  Record &To = record();
  const std::lock_guard<std::mutex> Guard(To.Lock);
  CUpti_Activity *Each = nullptr;
  while (cuptiActivityGetNextRecord(Buffer, ValidBytes, &Each) ==
         CUPTI_SUCCESS) {
    if (Each->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
      continue;
    // Newer versions of the record begin with the members of this one.
    const auto *Kernel = reinterpret_cast<const CUpti_ActivityKernel9 *>(Each);
    KernelSum &Sum = To.Kernels[Kernel->name ? Kernel->name : ""];
    Sum.Nanoseconds += Kernel->end - Kernel->start;
    ++Sum.Launches;
  }
  size_t Lost = 0;
  if (cuptiActivityGetNumDroppedRecords(Context, Stream, &Lost) ==
      CUPTI_SUCCESS)
    To.Lost += Lost;
  free(Buffer);
}

#ifdef HAS_NVML

/// The functions of NVML, which is a part of the driver and not linked.
struct Nvml {
  decltype(&nvmlInit_v2) Init = nullptr;
  decltype(&nvmlDeviceGetHandleByUUID) HandleOf = nullptr;
  decltype(&nvmlDeviceGetMigMode) MigMode = nullptr;
  decltype(&nvmlDeviceGetClockInfo) Clock = nullptr;
  decltype(&nvmlDeviceGetTotalEnergyConsumption) Energy = nullptr;

  bool load() {
    void *const Library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (!Library)
      return false;
    auto Find = [&](auto &Function, const char *Name) {
      Function = reinterpret_cast<std::remove_reference_t<decltype(Function)>>(
          dlsym(Library, Name));
      return Function != nullptr;
    };
    return Find(Init, "nvmlInit_v2") &&
           Find(HandleOf, "nvmlDeviceGetHandleByUUID") &&
           Find(MigMode, "nvmlDeviceGetMigMode") &&
           Find(Clock, "nvmlDeviceGetClockInfo") &&
           Find(Energy, "nvmlDeviceGetTotalEnergyConsumption") &&
           Init() == NVML_SUCCESS;
  }
};

/// Samples the clock of the multiprocessors from the first use of the GPU on.
class DeviceMeter {
public:
  /// \p Id is that of a GPU or of a part of one (MIG).
  void start(const std::string &Id) {
    if (!Library.load())
      return;
    if (Library.HandleOf(("GPU-" + Id).c_str(), &Device) != NVML_SUCCESS) {
      IsMig = Library.HandleOf(("MIG-" + Id).c_str(), &Device) == NVML_SUCCESS;
      if (!IsMig)
        return;
    }
    unsigned Now = 0, Pending = 0;
    IsMig |= Library.MigMode(Device, &Now, &Pending) == NVML_SUCCESS &&
             Now == NVML_DEVICE_MIG_ENABLE;
    HasEnergy = Library.Energy(Device, &EnergyBefore) == NVML_SUCCESS;
    Begin = std::chrono::steady_clock::now();
    IsRunning = true;
    Sampler = std::thread([this] { sample(); });
  }

  std::string finish() {
    if (!IsRunning.exchange(false))
      return "";
    unsigned long long EnergyAfter = 0;
    const bool HasBoth =
        HasEnergy && Library.Energy(Device, &EnergyAfter) == NVML_SUCCESS;
    const auto Took = std::chrono::steady_clock::now() - Begin;
    Sampler.join();
    std::string Text = IsMig ? "mig\n" : "";
    if (!Clocks.empty()) {
      std::nth_element(Clocks.begin(), Clocks.begin() + Clocks.size() / 2,
                       Clocks.end());
      Text += "clock\t" + std::to_string(Clocks[Clocks.size() / 2]) + "\t" +
              std::to_string(Clocks.size()) + "\n";
    }
    if (HasBoth)
      Text += "energy\t" + std::to_string(EnergyAfter - EnergyBefore) + "\t" +
              std::to_string(std::chrono::nanoseconds(Took).count()) + "\n";
    return Text;
  }

private:
  void sample() {
    while (IsRunning) {
      unsigned MHz = 0;
      if (Library.Clock(Device, NVML_CLOCK_SM, &MHz) == NVML_SUCCESS)
        Clocks.push_back(MHz);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  Nvml Library;
  nvmlDevice_t Device = nullptr;
  bool IsMig = false, HasEnergy = false;
  unsigned long long EnergyBefore = 0;
  std::chrono::steady_clock::time_point Begin;
  std::atomic<bool> IsRunning = false;
  std::thread Sampler;
  std::vector<unsigned> Clocks;
};

#else

class DeviceMeter {
public:
  void start(const std::string &) {}
  std::string finish() { return ""; }
};

#endif

DeviceMeter &meter() {
  static DeviceMeter *const Only = new DeviceMeter;
  return *Only;
}

/// Returns the identifier of a GPU as NVML and nvidia-smi write it, without the
/// prefix.
std::string spell(const CUuuid &Id) {
  std::string Text;
  for (int I = 0; I != 16; ++I) {
    char Digits[3];
    snprintf(Digits, sizeof(Digits), "%02x",
             static_cast<unsigned char>(Id.bytes[I]));
    if (I == 4 || I == 6 || I == 8 || I == 10)
      Text += "-";
    Text += Digits;
  }
  return Text;
}

/// Remembers the GPU of \p Context. The program has loaded the driver.
void noteDevice(CUcontext Context) {
  void *const Driver = dlopen("libcuda.so.1", RTLD_NOW);
  const auto NameOf = reinterpret_cast<CUresult (*)(char *, int, CUdevice)>(
      Driver ? dlsym(Driver, "cuDeviceGetName") : nullptr);
  const auto IdOf = reinterpret_cast<CUresult (*)(CUuuid *, CUdevice)>(
      Driver ? dlsym(Driver, "cuDeviceGetUuid_v2") : nullptr);
  uint32_t Device = 0;
  char Name[128] = "";
  CUuuid Id = {};
  if (!NameOf || !IdOf || cuptiGetDeviceId(Context, &Device) != CUPTI_SUCCESS ||
      NameOf(Name, sizeof(Name), static_cast<CUdevice>(Device)) !=
          CUDA_SUCCESS ||
      IdOf(&Id, static_cast<CUdevice>(Device)) != CUDA_SUCCESS)
    return;
  const std::string Digits = spell(Id);
  {
    const std::lock_guard<std::mutex> Guard(record().Lock);
    record().Device = "gpu\tGPU-" + Digits + "\t" + Name + "\n";
  }
  meter().start(Digits);
}

/// Appends all lines while no other process of the program does.
void writeRecord() {
  if (record().Process != getpid())
    return;
  cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  const std::string Meter = meter().finish();
  Record &From = record();
  const std::lock_guard<std::mutex> Guard(From.Lock);
  const char *const Path = getenv("CUDAOPT_TIMES");
  if (!Path || From.IsWritten)
    return;
  From.IsWritten = true;
  std::string Text = From.Device + Meter;
  if (From.Lost)
    Text += "lost\t" + std::to_string(From.Lost) + "\n";
  for (const auto &[Name, Sum] : From.Kernels)
    Text += "kernel\t" + std::to_string(Sum.Nanoseconds) + "\t" +
            std::to_string(Sum.Launches) + "\t" + Name + "\n";
  const int File = open(Path, O_WRONLY | O_APPEND | O_CREAT, 0666);
  if (File == -1)
    return;
  flock(File, LOCK_EX);
  size_t Done = 0;
  while (Done != Text.size()) {
    const ssize_t Count = write(File, Text.data() + Done, Text.size() - Done);
    if (Count <= 0)
      break;
    Done += size_t(Count);
  }
  close(File); // Which unlocks it.
}

void CUPTIAPI onContext(void *, CUpti_CallbackDomain, CUpti_CallbackId,
                        const void *Data) {
  static std::once_flag Once;
  const CUcontext Context =
      static_cast<const CUpti_ResourceData *>(Data)->context;
  std::call_once(Once, noteDevice, Context);
}

} // namespace

/// The driver calls this when the program uses it for the first time.
extern "C" int InitializeInjection() {
  (void)record(); // Remembers the process.
  cuptiActivityRegisterCallbacks(lendBuffer, readBuffer);
  if (cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) !=
      CUPTI_SUCCESS)
    return 1;
  CUpti_SubscriberHandle Subscriber;
  if (cuptiSubscribe(&Subscriber, onContext, nullptr) == CUPTI_SUCCESS)
    cuptiEnableCallback(1, Subscriber, CUPTI_CB_DOMAIN_RESOURCE,
                        CUPTI_CBID_RESOURCE_CONTEXT_CREATED);
  atexit(writeRecord);
  return 1;
}
