/**
 * Where a history takes its turns: a list of bytes, read one by one. Read to its end it says 0 for ever, and 0 is the
 * uneventful turn, so that a shorter list is a simpler history and a failing one shrinks to what it needs.
 */
export class Choices {
  private readonly bytes: ArrayLike<number>
  private index = 0

  constructor(bytes: ArrayLike<number>) {
    this.bytes = bytes
  }

  get spent(): boolean {
    return this.index >= this.bytes.length
  }

  below(count: number): number {
    return (this.bytes[this.index++] ?? 0) % count
  }

  oneIn(count: number): boolean {
    return this.below(count) === count - 1
  }

  of<const A>(options: ReadonlyArray<A>): A {
    return options[this.below(options.length)]!
  }
}

/** Bytes by a seed (mulberry32), for runs too many to shrink. */
export const bytesOf = (seed: number, count: number): Uint8Array => {
  const bytes = new Uint8Array(count)
  let state = seed | 0
  for (let index = 0; index < count; index++) {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    bytes[index] = mixed ^ (mixed >>> 14)
  }
  return bytes
}
