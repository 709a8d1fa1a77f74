// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Draws spectra over each other, as SVG, or as PNG where no text is needed.
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
  uint32_t color; ///< 0xRRGGBB.
  Look look;
  Spectrum spectrum;
};

/// Returns the text of an SVG file.
std::string drawCurves(const std::string &title,
                       const std::vector<Curve> &curves);

/// Writes a PNG file that has the numbers at the axes as its only text. Returns
/// false if it cannot.
bool writePicture(const std::string &path, const std::vector<Curve> &curves);

/// The layout of the plots, in pixels of the SVG file. The top of the vertical
/// scale is a round number.
struct PlotFrame {
  static constexpr int WIDTH = 720, HEIGHT = 440;
  static constexpr int LEFT = 70, RIGHT = WIDTH - 20;
  static constexpr int TOP = 40, BOTTOM = HEIGHT - 60;

  double top;

  explicit PlotFrame(const std::vector<Curve> &curves);
  static double xOf(double bin) {
    return LEFT + bin / SPECTRUM_BINS * (RIGHT - LEFT);
  }
  double yOf(double value) const {
    return BOTTOM - value / top * (BOTTOM - TOP);
  }
};

} // namespace cells

#endif // CELLS_PLOT_H
