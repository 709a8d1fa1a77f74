// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Draws spectra over each other, see Plot.h.
//===----------------------------------------------------------------------===//

#include "Plot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace cells;

namespace {

constexpr int WIDTH = 720, HEIGHT = 440;
constexpr int LEFT = 70, RIGHT = 20, TOP = 40, BOTTOM = 60;
constexpr int RIGHT_END = WIDTH - RIGHT, BOTTOM_END = HEIGHT - BOTTOM;

template <typename... Values>
std::string format(const char *pattern, Values... values) {
  char text[512];
  std::snprintf(text, sizeof(text), pattern, values...);
  return text;
}

std::string escape(const std::string &text) {
  std::string result;
  for (char c : text)
    result += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return result;
}

/// \p anchor is start, middle or end.
std::string label(double x, double y, const char *anchor,
                  const std::string &text) {
  return format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y,
                anchor) +
         escape(text) + "</text>\n";
}

double xOf(double bin) {
  return LEFT + bin / SPECTRUM_BINS * (RIGHT_END - LEFT);
}

double yOf(double value, double most) {
  return BOTTOM_END - value / most * (BOTTOM_END - TOP);
}

/// The least of 1, 2, 5 times a power of ten that is not below \p value.
double roundUp(double value) {
  double power = std::pow(10, std::floor(std::log10(value)));
  for (double factor : {1., 2., 5.})
    if (factor * power >= value)
      return factor * power;
  return 10 * power;
}

std::string drawCurve(const Curve &curve, double most) {
  std::string points = format("%.1f,%d", xOf(0), BOTTOM_END);
  for (int i = 0; i < SPECTRUM_BINS; ++i) {
    double y = yOf(curve.spectrum[i], most);
    points += format(" %.1f,%.1f %.1f,%.1f", xOf(i), y, xOf(i + 1), y);
  }
  points += format(" %.1f,%d", xOf(SPECTRUM_BINS), BOTTOM_END);
  bool isArea = curve.look == Look::AREA;
  const char *dashes =
      curve.look == Look::DASHES ? " stroke-dasharray=\"5 3\"" : "";
  return "<polyline points=\"" + points + "\" stroke=\"" + curve.color +
         "\" fill=\"" + (isArea ? curve.color : "none") +
         "\" fill-opacity=\"0.35\" stroke-width=\"1.4\"" + dashes + "/>\n";
}

std::string drawAxes(double most) {
  std::string svg =
      format("<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"black\"/>\n",
             LEFT, TOP, BOTTOM_END, RIGHT_END);
  double decades = std::log10(SPECTRUM_HIGH / SPECTRUM_LOW);
  for (int decade = 0; decade <= int(decades + 0.5); ++decade) {
    double x = xOf(SPECTRUM_BINS * decade / decades);
    svg += format("<path d=\"M%.1f %dv6\" stroke=\"black\"/>\n", x, BOTTOM_END);
    svg += label(x, BOTTOM_END + 22, "middle",
                 format("%g", SPECTRUM_LOW * std::pow(10, decade)));
  }
  for (int part = 0; part <= 4; ++part) {
    double y = yOf(part, 4);
    svg += format("<path d=\"M%d %.1fh-6\" stroke=\"black\"/>\n", LEFT, y);
    svg += label(LEFT - 10, y + 4, "end", format("%.3g", most * part / 4));
  }
  svg += label((LEFT + RIGHT_END) / 2.0, HEIGHT - 14, "middle", "fluorescence");
  svg += format("<text transform=\"translate(18 %d) rotate(-90)\" "
                "text-anchor=\"middle\">part of the cells</text>\n",
                (TOP + BOTTOM_END) / 2);
  return svg;
}

} // namespace

std::string cells::drawCurves(const std::string &title,
                              const std::vector<Curve> &curves) {
  double most = 1e-9;
  for (const Curve &curve : curves)
    for (double value : curve.spectrum)
      most = std::max(most, value);
  most = roundUp(most);

  std::string svg =
      format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
             "font-family=\"sans-serif\" font-size=\"13\">\n"
             "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
             WIDTH, HEIGHT);
  svg += label((LEFT + RIGHT_END) / 2.0, 24, "middle", title);
  for (const Curve &curve : curves)
    svg += drawCurve(curve, most);
  svg += drawAxes(most);
  for (size_t i = 0; i < curves.size(); ++i) {
    double y = TOP + 16 + 20 * double(i);
    svg += format("<rect x=\"%d\" y=\"%.1f\" width=\"18\" height=\"4\" "
                  "fill=\"%s\"/>\n",
                  RIGHT_END - 200, y - 6, curves[i].color.c_str());
    svg += label(RIGHT_END - 174, y, "start", curves[i].name);
  }
  return svg + "</svg>\n";
}
