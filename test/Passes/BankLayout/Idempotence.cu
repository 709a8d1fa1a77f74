// RUN: rm -rf %t && mkdir %t && cp %S/layouts.cu %t/layouts.cu
// RUN: cp %S/TextFamilies.cu %S/Structs.cu %S/Templates.cu %S/VolatileArrays.cu %t
// RUN: cp %S/ExternArrays.cu %S/UnknownBlocks.cu %S/DeviceFunctions.cu %S/WideAccesses.cu %t
// RUN: %exits 1 %cuda-opt --passes=bank-layout --check --quiet %t/layouts.cu -- %cuda-flags
// RUN: %cuda-opt --passes=bank-layout -i %t/layouts.cu %t/TextFamilies.cu %t/Structs.cu %t/Templates.cu %t/VolatileArrays.cu -- %cuda-flags 2>&1 | FileCheck %s
// RUN: %cuda-opt --passes=bank-layout -i %t/ExternArrays.cu %t/UnknownBlocks.cu %t/DeviceFunctions.cu %t/WideAccesses.cu -- %cuda-flags 2>&1 | FileCheck %s
// RUN: %cuda-opt --passes=bank-layout --check %t/layouts.cu %t/TextFamilies.cu %t/Structs.cu %t/Templates.cu %t/VolatileArrays.cu -- %cuda-flags
// RUN: %cuda-opt --passes=bank-layout --check %t/ExternArrays.cu %t/UnknownBlocks.cu %t/DeviceFunctions.cu %t/WideAccesses.cu -- %cuda-flags
//
// What cuda-opt has written, it does not change again.
//
// CHECK: {{[1-9][0-9]*}} arrays rewritten
