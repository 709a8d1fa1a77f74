// REQUIRES: cuda-toolkit
// RUN: %exits 1 %cuda-sim %s -- -std=c++17 -I %include-runtime 2>&1 | FileCheck %s
//
// An error that the program has left behind is no error of the runtime's, and is
// there afterwards; errors of the runtime's own are not. A stream that is captured
// is not waited for, and memory is freed on the device that it came from.
//
// CHECK: with an error of the program: right
//
// CHECK: without one: right
//
// CHECK: captured: right
//
// CHECK: devices: right
#include <cuda_runtime_api.h>

// What cuda-sim does not have, or has for one device without captures only.
static int Device = 0, FreedOn = -1, PoolBytes = 0;
static cudaStreamCaptureStatus Capture = cudaStreamCaptureStatusNone;
static cudaError_t CaptureError = cudaSuccess;
extern "C" {
cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int) {
  if (size)
    *text = 0;
  return cudaSuccess;
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *) {
  *pool = reinterpret_cast<cudaMemPool_t>(8);
  return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t) { return cudaSuccess; }
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *) {
  return cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return cudaSuccess; }
cudaError_t cudaMallocFromPoolAsync(void **p, size_t bytes, cudaMemPool_t,
                                    cudaStream_t) {
  PoolBytes += int(bytes);
  return cudaMalloc(p, bytes);
}
cudaError_t cudaFreeAsync(void *p, cudaStream_t) {
  FreedOn = Device;
  return cudaFree(p);
}
cudaError_t cudaGetDevice(int *device) {
  *device = Device;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  Device = device;
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t,
                                  cudaStreamCaptureStatus *status) {
  *status = Capture;
  return CaptureError;
}
}

#include <cstdio>
#include <cudaopt/host_loop.hpp>

using cudaopt::status;

struct fill_loop {
  static constexpr bool is_independent = true;
  static constexpr cudaopt::strategy_set strategies{cudaopt::strategy::doall};
  cudaopt::array<float> A;

  cudaopt::extents arrays() const { return cudaopt::extents_of(A); }
  template <class Visit> void each_pointer(Visit visit) { visit(A.data); }
  template <class Touch>
  CUDAOPT_HOST_DEVICE void slice(cudaopt::index_t i, Touch &touch) const {
    touch.write(A, i);
  }
  template <class Memory>
  CUDAOPT_HOST_DEVICE void body(cudaopt::index_t i, Memory &memory) const {
    memory.store(A, i, float(i) + 1);
  }
};

static bool IsRight = true;
static cudaError_t Expected = cudaSuccess;
static void expect(bool condition, const char *what) {
  if (!condition)
    std::printf("wrong: %s\n", what);
  if (cudaPeekAtLastError() != Expected)
    std::printf("error %d after: %s\n", int(cudaPeekAtLastError()), what);
  IsRight &= condition && cudaPeekAtLastError() == Expected;
}
static void tell(const char *what) {
  std::printf("%s: %s\n", what, IsRight ? "right" : "wrong");
  IsRight = true;
}

static void use(float *managed) {
  cudaopt::options wanted;
  wanted.where = cudaopt::backend::gpu;
  wanted.force = cudaopt::strategy::doall;
  const fill_loop loop{{managed, 100}};
  {
    cudaopt::plan plan;
    expect(inspect(plan, loop, 100, wanted) == status::ok, "inspect");
    expect(execute(plan, loop) == status::ok, "execute");
    expect(check(plan) == status::ok, "check");
    expect(plan.info().cuda_error == 0, "no error of CUDA");
    expect(managed[99] == 100, "the result");
    expect(run(plan, loop, 100, cudaopt::options(wanted)) == status::ok, "run");
  }
  expect(true, "the end of a plan");
  cudaopt::loop_options asked;
  asked.inspection_options = wanted;
  expect(cudaopt::run_loop(loop, 100, {}, asked), "run_loop");
  expect(cudaopt::keep_memory(0) == status::ok, "keep_memory");
  float host[4] = {1, 2, 3, 4};
  {
    cudaopt::staging area(cudaopt::backend::gpu);
    area.declare(host, 4, cudaopt::transfer::in_out);
    expect(area.start() == status::ok, "staging");
    expect(area.finish() == status::ok && host[3] == 4, "finish");
    area.declare(host, cudaopt::index_t(1) << 50, cudaopt::transfer::out);
    expect(area.start() != status::ok, "staging without memory");
  }
  fill_loop there{{host, 4}};
  expect(!cudaopt::compare(there, 4, 16, 16).prefers_device(), "compare");
}

int main() {
  float *managed = nullptr;
  cudaMallocManaged(&managed, 400);
  (void)cudaFree(reinterpret_cast<void *>(8)); // The program ignores this.
  Expected = cudaErrorInvalidValue;
  use(managed);
  tell("with an error of the program");

  (void)cudaGetLastError();
  Expected = cudaSuccess;
  use(managed);
  tell("without one");

  cudaopt::plan plan;
  cudaopt::options wanted;
  wanted.where = cudaopt::backend::gpu;
  const fill_loop loop{{managed, 100}};
  expect(run(plan, loop, 100, wanted) == status::ok, "run");
  Capture = cudaStreamCaptureStatusActive;
  expect(check(plan) == status::capturing, "check of a capture");
  expect(execute(plan, loop) == status::ok, "an execution is captured");
  cudaopt::plan other;
  expect(inspect(other, loop, 100, wanted) == status::capturing && //
             !other.is_valid(),
         "inspect");
  wanted.when = cudaopt::reuse::checked;
  expect(run(other, loop, 100, wanted) == status::capturing, "run");
  Capture = cudaStreamCaptureStatusNone;
  CaptureError = cudaErrorStreamCaptureImplicit;
  expect(check(plan) == status::capturing, "check of the legacy stream");
  CaptureError = cudaSuccess;
  expect(check(plan) == status::ok, "check");
  tell("captured");

  cudaopt::detail::scratch memory({}, nullptr);
  cudaopt::detail::buffer<int> made;
  Device = 1;
  expect(made.allocate(memory, 4) == status::ok && PoolBytes == 16, "buffer");
  made.reset();
  expect(FreedOn == 0 && Device == 1, "freed where it was made");
  tell("devices");
}
