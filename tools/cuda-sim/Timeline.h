// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Streams, events, and the time that events measure. All work is done when the
/// call that requests it returns, so that streams have nothing to order. Time
/// follows a simple model and is the same in every run; it says nothing about a
/// GPU.
//===----------------------------------------------------------------------===//

#ifndef CUDASIM_TIMELINE_H
#define CUDASIM_TIMELINE_H

#include <cstdint>
#include <map>
#include <optional>
#include <set>

namespace cudaopt::cudasim {

class Timeline {
public:
  using Handle = uintptr_t; ///< The handle of a stream or an event.

  /// Advances the time for a call that executed \p WarpInstructions.
  void advance(uint64_t WarpInstructions) {
    constexpr uint64_t NanosecondsPerCall = 2000;
    Now += NanosecondsPerCall + WarpInstructions;
  }

  Handle createStream() { return *Streams.insert(++Last * HandleStep).first; }
  bool destroyStream(Handle Stream) { return Streams.erase(Stream); }
  /// Returns true for existing streams and for the default streams 0, 1 and 2.
  bool isStream(Handle Stream) const {
    return Stream <= 2 || Streams.count(Stream);
  }

  Handle createEvent() {
    return Events.try_emplace(++Last * HandleStep).first->first;
  }
  bool destroyEvent(Handle Event) { return Events.erase(Event); }
  bool isEvent(Handle Event) const { return Events.count(Event); }
  /// Records the current time in \p Event. Returns false if there is no such
  /// event.
  bool record(Handle Event) {
    auto Found = Events.find(Event);
    if (Found != Events.end())
      Found->second = Now;
    return Found != Events.end();
  }
  /// Returns the nanoseconds at which \p Event was recorded; std::nullopt if it
  /// was not.
  std::optional<uint64_t> timeOf(Handle Event) const {
    auto Found = Events.find(Event);
    return Found == Events.end() ? std::nullopt : Found->second;
  }

private:
  /// Handles are opaque, but must differ from the default streams.
  static constexpr Handle HandleStep = 16;

  uint64_t Now = 0;
  Handle Last = 0;
  std::set<Handle> Streams;
  std::map<Handle, std::optional<uint64_t>> Events;
};

} // namespace cudaopt::cudasim

#endif // CUDASIM_TIMELINE_H
