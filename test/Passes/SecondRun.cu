// RUN: rm -rf %t && mkdir %t && cp %S/SharedReuse/LayoutVariants.cu %S/SharedReuse/LayoutsOfRoom.cu %t
// RUN: cp %S/SharedReuse/Private.cu %S/SharedReuse/Trim.cu %S/SharedReuse/TwoInOne.cu %S/SharedReuse/Loops.cu %t
// RUN: cp %S/SharedReuse/InPlace.cu %S/SharedReuse/Parts.cu %S/SharedReuse/Callees.cu %t
// RUN: cp %S/BankLayout/FewWarps.cu %S/BankLayout/Products.cu %S/BankLayout/Templates.cu %t
// RUN: %exits 1 %cuda-opt --assume-closed-world --check --quiet %t/LayoutVariants.cu -- %cuda-flags
// RUN: %cuda-opt --assume-closed-world -i %t/LayoutVariants.cu %t/LayoutsOfRoom.cu %t/Private.cu %t/Trim.cu %t/TwoInOne.cu %t/Loops.cu -- %cuda-flags
// RUN: %cuda-opt --assume-closed-world -i %t/InPlace.cu %t/Parts.cu %t/Callees.cu %t/FewWarps.cu %t/Products.cu %t/Templates.cu -- %cuda-flags
// RUN: %cuda-opt --assume-closed-world --check %t/LayoutVariants.cu %t/LayoutsOfRoom.cu %t/Private.cu %t/Trim.cu %t/TwoInOne.cu %t/Loops.cu -- %cuda-flags
// RUN: %cuda-opt --assume-closed-world --check %t/InPlace.cu %t/Parts.cu %t/Callees.cu %t/FewWarps.cu %t/Products.cu %t/Templates.cu -- %cuda-flags
//
// What all passes together have written, they do not change again.
