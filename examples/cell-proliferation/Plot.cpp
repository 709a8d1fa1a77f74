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

/// The least of 1, 2, 5 times a power of ten that is not below \p value.
double roundUp(double value) {
  double power = std::pow(10, std::floor(std::log10(value)));
  for (double factor : {1., 2., 5.})
    if (factor * power >= value)
      return factor * power;
  return 10 * power;
}

std::string colorOf(const Curve &curve) { return format("#%06x", curve.color); }

std::string drawCurve(const Curve &curve, const PlotFrame &frame) {
  std::string points = format("%.1f,%d", PlotFrame::xOf(0), PlotFrame::BOTTOM);
  for (int i = 0; i < SPECTRUM_BINS; ++i) {
    double y = frame.yOf(curve.spectrum[i]);
    points += format(" %.1f,%.1f %.1f,%.1f", PlotFrame::xOf(i), y,
                     PlotFrame::xOf(i + 1), y);
  }
  points +=
      format(" %.1f,%d", PlotFrame::xOf(SPECTRUM_BINS), PlotFrame::BOTTOM);
  bool isArea = curve.look == Look::AREA;
  const char *dashes =
      curve.look == Look::DASHES ? " stroke-dasharray=\"5 3\"" : "";
  return "<polyline points=\"" + points + "\" stroke=\"" + colorOf(curve) +
         "\" fill=\"" + (isArea ? colorOf(curve) : "none") +
         "\" fill-opacity=\"0.35\" stroke-width=\"1.4\"" + dashes + "/>\n";
}

std::string drawAxes(const PlotFrame &frame) {
  std::string svg = format(
      "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"black\"/>\n",
      PlotFrame::LEFT, PlotFrame::TOP, PlotFrame::BOTTOM, PlotFrame::RIGHT);
  double decades = std::log10(SPECTRUM_HIGH / SPECTRUM_LOW);
  for (int decade = 0; decade <= int(decades + 0.5); ++decade) {
    double x = PlotFrame::xOf(SPECTRUM_BINS * decade / decades);
    svg += format("<path d=\"M%.1f %dv6\" stroke=\"black\"/>\n", x,
                  PlotFrame::BOTTOM);
    svg += label(x, PlotFrame::BOTTOM + 22, "middle",
                 format("%g", SPECTRUM_LOW * std::pow(10, decade)));
  }
  for (int part = 0; part <= 4; ++part) {
    double y = frame.yOf(frame.top * part / 4);
    svg += format("<path d=\"M%d %.1fh-6\" stroke=\"black\"/>\n",
                  PlotFrame::LEFT, y);
    svg += label(PlotFrame::LEFT - 10, y + 4, "end",
                 format("%.3g", frame.top * part / 4));
  }
  svg += label((PlotFrame::LEFT + PlotFrame::RIGHT) / 2.0,
               PlotFrame::HEIGHT - 14, "middle", "fluorescence");
  svg += format("<text transform=\"translate(18 %d) rotate(-90)\" "
                "text-anchor=\"middle\">part of the cells</text>\n",
                (PlotFrame::TOP + PlotFrame::BOTTOM) / 2);
  return svg;
}

} // namespace

PlotFrame::PlotFrame(const std::vector<Curve> &curves) {
  double most = 1e-9;
  for (const Curve &curve : curves)
    for (double value : curve.spectrum)
      most = std::max(most, value);
  top = roundUp(most);
}

std::string cells::drawCurves(const std::string &title,
                              const std::vector<Curve> &curves) {
  PlotFrame frame(curves);
  std::string svg =
      format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
             "font-family=\"sans-serif\" font-size=\"13\">\n"
             "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
             PlotFrame::WIDTH, PlotFrame::HEIGHT);
  svg += label((PlotFrame::LEFT + PlotFrame::RIGHT) / 2.0, 24, "middle", title);
  for (const Curve &curve : curves)
    svg += drawCurve(curve, frame);
  svg += drawAxes(frame);
  for (size_t i = 0; i < curves.size(); ++i) {
    double y = PlotFrame::TOP + 16 + 20 * double(i);
    svg += format("<rect x=\"%d\" y=\"%.1f\" width=\"18\" height=\"4\" "
                  "fill=\"%s\"/>\n",
                  PlotFrame::RIGHT - 200, y - 6, colorOf(curves[i]).c_str());
    svg += label(PlotFrame::RIGHT - 174, y, "start", curves[i].name);
  }
  return svg + "</svg>\n";
}
