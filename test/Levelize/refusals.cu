// RUN: %cuda-opt --passes=levelize %s -o %t.cu -- %cuda-flags -I %include-runtime -std=c++17 2>&1 | FileCheck %s
// RUN: diff %s %t.cu
//
// A loop that is not understood stays as it is, and its author hears why.
#include "cuda.h"
#include <cudaopt/annotations.h>
namespace std {
template <class T> struct vector {
  T &operator[](unsigned long);
};
} // namespace std

// CHECK: :[[#@LINE+5]]:7: remark: marked loop of 'breaks' stays sequential: a break leaves it early
void breaks(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i) {
    if (p[i])
      break;
    a[p[i]] = i;
  }
}
// CHECK: :[[#@LINE+5]]:7: remark: marked loop of 'returns' stays sequential: a return leaves it early
void returns(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i) {
    if (p[i])
      return;
    a[p[i]] = i;
  }
}
// CHECK: :[[#@LINE+5]]:7: remark: marked loop of 'jumps' stays sequential: it contains a goto or a label
void jumps(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i) {
    if (p[i])
      goto end;
    a[p[i]] = i;
  }
end:;
}
// CHECK: :[[#@LINE+4]]:5: remark: marked loop of 'switches' stays sequential: it contains a switch
void switches(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i) {
    switch (p[i]) {
    default:
      a[p[i]] = i;
    }
  }
}
// CHECK: remark: marked loop of 'assembles' stays sequential: it contains inline assembly
void assembles(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:n])
  for (int i = 0; i < n; ++i) {
    a[p[i]] = i;
    asm("");
  }
}
struct Steps {
  const int *begin() const;
  const int *end() const;
  int parts[2];
};
// CHECK: remark: marked loop of 'ranges' stays sequential: its range-based for is not supported (what it goes through is no array); write one that counts
void ranges(int *a, const Steps &p) {
  CUDAOPT_LEVELIZE(a[0:4])
  for (int j : p)
    a[j] = 1;
}
// CHECK: stays sequential: its body writes to 'order', through which it goes
void range_written(int (&order)[4]) {
  CUDAOPT_LEVELIZE()
  for (int j : order)
    order[j] = 1;
}
struct Ordered {
  int x[4];
  // CHECK: stays sequential: two things that it uses are called 'x'; rename one
  void fill(int *a) {
    CUDAOPT_LEVELIZE(a[0:4])
    for (int x : x)
      a[x] = 1;
  }
};
// CHECK: stays sequential: 's.parts' is used otherwise than as the element that it leads to
void range_used(int *a, const Steps (&all)[4]) {
  CUDAOPT_LEVELIZE(a[0:4])
  for (const Steps &s : all)
    a[s.parts[0]] = 1;
}
// CHECK: stays sequential: its range-based for is not supported (inside of it)
void range_inside(int *a, const int (&p)[4], int n) {
  CUDAOPT_LEVELIZE(a[0:4])
  for (int i = 0; i < n; ++i)
    for (int j : p)
      a[j] = i;
}
// CHECK: remark: marked loop of 'no_loop' stays sequential: the mark stands in front of a statement that is no for loop
void no_loop(int *a, int n) {
  CUDAOPT_LEVELIZE(a[0:n])
  while (n > 0)
    a[--n] = 1;
}
// CHECK: remark: marked loop of 'no_bound' stays sequential: its head is not of the form for (int i = first; i < last; ++i): it has no bound
void no_bound(int *a, const int *p) {
  CUDAOPT_LEVELIZE(a[0:4])
  for (int i = 0;; ++i)
    a[p[i]] = 1;
}
// CHECK: stays sequential: its head is not of the form for (int i = first; i < last; ++i): the step is no constant
void step_varies(int *a, const int *p, int n, int s) {
  CUDAOPT_LEVELIZE(a[0:4])
  for (int i = 0; i < n; i += s)
    a[p[i]] = 1;
}
// CHECK: stays sequential: its head {{.*}}: the step leads away from the bound
void wrong_way(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4])
  for (int i = 0; i < n; --i)
    a[p[i]] = 1;
}
// CHECK: stays sequential: its head {{.*}}: it may step over the bound
void steps_over(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4])
  for (int i = 0; i != n; i += 2)
    a[p[i]] = 1;
}
// CHECK: stays sequential: its iterator 'i' may wrap around
void wraps(int *a, const int *p, unsigned n) {
  CUDAOPT_LEVELIZE(a[0:4])
  for (unsigned i = 0; i < n; i += 3)
    a[p[i]] = 1;
}
// CHECK: stays sequential: its iterator 'i' may wrap around
void wraps_down(int *a, const int *p, unsigned n) {
  CUDAOPT_LEVELIZE(a[0:4])
  for (unsigned i = n; i >= 1; --i)
    a[p[i]] = 1;
}
// CHECK: stays sequential: its iterator 'x' is no integer
void floats(int *a, const int *p) {
  CUDAOPT_LEVELIZE(a[0:4])
  for (float x = 0; x < 4; ++x)
    a[p[int(x)]] = 1;
}
// CHECK: stays sequential: its head {{.*}}: the step is not to the next element
void iterators(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4])
  for (const int *q = p; q != p + n; q += 2)
    a[*q] = 1;
}
// CHECK: stays sequential: its head {{.*}}: the bound leads to no end of the same array
void iterator_elsewhere(int *a, const int *p, const int *b, int n) {
  CUDAOPT_LEVELIZE(a[0:4])
  for (const int *q = p; q != b + n; ++q)
    a[*q] = 1;
}
// CHECK: stays sequential: values of type 'const int *' are not supported
void iterator_escapes(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4])
  for (const int *q = p; q != p + n; ++q)
    a[*q] = q == p;
}
// CHECK: stays sequential: its body changes the iterator 'i'
void changes_iterator(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4])
  for (int i = 0; i < n; ++i) {
    a[p[i]] = 1;
    i += p[i];
  }
}
// CHECK: stays sequential: its bound may change while it runs: 'n'; compute it before the loop
void changes_bound(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4])
  for (int i = 0; i < n; ++i) {
    a[p[i]] = 1;
    n -= 1;
  }
}
// CHECK: stays sequential: its bound may change while it runs: 'a[i]'
void bound_in_array(int *a, const int *p, int r) {
  CUDAOPT_LEVELIZE(a[0:4])
  for (int i = 0; i < p[r]; ++i)
    a[p[i]] = 1;
}
// CHECK: stays sequential: 'last' carries a value from one iteration to the next
void carries(int *a, const int *p, int n) {
  int last = 0;
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i) {
    a[p[i]] = last;
    last = p[i];
  }
}
// CHECK: stays sequential: 's' carries a value from one iteration to the next
void mixes(int *a, const int *p, int n) {
  int s = 0;
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i) {
    s += p[i];
    s *= 3;
    a[p[i]] = 1;
  }
}
// CHECK: stays sequential: the value that 'j' has after the loop may be read; declare it inside of the loop
int lives_on(int *a, const int *p, int n) {
  int j;
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i) {
    j = p[i];
    a[j] = 1;
  }
  return j;
}
// CHECK: stays sequential: the value that 'i' has after the loop may be read
int iterator_lives_on(int *a, const int *p, int n) {
  int i;
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (i = 0; i < n; ++i)
    a[p[i]] = 1;
  return i;
}
// CHECK: stays sequential: 'count' keeps its value from one iteration to the next (static)
void keeps(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i) {
    static int count = 0;
    a[p[i]] = ++count;
  }
}
// CHECK: stays sequential: 'r' is a reference; use what it refers to
void refers(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i) {
    int &r = a[p[i]];
    r = 1;
  }
}
// CHECK: stays sequential: 'q' is a pointer inside of the loop; use subscripts of the array
void points(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i) {
    int *q = a + p[i];
    *q = 1;
  }
}
// CHECK: stays sequential: 'a' is a pointer inside of the loop
void moves_pointer(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(p[0:n])
  for (int i = 0; i < n; ++i) {
    a[p[i]] = 1;
    ++a;
  }
}
// CHECK: stays sequential: an address is taken here; use subscripts
void takes_address(int *a, const int *p, int n, int **q) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i)
    *q = &a[p[i]];
}
void sink(int *);
// CHECK: stays sequential: it calls 'sink', whose body is not known here
void escapes(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i)
    sink(&a[p[i]]);
}
// CHECK: stays sequential: it throws or catches exceptions
void throws(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i) {
    if (p[i] < 0)
      throw 1;
    a[p[i]] = 1;
  }
}
// CHECK: stays sequential: it throws or catches exceptions
void catches(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i) {
    try {
      a[p[i]] = 1;
    } catch (...) {
    }
  }
}
// CHECK: stays sequential: 'a' is volatile
void is_volatile(volatile int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] += 1;
}
// CHECK: stays sequential: an assignment stands inside of an expression; give it a statement of its own
void nests(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i) {
    int k = 0;
    a[p[k++]] = 1;
  }
}
// CHECK: stays sequential: it writes to no array
void writes_nothing(const int *p, int n) {
  CUDAOPT_LEVELIZE()
  for (int i = 0; i < n; ++i)
    int t = p[i];
}
// CHECK: stays sequential: a pointer leads to the array '*v'; name the array in front of the loop, auto &a = *v
void pointee(std::vector<int> *v, const int *p, int n) {
  CUDAOPT_LEVELIZE(p[0:n])
  for (int i = 0; i < n; ++i)
    (*v)[p[i]] = 1;
}
// CHECK: stays sequential: a pointer leads to the array '*m'; name the array in front of the loop, auto &a = *m
void pointed(int **m, const int *p, int n) {
  CUDAOPT_LEVELIZE(p[0:n])
  for (int i = 0; i < n; ++i)
    (*m)[p[i]] = 1;
}
// CHECK: stays sequential: the rows of 'm' lie anywhere; use one array and one subscript, a[i * n + j]
void matrix(int **m, const int *p, int n) {
  CUDAOPT_LEVELIZE(m[0:4])
  for (int i = 0; i < n; ++i)
    m[p[i]][0] = 1;
}
// CHECK: stays sequential: what is subscripted here is no named pointer, array, std::vector or std::span
void unnamed(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE()
  for (int i = 0; i < n; ++i)
    (p[i] ? a : a + 1)[i] = 1;
}
// CHECK: stays sequential: it writes to members of the elements of 'v'; use an array for each member
void members(float4 *v, const int *p, int n) {
  CUDAOPT_LEVELIZE(v[0:4])
  for (int i = 0; i < n; ++i)
    v[p[i]].x = 1;
}
// CHECK: stays sequential: values of type 'long double' are not supported
void long_values(long double *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4])
  for (int i = 0; i < n; ++i)
    a[p[i]] = 1;
}
// CHECK: stays sequential: which elements it accesses depends on 'u', which the same iteration may have written before; read it first
void own_write(int *u, const int *p, int n) {
  CUDAOPT_LEVELIZE(u[0:4])
  for (int i = 0; i < n; ++i) {
    u[i] = p[i];
    u[u[i]] = 1;
  }
}
// CHECK: stays sequential: an expression reads written arrays under a condition, and more than once
void no_order(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i)
    a[i] = a[p[i]] + (p[i] ? a[0] : a[1]);
}
// CHECK: stays sequential: 'Pair' is declared where code in front of the function cannot name it
void local_type(int *a, const int *p, int n) {
  using Pair = int;
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = Pair(1);
}
__host__ __device__ int body(int);
// CHECK: stays sequential: 'body' is a name that the generated code needs; rename it
void named(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = i < 0 ? decltype(body(1))(1) : 1;
}
#define TWICE(e) ((e) + (e))
// CHECK: stays sequential: a macro writes 'an access'
void macro(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i) {
    a[p[i]] = TWICE(a[i]);
  }
}
// CHECK: stays sequential: '#if' in it, or in front of it in its function, may change what its text means
void directive(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i)
#if 1
    a[p[i]] = 1;
#endif
}
// CHECK: stays sequential: it is part of a template that nothing here instantiates
template <class T> void generic(T *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = 1;
}
// CHECK: stays sequential: the instantiations of its template need different code: varied<float> and varied<double>
template <class T> void varied(T *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = a[p[i]] + 0.5;
}
template void varied<float>(float *, const int *, int);
template void varied<double>(double *, const int *, int);
// CHECK: stays sequential: values of type 'char *' are not supported
template <class T> void pointers(T *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = a[0];
}
template void pointers<int>(int *, const int *, int);
template void pointers<char *>(char **, const int *, int);
// CHECK: stays sequential: it is part of a generic lambda, or of one in a template; move it to a function
void in_lambda(int *a, const int *p, int n) {
  auto f = [=](auto) {
    CUDAOPT_LEVELIZE(a[0:4], p[0:n])
    for (int i = 0; i < n; ++i)
      a[p[i]] = 1;
  };
}
// CHECK: stays sequential: it is part of a function that runs on the device
__global__ void kernel(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = 1;
}
// CHECK: stays sequential: it is part of a constexpr function
constexpr void constant(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = 1;
}
// CHECK: stays sequential: its function stands in an extern "C" block
extern "C" {
void linkage(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = 1;
}
}
namespace elsewhere {
void foreign(int *a, const int *p, int n);
}
// CHECK: stays sequential: its function 'elsewhere::foreign' is defined outside of its own namespace
void elsewhere::foreign(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i)
    a[p[i]] = 1;
}
// CHECK: stays sequential: a loop around it is marked, too
void nested(int *a, const int *p, int n) {
  CUDAOPT_LEVELIZE(a[0:4], p[0:n])
  for (int i = 0; i < n; ++i)
    CUDAOPT_LEVELIZE(a[0:4], p[0:n])
    for (int k = 0; k < n; ++k)
      a[p[k]] = 1;
}
// CHECK: stays sequential: two things that it uses are called 'a'; rename one
struct Holder {
  int *a;
  void fill(Holder &other, const int *p, int n) {
    int *a = other.a;
    CUDAOPT_LEVELIZE(a[0:4], p[0:n])
    for (int i = 0; i < n; ++i)
      a[p[i]] = this->a[p[i]];
  }
};
// CHECK: 0 loops made parallel
