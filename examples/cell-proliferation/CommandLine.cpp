// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The command line, see CommandLine.h.
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "Rows.h"

#include <cmath>
#include <functional>
#include <vector>

using namespace cells;

namespace {

struct Option {
  std::string shortName, longName;
  std::string value; ///< What the help calls it; empty if there is none.
  std::string help;
  std::function<void(Options &, const std::string &)> take;
};

int naturalNumber(const std::string &text, const std::string &name, int least,
                  double most) {
  double number = parseNumber(text, name);
  if (number != std::floor(number) || number < least || number > most)
    refuse(name, "'" + text + "' is not a whole number from " +
                     std::to_string(least) + " on" +
                     (most < 1e6 ? " to " + std::to_string(int(most)) : ""));
  return int(number);
}

/// An option that is a whole number.
auto number(int Options::*field, const char *name, int least,
            double most = 1e9) {
  return [=](Options &options, const std::string &text) {
    options.*field = naturalNumber(text, name, least, most);
  };
}

auto text(std::string Options::*field) {
  return
      [=](Options &options, const std::string &text) { options.*field = text; };
}

auto mode(Mode mode) {
  return [=](Options &options, const std::string &) { options.mode = mode; };
}

void takeSeed(Options &options, const std::string &text) {
  size_t end = 0;
  try {
    options.seed = std::stoull(text, &end);
  } catch (const std::exception &) {
    end = 0;
  }
  if (end == 0 || end != text.size() || text[0] == '-')
    refuse("--seed", "'" + text + "' is no natural number of 64 bits");
}

void takePrecision(Options &options, const std::string &text) {
  if (text != "float" && text != "double")
    refuse("--precision", "'" + text + "' is neither float nor double");
  options.precision = text == "float" ? Precision::FLOAT : Precision::DOUBLE;
}

void takeDuration(Options &options, const std::string &text) {
  options.duration = parseNumber(text, "-t");
  if (*options.duration < 0)
    refuse("-t", "the time is negative");
}

void takeThreshold(Options &options, const std::string &text) {
  options.threshold = parseNumber(text, "-p");
  if (*options.threshold <= 0)
    refuse("-p", "the least fluorescence is not above 0");
}

std::vector<Option> inputOptions() {
  return {
      {"-h", "--histogram", "FILE", "rows of a fluorescence and a frequency",
       text(&Options::histogram)},
      {"-c", "--cell-types", "FILE",
       "rows of a proportion, a mean and a deviation (-1 -1: never divides)",
       text(&Options::types)},
      {"-t", "--time-max", "HOURS", "how long cells divide", takeDuration},
      {"-p", "--phi", "PHI",
       "a cell divides only if half of it is brighter (default: the first bin "
       "that has cells)",
       takeThreshold},
      {"-o", "--output", "FILE", "where the result goes (default: stdout)",
       text(&Options::output)},
      {"-d", "--tree-depth", "N",
       "levels that a variant allocates, 1 to 23; the simulator needs none",
       number(&Options::depth, "-d", 1, 23)},
      {"-r", "--ratio", "", "print a column for each type",
       [](Options &options, const std::string &) { options.hasTypes = true; }},
      {"", "--sync", "", "roots have no age (default: a random one)",
       [](Options &options, const std::string &) {
         options.start = Start::SYNCHRONOUS;
       }},
      {"", "--shared-draw", "",
       "a root's age is a part of the interval until its first division",
       [](Options &options, const std::string &) {
         options.start = Start::SHARED_DRAW;
       }},
      {"", "--seed", "N", "of the random numbers (default: 1)", takeSeed},
      {"", "--data", "FILE", "a measured histogram to compare with",
       text(&Options::data)},
  };
}

std::vector<Option> machineOptions() {
  return {
      {"", "--cpu", "", "use no GPU",
       [](Options &options, const std::string &) { options.gpuCount = 0; }},
      {"", "--threads", "N", "of the CPU (default: all)",
       [](Options &options, const std::string &text) {
         options.threadCount =
             unsigned(naturalNumber(text, "--threads", 1, 1024));
       }},
      {"", "--gpus", "N", "GPUs that share the roots (default: 1, if there is)",
       [](Options &options, const std::string &text) {
         options.gpuCount = naturalNumber(text, "--gpus", 1, 64);
       }},
      {"", "--precision", "P", "float or double (default)", takePrecision},
      {"", "--report", "", "print what was simulated, and how fast, on stderr",
       [](Options &options, const std::string &) { options.hasReport = true; }},
      {"", "--repeat", "N", "of --report: simulate so often, print the median",
       number(&Options::repetitions, "--repeat", 1)},
  };
}

std::vector<Option> modeOptions() {
  return {
      {"", "--expected", "", "print expected counts, without a simulation",
       mode(Mode::EXPECT)},
      {"", "--batch", "FILE",
       "simulate each row, a seed and the three numbers of each type; lines "
       "begin with the row's number. With --data: how far each is from it",
       [](Options &options, const std::string &text) {
         options.mode = Mode::BATCH;
         options.batch = text;
       }},
      {"", "--validate", "N",
       "compare the means of N seeds with what is expected",
       [](Options &options, const std::string &text) {
         options.mode = Mode::VALIDATE;
         options.seedCount = naturalNumber(text, "--validate", 2, 1e5);
       }},
      {"", "--calibrate", "",
       "fit quiescent, slow and fast cells to --data; -o receives the types",
       mode(Mode::CALIBRATE)},
      {"", "--particles", "N", "of --calibrate (default: 50)",
       number(&Options::particles, "--particles", 1)},
      {"", "--iterations", "N", "of --calibrate (default: 100)",
       number(&Options::iterations, "--iterations", 1)},
      {"", "--variant", "NAME",
       "run one of the published steps, or all, and compare (needs a GPU)",
       [](Options &options, const std::string &text) {
         options.mode = Mode::VARIANTS;
         options.variant = text;
       }},
      {"", "--plot", "FILE",
       "draw the result, what is expected, and --data (.svg, or .png)",
       text(&Options::plot)},
      {"", "--help", "", "print this help", mode(Mode::HELP)},
  };
}

std::vector<Option> allOptions() {
  std::vector<Option> all = inputOptions();
  for (const auto &more : {modeOptions(), machineOptions()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

void checkOptions(const Options &options) {
  auto require = [](bool isGiven, const char *option, const char *what) {
    if (!isGiven)
      throw InputError(std::string("needs ") + option + ", " + what);
  };
  if (options.mode == Mode::HELP)
    return;
  require(!options.histogram.empty(), "-h", "the histogram at the beginning");
  require(options.duration.has_value(), "-t", "the hours to simulate");
  if (options.mode == Mode::CALIBRATE)
    require(!options.data.empty(), "--data", "the histogram to fit");
  else if (options.mode != Mode::BATCH)
    require(!options.types.empty(), "-c", "the types of cells");
}

} // namespace

Options cells::parseCommandLine(int count, const char *const *arguments) {
  Options options;
  const std::vector<Option> all = allOptions();
  for (int i = 1; i < count; ++i) {
    std::string name = arguments[i];
    const Option *found = nullptr;
    for (const Option &option : all)
      if (name == option.longName ||
          (name == option.shortName && !name.empty()))
        found = &option;
    if (!found)
      throw InputError("does not know '" + name + "' (see --help)");
    std::string value;
    if (!found->value.empty()) {
      if (++i == count)
        throw InputError(name + " needs " + found->value);
      value = arguments[i];
    }
    found->take(options, value);
  }
  checkOptions(options);
  return options;
}

std::string cells::helpText() {
  std::string help =
      "usage: cell-proliferation -h HISTOGRAM -c TYPES -t HOURS [options]\n\n"
      "Simulates how cells divide and dim, and prints the histogram of their\n"
      "fluorescence when time is over. The same seed gives the same cells on "
      "every\nCPU and GPU.\n";
  auto add = [&](const char *title, const std::vector<Option> &options) {
    help += std::string("\n") + title + ":\n";
    for (const Option &option : options) {
      std::string names =
          option.shortName.empty() ? "    " : option.shortName + ", ";
      names +=
          option.longName + (option.value.empty() ? "" : " ") + option.value;
      names.resize(std::max<size_t>(names.size() + 2, 24), ' ');
      help += "  " + names + option.help + "\n";
    }
  };
  add("model, input and output", inputOptions());
  add("instead of one simulation", modeOptions());
  add("machine", machineOptions());
  return help;
}
