// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The library that a compiler is told to load (-fplugin=CudaOptPlugin.so). The
/// plugin proper works with one version of clang only; another compiler would
/// fail to load it and name some symbol as the reason, or silently do nothing.
/// So this library, which needs nothing of LLVM, first checks which compiler
/// has loaded it.
//===----------------------------------------------------------------------===//

#include "PluginHash.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <unistd.h>

// The version of clang that the plugin is for; the build system passes it.
#ifndef CUDAOPT_CLANG_VERSION
#define CUDAOPT_CLANG_VERSION "22.1"
#endif

/// Makes this file change with the plugin proper: compiler caches look at this
/// file only.
[[gnu::used]] static const char PluginHash[] = CUDAOPT_PLUGIN_HASH;

[[noreturn]] static void refuse(const std::string &Why) {
  std::fprintf(stderr,
               "cuda-opt: error: %s; without a plugin, any compiler works: "
               "cuda-opt <compiler> <arguments>\n",
               Why.c_str());
  _exit(EXIT_FAILURE);
}

/// Returns "22.1" for "Debian clang version 22.1.8 (...)"; an empty string if
/// the process is not clang.
static std::string findClangVersion() {
  using Function = std::string();
  // std::string clang::getClangFullVersion()
  auto *Get = reinterpret_cast<Function *>(
      dlsym(RTLD_DEFAULT, "_ZN5clang19getClangFullVersionB5cxx11Ev"));
  if (!Get)
    return "";
  const std::string Full = Get(), Word = "version ";
  const size_t Begin = Full.find(Word);
  if (Begin == std::string::npos)
    return "";
  const std::string Version = Full.substr(Begin + Word.size());
  return Version.substr(0, Version.find('.', Version.find('.') + 1));
}

static std::string findPlugin() {
  Dl_info Info;
  if (!dladdr(PluginHash, &Info))
    return "";
  const std::string Self = Info.dli_fname;
  return Self.substr(0, Self.rfind('/') + 1) + "CudaOptPlugin-clang.so";
}

[[gnu::constructor]] static void load() {
  const std::string Version = findClangVersion();
  if (Version != CUDAOPT_CLANG_VERSION)
    refuse("this plugin is for clang " CUDAOPT_CLANG_VERSION ", not for " +
           (Version.empty() ? "a compiler that is not clang"
                            : "clang " + Version));
  if (!dlopen(findPlugin().c_str(), RTLD_LAZY))
    refuse(std::string("the plugin cannot be loaded: ") + dlerror());
}
