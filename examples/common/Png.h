// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
/// \file
/// Writes pictures as PNG files, uncompressed: no library is needed.
//===----------------------------------------------------------------------===//

#ifndef EXAMPLES_COMMON_PNG_H
#define EXAMPLES_COMMON_PNG_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace png {

struct Color {
  uint8_t red, green, blue;
};

/// The byte of a brightness, of which 0 is black and 1 is white; values beyond
/// are clamped.
inline uint8_t level(float brightness) {
  return uint8_t(std::min(std::max(brightness, 0.0f), 1.0f) * 255.0f + 0.5f);
}

inline Color gray(float brightness) {
  uint8_t value = level(brightness);
  return {value, value, value};
}

using Bytes = std::vector<uint8_t>;

/// Appends a number in PNG's order of bytes, the highest first.
inline void append32(Bytes &bytes, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes.push_back(uint8_t(value >> shift));
}

/// The checksum of a chunk (CRC-32 of ISO 3309, as in zip files).
inline uint32_t crc32(const uint8_t *bytes, size_t count) {
  uint32_t crc = ~0u;
  for (size_t i = 0; i < count; ++i) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit)
      crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320u : 0u);
  }
  return ~crc;
}

/// Appends a chunk: length, type, data, and the checksum of type and data.
inline void appendChunk(Bytes &file, const char *type, const Bytes &data) {
  append32(file, uint32_t(data.size()));
  size_t start = file.size();
  file.insert(file.end(), type, type + 4);
  file.insert(file.end(), data.begin(), data.end());
  append32(file, crc32(file.data() + start, file.size() - start));
}

/// Makes a zlib stream whose blocks hold \p raw as it is, not compressed.
inline Bytes store(const Bytes &raw) {
  constexpr size_t MOST = 65535; // The most bytes of a stored block.
  Bytes stream = {0x78, 0x01};
  uint32_t a = 1, b = 0; // The two sums of the checksum Adler-32.
  for (size_t start = 0; start < raw.size(); start += MOST) {
    size_t count = std::min(MOST, raw.size() - start);
    stream.push_back(start + count == raw.size());
    for (size_t field : {count, ~count}) {
      stream.push_back(uint8_t(field));
      stream.push_back(uint8_t(field >> 8));
    }
    for (size_t i = start; i < start + count; ++i) {
      stream.push_back(raw[i]);
      a = (a + raw[i]) % 65521;
      b = (b + a) % 65521;
    }
  }
  append32(stream, b << 16 | a);
  return stream;
}

/// Writes a picture of width * scale by height * scale pixels, in which
/// \p colorAt(x, y) fills scale x scale of them. Returns false if the file
/// cannot be written.
template <typename Function>
bool write(const std::string &path, int width, int height, int scale,
           Function colorAt) {
  Bytes raw;
  for (int y = 0; y < height * scale; ++y) {
    raw.push_back(0); // The row is not filtered.
    for (int x = 0; x < width * scale; ++x) {
      Color color = colorAt(x / scale, y / scale);
      raw.insert(raw.end(), {color.red, color.green, color.blue});
    }
  }
  Bytes header;
  append32(header, width * scale);
  append32(header, height * scale);
  header.insert(header.end(), {8, 2, 0, 0, 0}); // 8 bits, RGB, not interlaced.

  Bytes file = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  appendChunk(file, "IHDR", header);
  appendChunk(file, "IDAT", store(raw));
  appendChunk(file, "IEND", {});
  std::FILE *out = std::fopen(path.c_str(), "wb");
  if (!out)
    return false;
  size_t written = std::fwrite(file.data(), 1, file.size(), out);
  return std::fclose(out) == 0 && written == file.size();
}

} // namespace png

#endif // EXAMPLES_COMMON_PNG_H
