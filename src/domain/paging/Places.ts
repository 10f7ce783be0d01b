// Rows of a long list are numbered in blocks. For each value that a row of a block has, its places in the block are
// kept: as one bit a row, or, where they are few, as a list. Rows that have several values at once are found by what
// they have in common, whatever the values are and however rarely they come together.

/** Rows in a block. */
export const block_size = 2_048

const bitmap_bytes = block_size / 8
/** More places than these are kept as bits; the list of fewer never has the length of the bits. */
export const listed_most = bitmap_bytes / 2 - 1

const isBitmap = (places: Uint8Array): boolean => places.length === bitmap_bytes

/**
 * Bit 0 is the highest of the first byte, as in a `bit` of PostgreSQL; a list has two bytes a place, the higher first.
 */
const bitmapOf = (places: Uint8Array): Uint8Array => {
  if (isBitmap(places)) return places
  const bits = new Uint8Array(bitmap_bytes)
  for (let at = 0; at + 1 < places.length; at += 2) {
    const place = places[at]! * 256 + places[at + 1]!
    if (place < block_size) bits[place >> 3]! |= 0x80 >> (place & 7)
  }
  return bits
}

/** The places below `below` that all values have, the last first. Empty without values. */
export const commonPlaces = (values: ReadonlyArray<Uint8Array>, below: number = block_size): ReadonlyArray<number> => {
  if (values.length === 0) return []
  const maps = values.map(bitmapOf)
  const found: Array<number> = []
  for (let byte = Math.ceil(Math.min(below, block_size) / 8) - 1; byte >= 0; byte--) {
    const common = maps.reduce((bits, map) => bits & map[byte]!, 0xff)
    if (common === 0) continue
    for (let bit = 7; bit >= 0; bit--) {
      const place = byte * 8 + bit
      if ((common & (0x80 >> bit)) !== 0 && place < below) found.push(place)
    }
  }
  return found
}

/** Counts the rows of a block up to `at`. `instants` holds eight bytes per row, ascending. */
export const placesUntil = (instants: Uint8Array, at: number): number => {
  const view = new DataView(instants.buffer, instants.byteOffset, instants.byteLength)
  let [low, high] = [0, Math.floor(instants.byteLength / 8)]
  while (low < high) {
    const middle = (low + high) >> 1
    if (Number(view.getBigInt64(middle * 8)) <= at) low = middle + 1
    else high = middle
  }
  return low
}
