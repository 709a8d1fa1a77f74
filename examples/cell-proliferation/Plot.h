// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Draws spectra over each other, as an SVG file.
//===----------------------------------------------------------------------===//

#ifndef CELLS_PLOT_H
#define CELLS_PLOT_H

#include "Spectrum.h"

#include <string>
#include <vector>

namespace cells {

enum class Look { AREA, STEPS, DASHES };

struct Curve {
  std::string name;
  std::string color; ///< As SVG writes it.
  Look look;
  Spectrum spectrum;
};

/// Returns the text of an SVG file.
std::string drawCurves(const std::string &title,
                       const std::vector<Curve> &curves);

} // namespace cells

#endif // CELLS_PLOT_H
