// RUN: %python %S/../Inputs/parity.py %cuda-opt %host-cxx %plugin %t %{parity-cuda} | FileCheck %s
//
// The tool, the launcher and the plugin make one text of a source.
//
// CHECK: {{^[0-9]+}} sources, {{[0-9][0-9]}} rewritten, 0 differences
