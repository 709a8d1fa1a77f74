#pragma once
#include <cmath>

inline double from_header(double x) {
  double y = x;
  for (int k = 0; k < 3; ++k)
    y = std::sqrt(y + k);
  return y;
}
