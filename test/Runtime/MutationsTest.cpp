// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// The random loops notice each rule of the strategies that is broken.
//===----------------------------------------------------------------------===//

#include "cpu_run.hpp"
#include "fiber_team.hpp"

#include <gtest/gtest.h>

using namespace cudaopt;
using namespace cudaopt::test;
using detail::cpu::exact_rules;

namespace {

/// The number of random loops after which a broken rule shows; -1: never.
template <class Rules, class Draw>
int loops_until_caught(strategy s, Draw draw) {
  random_engine random(3);
  fiber_team team(random);
  for (int t = 1; t <= 3000; ++t) {
    const auto p = draw(random);
    team.resize(1 + int(below(random, fiber_team::most_workers)));
    const outcome o = run_by<Rules>(p, p.expected(), s, team);
    if (o == outcome::wrong || o == outcome::stalled)
      return t;
  }
  return -1;
}

auto draw_table(family f) {
  return [f](random_engine &random) {
    return make_table_problem(random, f, 1 + below(random, 12),
                              1 + below(random, 8));
  };
}
auto draw_self_indexing() {
  return [](random_engine &random) {
    return make_self_indexing_problem(random, 1 + below(random, 16),
                                      4 + below(random, 40));
  };
}

struct no_merge : exact_rules {
  static constexpr bool merges_accesses = false;
};
struct need_off_by_one : exact_rules {
  static index_t need(bool writes, index_t position, index_t after_write) {
    const index_t n = exact_rules::need(writes, position, after_write);
    return n > 0 ? n - 1 : 0;
  }
};
struct silent_readers : exact_rules {
  static bool signals(bool writes, bool, bool has_later) {
    return writes && has_later;
  }
};
struct writers_ignore_readers : exact_rules {
  static index_t need(bool, index_t, index_t after_write) {
    return after_write;
  }
};
struct levels_without_reads : exact_rules {
  static constexpr bool levels_respect_reads = false;
};
struct no_old_values : exact_rules {
  static constexpr bool keeps_old_values = false;
};
struct first_write_wins : exact_rules {
  static constexpr bool last_write_wins = false;
};
struct no_frontier : exact_rules {
  static constexpr bool has_frontier = false;
};
struct commits_ignore_readers : exact_rules {
  static constexpr bool commits_respect_readers = false;
};

} // namespace

// An iteration that reads and writes a location waits for itself.
TEST(Mutations, AccessesThatAreNotMergedAreCaught) {
  EXPECT_GT(loops_until_caught<no_merge>(strategy::tickets,
                                         draw_table(family::mixed)),
            0);
}

TEST(Mutations, ANeedThatIsOneTooSmallIsCaught) {
  EXPECT_GT(loops_until_caught<need_off_by_one>(strategy::tickets,
                                                draw_table(family::mixed)),
            0);
}

TEST(Mutations, ReadersThatDoNotSignalAreCaught) {
  EXPECT_GT(loops_until_caught<silent_readers>(strategy::tickets,
                                               draw_table(family::mixed)),
            0);
}

TEST(Mutations, WritersThatWaitOnlyForWritersAreCaught) {
  EXPECT_GT(loops_until_caught<writers_ignore_readers>(
                strategy::tickets, draw_table(family::mixed)),
            0);
}

TEST(Mutations, LevelsThatIgnoreReadsAreCaught) {
  EXPECT_GT(loops_until_caught<levels_without_reads>(strategy::levels_graph,
                                                     draw_table(family::mixed)),
            0);
}

TEST(Mutations, OwnersThatOverwriteWhatIsStillReadAreCaught) {
  EXPECT_GT(loops_until_caught<no_old_values>(strategy::owner,
                                              draw_table(family::owned)),
            0);
}

TEST(Mutations, TheFirstOfManyWritersIsCaught) {
  EXPECT_GT(loops_until_caught<first_write_wins>(strategy::last_writer,
                                                 draw_table(family::writes)),
            0);
}

// Plain reserve and commit trusts addresses that may still change.
TEST(Mutations, ReservationsWithoutAFrontierAreCaught) {
  EXPECT_GT(
      loops_until_caught<no_frontier>(strategy::reserve, draw_self_indexing()),
      0);
}

TEST(Mutations, CommitsBeforeSmallerReadersAreCaught) {
  EXPECT_GT(loops_until_caught<commits_ignore_readers>(
                strategy::reserve, draw_table(family::mixed)),
            0);
}

// The same loops catch nothing where nothing is broken.
TEST(Mutations, TheRulesThemselvesPass) {
  for (strategy s : {strategy::tickets, strategy::levels_graph, strategy::owner,
                     strategy::reserve})
    EXPECT_EQ(loops_until_caught<exact_rules>(s, draw_table(family::mixed)), -1)
        << name_of(s);
  EXPECT_EQ(
      loops_until_caught<exact_rules>(strategy::reserve, draw_self_indexing()),
      -1);
}
