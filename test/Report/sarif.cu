// RUN: rm -rf %t && mkdir %t && cp %S/Inputs/forms.cu %t/forms.cu && cd %t
// RUN: %cuda-opt -q --reuse=bytes --report=sarif-all:r.sarif --report=sarif:act.sarif -o out.cu forms.cu -- %cuda-flags -I %include-runtime
// RUN: %python %S/Inputs/check-sarif.py r.sarif forms.cu out.cu | FileCheck %s --check-prefix=VALID
// RUN: %python %S/Inputs/check-sarif.py act.sarif forms.cu out.cu | FileCheck %s --check-prefix=VALID
// RUN: FileCheck %s --input-file=r.sarif
// RUN: FileCheck %s --check-prefix=ACT --input-file=act.sarif
// RUN: %cuda-opt -q --reuse=bytes --report=sarif-all:edited.sarif -i forms.cu -- %cuda-flags -I %include-runtime
// RUN: cmp r.sarif edited.sarif
//
// The log obeys the standard, whether or not the file has changed by then; its
// fixes are the edits. What has edits warns, what else was done informs, what
// needs nothing passes, and the rest is for a person to look at. Files are named
// from where the tool ran.
//
// VALID: {{[1-9][0-9]*}} results, {{[1-9][0-9]*}} replacements
//
// By default there is only what somebody can act on.
//
// ACT-NOT: "kind": "pass"
// ACT: "cudaOptSite/v1": "transpose::tile/layout-changed"
// ACT-NOT: "kind": "pass"
// ACT: "cudaOptSite/v1": "kept::sized/size-taken"
// ACT-NOT: "kind": "pass"
// ACT: "ruleId": "loop-carried",
// ACT-NOT: "kind": "pass"
//
// CHECK: "originalUriBaseIds": {
// CHECK: "uri": "file:///{{.*}}/"
// CHECK: "fixes": [
// CHECK: "uri": "forms.cu",
// CHECK-NEXT: "uriBaseId": "%SRCROOT%"
// CHECK: "deletedRegion": {
// CHECK: "insertedContent": {
// CHECK: "text": " + 1"
// CHECK: "kind": "fail",
// CHECK-NEXT: "level": "warning",
// CHECK: "text": "shared array 'tile' is stored as [32][33]
// CHECK: "cudaOptSite/v1": "transpose::tile/layout-changed"
// CHECK: "kind": "fail",
// CHECK-NEXT: "level": "note",
// CHECK: "text": "shared array 'sized' keeps its layout: its size is used here"
// CHECK: "ruleId": "size-taken",
// CHECK: "kind": "pass",
// CHECK: "ruleId": "no-conflict",
// CHECK: "ruleId": "loop-carried",
// CHECK: "fullName": "cuda-opt",
// CHECK: "help": {
// CHECK: "id": "size-taken",
