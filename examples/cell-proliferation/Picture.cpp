// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Draws spectra over each other as a PNG file, see Plot.h.
//===----------------------------------------------------------------------===//

#include "Plot.h"

#include "../common/Png.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace cells;

namespace {

constexpr int SCALE = 2; ///< Pixels of a unit of the frame.

class Canvas {
public:
  Canvas() : pixels(WIDTH * HEIGHT, {255, 255, 255}) {}

  /// Lays a colour over a rectangle, given in units of the frame.
  void fill(double left, double top, double right, double bottom,
            uint32_t color, double opacity = 1) {
    int lastY = std::max(pixelOf(bottom), pixelOf(top) + 1);
    int lastX = std::max(pixelOf(right), pixelOf(left) + 1);
    for (int y = std::max(pixelOf(top), 0); y < std::min(lastY, HEIGHT); ++y)
      for (int x = std::max(pixelOf(left), 0); x < std::min(lastX, WIDTH); ++x)
        blend(pixels[y * WIDTH + x], color, opacity);
  }

  /// Writes a number that ends or, if \p isCentred, has its middle at x.
  void write(double x, double y, const std::string &number, bool isCentred) {
    // Five rows of three columns, an octal digit each.
    constexpr uint16_t DIGITS[] = {075557, 026227, 071747, 071717, 055711,
                                   074717, 074757, 071111, 075757, 075717};
    constexpr double DOT = 1.5;
    double width = double(number.size()) * 4 * DOT;
    x -= isCentred ? width / 2 : width;
    for (char c : number) {
      uint16_t bits = c >= '0' && c <= '9' ? DIGITS[c - '0'] : 000002;
      for (int i = 0; i < 15; ++i)
        if (bits >> (14 - i) & 1)
          fill(x + i % 3 * DOT, y + i / 3 * DOT, x + (i % 3 + 1) * DOT,
               y + (i / 3 + 1) * DOT, 0);
      x += 4 * DOT;
    }
  }

  bool save(const std::string &path) const {
    return png::write(path, WIDTH, HEIGHT, 1,
                      [&](int x, int y) { return pixels[y * WIDTH + x]; });
  }

private:
  static constexpr int WIDTH = PlotFrame::WIDTH * SCALE;
  static constexpr int HEIGHT = PlotFrame::HEIGHT * SCALE;

  static int pixelOf(double place) { return int(std::lround(place * SCALE)); }

  static void blend(png::Color &pixel, uint32_t color, double opacity) {
    auto mix = [&](uint8_t &channel, int shift) {
      double part = double(color >> shift & 0xFF);
      channel = uint8_t(std::lround(channel + opacity * (part - channel)));
    };
    mix(pixel.red, 16);
    mix(pixel.green, 8);
    mix(pixel.blue, 0);
  }

  std::vector<png::Color> pixels;
};

void drawCurve(Canvas &canvas, const PlotFrame &frame, const Curve &curve) {
  double before = PlotFrame::BOTTOM;
  for (int i = 0; i < SPECTRUM_BINS; ++i) {
    double left = PlotFrame::xOf(i), right = PlotFrame::xOf(i + 1);
    double y = frame.yOf(curve.spectrum[i]);
    if (curve.look == Look::AREA)
      canvas.fill(left, y, right, PlotFrame::BOTTOM, curve.color, 0.35);
    if (curve.look != Look::DASHES || i % 2 == 0)
      canvas.fill(left, y - 0.5, right, y + 0.5, curve.color);
    canvas.fill(left - 0.5, std::min(before, y), left + 0.5,
                std::max(before, y), curve.color);
    before = y;
  }
}

void drawAxes(Canvas &canvas, const PlotFrame &frame) {
  constexpr double LEFT = PlotFrame::LEFT, BOTTOM = PlotFrame::BOTTOM;
  canvas.fill(LEFT - 0.5, PlotFrame::TOP, LEFT + 0.5, BOTTOM, 0);
  canvas.fill(LEFT, BOTTOM - 0.5, PlotFrame::RIGHT, BOTTOM + 0.5, 0);
  char text[32];
  double decades = std::log10(SPECTRUM_HIGH / SPECTRUM_LOW);
  for (int decade = 0; decade <= int(decades + 0.5); ++decade) {
    double x = PlotFrame::xOf(SPECTRUM_BINS * decade / decades);
    canvas.fill(x - 0.5, BOTTOM, x + 0.5, BOTTOM + 6, 0);
    std::snprintf(text, sizeof(text), "%g",
                  SPECTRUM_LOW * std::pow(10, decade));
    canvas.write(x, BOTTOM + 12, text, true);
  }
  for (int part = 0; part <= 4; ++part) {
    double y = frame.yOf(frame.top * part / 4);
    canvas.fill(LEFT - 6, y - 0.5, LEFT, y + 0.5, 0);
    std::snprintf(text, sizeof(text), "%.3g", frame.top * part / 4);
    canvas.write(LEFT - 10, y - 4, text, false);
  }
}

} // namespace

bool cells::writePicture(const std::string &path,
                         const std::vector<Curve> &curves) {
  PlotFrame frame(curves);
  Canvas canvas;
  for (const Curve &curve : curves)
    drawCurve(canvas, frame, curve);
  drawAxes(canvas, frame);
  return canvas.save(path);
}
