// Runs the loops of known-loops.cu and prints what they made. The argument is
// the number of iterations.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

struct random_numbers {
  unsigned long state = 42;
  int next(int below) {
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    return int((state >> 33) % unsigned(below));
  }
};

template <class T> static void print(const char *name, const std::vector<T> &v) {
  unsigned long hash = 1469598103934665603ul;
  bool finite = true; // A NaN's bits are the machine's choice.
  for (const T &value : v) {
    finite &= std::isfinite(double(value));
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    for (unsigned char b : bytes)
      hash = (hash ^ b) * 1099511628211ul;
  }
  std::printf("%s %lx%s\n", name, hash, finite ? "" : " not finite");
}

int main(int argc, char **argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 200;
  std::setvbuf(stdout, nullptr, _IOLBF, 0); // In turns with the runtime's trace.
  random_numbers random;
  std::vector<int> p(n), q(n), r(n), ptr(n + 1), col, lower_ptr(n + 1), lower;
  std::vector<double> a(n * n), b(n);
  for (int i = 0; i < n; ++i) {
    p[i] = random.next(n), q[i] = random.next(n), r[i] = random.next(n);
    b[i] = random.next(1000) / 1000.0;
    for (int k = random.next(6); k > 0; --k)
      col.push_back(random.next(n));
    ptr[i + 1] = int(col.size());
    for (int k = random.next(4); k > 0 && i > 0; --k)
      lower.push_back(random.next(i));
    lower.push_back(i);
    lower_ptr[i + 1] = int(lower.size());
  }
  for (double &value : a)
    value = (1 + random.next(1000)) / 1000.0;
  std::vector<float> fa(n, 0.5f), fb(n), fc(NI * NJ, 0.25f), fd(NI * NJ);
  for (int i = 0; i < NI * NJ; ++i)
    fc[i] = float(i % 7);

  update(fa.data(), fb.data(), p.data(), q.data(), n, n);
  print("update", fa), print("update", fb);
  random_access3(fa.data(), p.data(), q.data(), r.data(), n, n);
  print("random_access3", fa);
  do_all(fa.data(), fb.data(), n);
  print("do_all", fa);
  convolution(fc.data(), fd.data());
  print("convolution", fd);
  std::vector<double> x(n * n, 0.5), y(n * n, 0.25);
  fdtd(x.data(), a.data(), n, n);
  print("fdtd", x);
  gemm(x.data(), a.data(), y.data(), 1.5, 1.25, 20, 30, 10);
  print("gemm", x);
  mvt(x.data(), a.data(), b.data(), n);
  print("mvt", x);
  rows_overlap(x.data(), 20, 5, 9);
  print("rows_overlap", x);
  for (int repeat = 0; repeat < 2; ++repeat)
    triangular(lower_ptr.data(), lower.data(), a.data(), b.data(), y.data(), n,
               int(lower.size()));
  print("triangular", y);
  gauss_seidel(ptr.data(), col.data(), a.data(), b.data(), y.data(), n,
               int(col.size()));
  print("gauss_seidel", y);
  std::vector<int> diagonal_at(n), full_ptr(n + 1), full;
  std::vector<double> diagonal(n, 8);
  for (int i = 0; i < n; ++i) { // Sorted columns around a diagonal.
    for (int k = lower_ptr[i]; k < lower_ptr[i + 1] - 1; ++k)
      full.push_back(lower[k]);
    diagonal_at[i] = int(full.size());
    full.push_back(i);
    for (int k = random.next(4); k > 0 && i + 1 < n; --k)
      full.push_back(i + 1 + random.next(n - i - 1));
    full_ptr[i + 1] = int(full.size());
  }
  symmetric(full_ptr.data(), full.data(), a.data(), diagonal.data(), b.data(),
            y.data(), n, int(full.size()));
  print("symmetric", y);
  std::vector<double> factors(full.size());
  for (std::size_t k = 0; k < factors.size(); ++k)
    factors[k] = 0.125 * a[k];
  for (int at : diagonal_at)
    factors[at] = 8;
  factorize(full_ptr.data(), full.data(), diagonal_at.data(), factors.data(), n,
            int(full.size()));
  print("factorize", factors);
  kaczmarz(ptr.data(), col.data(), a.data(), b.data(), x.data(), n,
           int(col.size()));
  print("kaczmarz", x);
  std::vector<unsigned> bins(16);
  histogram(bins.data(), p.data(), n);
  print("histogram", bins);
  std::vector<double> rho(16), position(n);
  for (int i = 0; i < n; ++i)
    position[i] = random.next(15000) / 1000.0;
  deposit(rho.data(), position.data(), b.data(), n);
  print("deposit", rho);
  Mesh mesh{p.data(), q.data(), x.data(), n};
  edges(mesh, b.data(), n);
  print("edges", x);
  std::vector<int> mate(n, -1), parent(n), word(n), other(2 * n);
  for (int i = 0; i < n; ++i)
    parent[i] = i;
  matching(mate.data(), p.data(), q.data(), n, n);
  print("matching", mate);
  unite(parent.data(), p.data(), q.data(), n, n);
  print("unite", parent);
  twice_indirect(word.data(), q.data(), p.data(), n, n);
  print("twice_indirect", word);
  overlapping(other.data(), other.data() + 7, p.data(), n, n);
  print("overlapping", other);
  overlapping(other.data(), other.data() + n, p.data(), n, n);
  print("overlapping", other);
  std::vector<int> last(16);
  const double total = sum(b.data(), last.data(), q.data(), n);
  print("sum", last), print("sum", std::vector<double>{total});
  std::printf("branches %d %d\n", branches(word.data(), p.data(), n, false),
              branches(word.data(), p.data(), n, true));
  print("branches", word);
  grid::Solver solver{x.data(), p.data(), 0.125, n};
  solver.relax();
  print("relax", x);
  hidden(word.data(), p.data(), n);
  print("hidden", word);
}
