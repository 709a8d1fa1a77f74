import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "cuda-opt"
config.test_format = lit.formats.ShTest()
config.suffixes = [".cu", ".test"]
# test/Runtime/gpu needs a device and is built by hand.
config.excludes = ["Inputs", "gpu", "Consumer"]
config.test_source_root = os.path.dirname(__file__)

bin_dir = os.path.join(config.binary_dir, "bin")
# Tests parse against test/Inputs/cuda.h, not the toolkit: they run anywhere.
inputs = os.path.join(config.test_source_root, "Inputs")
cuda_flags = ("--cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib "
              f"-Wno-unknown-cuda-version -I {inputs}")
plugin_file = f"{config.binary_dir}/lib/CudaOptPlugin.so"
plugin = (f"{config.llvm_tools_dir}/clang++ -fsyntax-only "
          f"-fplugin={plugin_file}")
# A compiler without the sanitizer's runtime must load it before the plugin.
if "-fsanitize=address" in config.cxx_flags:
    runtime = subprocess.run(
        [f"{config.llvm_tools_dir}/clang++", "-print-file-name=libclang_rt.asan-x86_64.so"],
        check=True, capture_output=True, text=True).stdout.strip()
    plugin = f"env LD_PRELOAD={runtime} {plugin}"
# The toolkit that the build was configured with need not be in PATH.
cuda_path = f" --cuda-path={config.cuda_path}" if config.cuda_path else ""
config.substitutions += [
    ("%cuda-opt", f"{bin_dir}/cuda-opt"),
    ("%cuda-sim", f"{bin_dir}/cuda-sim{cuda_path}"),
    ("%cuda-fuzz", f"{bin_dir}/cuda-fuzz"),
    ("%examples", f"{config.binary_dir}/examples"),
    ("%cuda-flags", cuda_flags),
    # For parses by a launched compiler's flags.
    ("%parse-flags", f"-nocudainc -I {inputs}"),
    ("%clang-plugin", f"{plugin} {cuda_flags}"),
    ("%clang-host-plugin", f"{plugin} {cuda_flags} --cuda-host-only"),
    ("%plugin", plugin_file),
    ("%build", config.binary_dir),
    ("%{parity-cuda}", config.cuda_path),
    # The headers that marked and rewritten programs include.
    ("%include-runtime", os.path.join(config.test_source_root, "../runtime/include")),
    ("%host-cxx", f"{config.llvm_tools_dir}/clang++"),
    ("%python", sys.executable),
    ("%benchmarks", f"{config.source_dir}/benchmarks"),
    # %exits N command: the command exits with code N.
    ("%exits", f"{sys.executable} {inputs}/exits.py"),
]
config.environment["PATH"] = config.llvm_tools_dir + ":" + os.environ["PATH"]
# No test depends on what an earlier one left.
config.environment["CUDAOPT_CACHE_DIR"] = ""
if config.cuda_path:
    config.available_features.add("cuda")
    config.substitutions.append(("%cuda-path", config.cuda_path))
    # Every warning of the runtime's users is an error here. Who names no
    # architecture to nvcc gets its oldest.
    runtime = (f"-Wall -Wextra -Werror -I {config.test_source_root}/Runtime "
               f"-I {config.test_source_root}/../runtime/include")
    config.substitutions += [
        ("%runtime-nvcc", f"{config.cuda_path}/bin/nvcc -Werror "
         f"all-warnings -Xcompiler {runtime.replace(' -W', ',-W')}"),
        ("%runtime-clang", f"{config.llvm_tools_dir}/clang++ -x cuda "
         f"--cuda-path={config.cuda_path} --cuda-gpu-arch=sm_90 "
         f"-Wno-unknown-cuda-version {runtime} -isystem "
         f"{config.cuda_path}/include/cccl -fsyntax-only"),
    ]
for module, feature in (("jsonschema", "jsonschema"), ("yaml", "pyyaml")):
    if subprocess.run(["python3", "-c", f"import {module}"],
                      capture_output=True).returncode == 0:
        config.available_features.add(feature)
if shutil.which("clang-apply-replacements"):
    config.available_features.add("clang-apply-replacements")
if shutil.which("pkg-config"):
    config.available_features.add("pkg-config")
if gcc := shutil.which("g++"):
    config.available_features.add("gcc")
    config.substitutions.append(("%gcc", gcc))
if os.path.exists("/dev/nvidia0"):
    config.available_features.add("gpu")
