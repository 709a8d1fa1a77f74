// RUN: rm -rf %t && mkdir %t && cp %S/Inputs/forms.cu %t/forms.cu && cd %t
// RUN: %cuda-opt -q --reuse=bytes --save-optimization-record -o out.cu forms.cu -- %cuda-flags -I %include-runtime
// RUN: %cuda-opt -q --reuse=bytes --save-optimization-record=bitstream --opt-record-file=r.opt -o out.cu forms.cu -- %cuda-flags -I %include-runtime
// RUN: llvm-remarkutil count --parser=yaml --count-by=remark-name --group-by=total --pass-name=cuda-opt-levelize cuda-opt.opt.yaml -o - | FileCheck %s --check-prefix=COUNT
// RUN: FileCheck %s --input-file=cuda-opt.opt.yaml
// RUN: llvm-remarkutil count --parser=yaml --count-by=remark-name --group-by=function cuda-opt.opt.yaml -o yaml.csv
// RUN: llvm-remarkutil count --parser=bitstream --count-by=remark-name --group-by=function r.opt -o bitstream.csv
// RUN: cmp yaml.csv bitstream.csv
//
// LLVM's tools read the record, in both of its forms.
//
// COUNT: Total,2
//
// CHECK: --- !Passed
// CHECK-NEXT: Pass:{{ *}}cuda-opt-bank-layout
// CHECK-NEXT: Name:{{ *}}LayoutChanged
// CHECK-NEXT: DebugLoc:{{ *}}{ File: '{{/.*}}forms.cu',
// CHECK: Line: 7, Column: 20 }
// CHECK-NEXT: Function:{{ *}}transpose
// CHECK-NEXT: Args:
// CHECK-NEXT: - String:{{ *}}'shared array '''
// CHECK-NEXT: - Array:{{ *}}tile
// CHECK: - WavefrontsBefore:{{ *}}'1056'
// CHECK: --- !Analysis
// CHECK: --- !Missed
// CHECK-NEXT: Pass:{{ *}}cuda-opt-bank-layout
// CHECK-NEXT: Name:{{ *}}SizeTaken
// CHECK: Pass:{{ *}}cuda-opt-levelize
