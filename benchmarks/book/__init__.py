# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The book of measurements: what benchmarks/run measures, keeps and prints."""
