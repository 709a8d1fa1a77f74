# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# An image that checks CUDA sources: cuda-opt as one program, the compiler and headers of
# the CUDA Toolkit, and what a project needs to be configured. Nothing needs a GPU.

FROM debian:12-slim AS build
SHELL ["/bin/bash", "-euo", "pipefail", "-c"]
WORKDIR /src
# The packages, and the toolkit in /src/build/cuda, stay when a source changes.
COPY scripts/setup.sh scripts/
RUN source scripts/setup.sh && mkdir -p "$build" && \
    install_packages "${static_packages[@]}" && install_toolkit
COPY . .
RUN scripts/package && mkdir -p /opt/cuda-opt && \
    tar -xzf dist/cuda-opt-*.tar.gz --strip-components=1 -C /opt/cuda-opt

FROM debian:12-slim
RUN apt-get update && \
    apt-get install -y --no-install-recommends cmake g++ git make && \
    rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/cuda-opt /opt/cuda-opt
COPY --from=build /src/build/cuda /opt/cuda
ENV CUDA_PATH=/opt/cuda PATH=/opt/cuda-opt/bin:/opt/cuda/bin:$PATH
# The folder that is looked at belongs to another user than the image's.
ENV GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=*
