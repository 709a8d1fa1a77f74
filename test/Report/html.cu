// RUN: rm -rf %t && mkdir %t && cp %S/Inputs/forms.cu %t/forms.cu && cd %t
// RUN: %cuda-opt --assume-closed-world -q --reuse=bytes --report=html:r.html -o out.cu forms.cu -- %cuda-flags -I %include-runtime
// RUN: FileCheck %s --input-file=r.html
// RUN: echo 'int nothing;' > empty.cu
// RUN: %cuda-opt --assume-closed-world -q --report=html:empty.html -o out.cu empty.cu -- %cuda-flags
// RUN: FileCheck %s --check-prefix=EMPTY --input-file=empty.html
// RUN: echo '__global__ void k(float *o, int n) { __shared__ float s[64]; int i = threadIdx.x; s[i] = n; i = o[0]; s[i] = n; } void l(float *o) { k<<<1, 32>>>(o, 1); }' > twice.cu
// RUN: %cuda-opt --assume-closed-world -q --report=html:twice.html -o out.cu twice.cu -- %cuda-flags -include cuda.h
// RUN: FileCheck %s --check-prefix=TWICE --input-file=twice.html
// RUN: %python -c "print('#include \"cuda.h\"'); [print('__global__ void k%%d(float *o) { __shared__ float s[32][32]; s[threadIdx.x][0] = o[threadIdx.x]; __syncthreads(); o[threadIdx.x] = s[threadIdx.x ^ 1][0]; } void l%%d(float *o) { k%%d<<<1, 32>>>(o); }' %% (i, i, i)) for i in range(100)]" > many.cu
// RUN: %cuda-opt --assume-closed-world -q --report=html:many.html -o out.cu many.cu -- %cuda-flags
// RUN: %python %S/Inputs/check-html.py r.html empty.html many.html | FileCheck %s --check-prefix=PAGES
//
// Of two accesses of one text, one may be counted and the other not.
// TWICE: <code>s[i]</code>, line 1, is not counted:
//
// The page is well-formed, escapes what it quotes, fetches nothing, and stays
// small with many kernels.
//
// PAGES: characters, {{[1-9][0-9]+}} pictures
// PAGES-NEXT: characters, 0 pictures, 0 links
// PAGES-NEXT: {{^[0-9]?[0-9]?[0-9]?[0-9]?[0-9]?[0-9]}} characters, {{[1-9][0-9]*}} pictures
//
// EMPTY: There are no kernels with shared arrays
//
// CHECK: <title>cuda-opt report</title>
// CHECK: <a href="#f0k0"><code>transpose</code></a></td><td class="number">1,056 → <b>64</b>
// CHECK: <span class="tag">kept</span> size-taken
// CHECK: loop of <code>update</code>
// CHECK: id="f0k0" open
// CHECK: <dd>32 × 32 × 1 <small>(launch)</small></dd>
// CHECK: shared array &apos;tile&apos; is stored as [32][33]
// CHECK: <tr class="del"><td class="no">7</td><td class="no"></td><td class="sign">−</td><td>  __shared__ float tile[32][32]; // &lt;b&gt;&quot;rows&quot; &amp; columns&lt;/b&gt;, ä</td></tr>
// CHECK-NEXT: <tr class="add"><td class="no"></td><td class="no">9</td><td class="sign">+</td><td>  __shared__ float tile[32][32<mark> + 1</mark>];
// CHECK: <code>tile[threadIdx.x][threadIdx.y]</code> load, line 10, 32 requests of a block
// CHECK: <title>before: 32 wavefronts, at most 32 different words of one bank at once</title>
// CHECK: <title>after: 1 wavefront, at most 1 word of one bank at once</title>
// CHECK: What would help: Use the extents instead of sizeof.
// CHECK: <title>first: bytes 0 to 256</title>
// CHECK: <figcaption>before: <b>512 bytes</b></figcaption>
// CHECK: <figcaption>after: <b>256 bytes</b></figcaption>
// CHECK: fit on a multiprocessor of sm_90
// CHECK: after: in a register of each thread
// CHECK: in parallel, with the same result
// CHECK: carries a value from one iteration to the next
