"""A repository of a user with one kernel that has a bank conflict, and nothing else
that cuda-opt might need."""

import os
import pathlib
import shutil
import subprocess

KERNEL = """\
__global__ void transpose(float *out, const float *in, int n) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  __syncthreads();
  out[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] =
      tile[threadIdx.x][threadIdx.y];
}
void run(float *out, const float *in, int n) {
  transpose<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(out, in, n);
}
"""
LISTS = """\
cmake_minimum_required(VERSION 3.21)
project(app LANGUAGES CUDA)
add_library(app src/a.cu)
"""


class Project:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.git("init", "-q", "-b", "main", ".")
        self.write("CMakeLists.txt", LISTS)
        self.write(".gitignore", "/build/\n")
        self.write("src/a.cu", KERNEL)
        self.commit()

    def git(self, *words):
        done = subprocess.run(
            ["git", "-c", "user.name=n", "-c", "user.email=e", *words],
            cwd=self.folder, check=True, text=True, stdout=subprocess.PIPE)
        return done.stdout

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def edit(self, name, old, new):
        text = (self.folder / name).read_text()
        assert old in text
        self.write(name, text.replace(old, new))

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-qm", "Change")


def make_environment(tools, toolkit):
    """What a machine with cuda-opt in its PATH has; the cache would be the user's."""
    return {"PATH": f"{tools}:{toolkit}/bin:{os.environ['PATH']}",
            "HOME": os.environ.get("HOME", "/"), "CUDA_PATH": str(toolkit),
            "CUDAOPT_CACHE_DIR": ""}
