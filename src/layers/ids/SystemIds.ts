// UUIDs of version 7 (RFC 9562, section 5.7): 48 bits of time and 74 random bits from a prefilled pool.
import { createHash, randomFillSync } from "node:crypto"
import { Clock, Effect, Layer } from "effect"
import { Ids } from "../../domain/ports/Ids.ts"

const hex: ReadonlyArray<string> = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

/** A generator over a source of random bytes: `fill` overwrites the whole pool. */
export const uuidsFrom = (now: () => number, fill: (pool: Uint8Array) => void): (() => string) => {
  const pool = new Uint8Array(4096)
  let next = pool.length
  return () => {
    if (next === pool.length) {
      fill(pool)
      next = 0
    }
    const time = now().toString(16).padStart(12, "0")
    const [a, b, c, d, e, f, g, h, i, j] = pool.subarray(next, (next += 16)) as unknown as ReadonlyArray<number>
    return (
      time.slice(0, 8) +
      "-" +
      time.slice(8) +
      "-7" +
      hex[a!]!.slice(1) +
      hex[b!] +
      "-" +
      hex[(c! & 0x3f) | 0x80] +
      hex[d!] +
      "-" +
      hex[e!] +
      hex[f!] +
      hex[g!] +
      hex[h!] +
      hex[i!] +
      hex[j!]
    )
  }
}

/** A UUID derived from a name: SHA-256, truncated. */
const named = (name: string): string =>
  createHash("sha256")
    .update(name)
    .digest("hex")
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5")

export const layer = Layer.effect(
  Ids,
  Effect.map(Clock.Clock, (clock) =>
    Ids.of({ named, uuid: uuidsFrom(() => clock.currentTimeMillisUnsafe(), randomFillSync) })
  )
)

/** For tests: the same ids in every run with the same integer seed. */
export const seeded = (seed: number) =>
  Layer.effect(
    Ids,
    Effect.map(Clock.Clock, (clock) => {
      let state = seed >>> 0
      // Mulberry32. The sequence only has to be well mixed and repeatable.
      const byte = () => {
        state = (state + 0x6d2b79f5) >>> 0
        let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
        mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
        return ((mixed ^ (mixed >>> 14)) >>> 0) & 0xff
      }
      return Ids.of({
        named,
        uuid: uuidsFrom(
          () => clock.currentTimeMillisUnsafe(),
          (pool) => pool.forEach((_, index) => void (pool[index] = byte()))
        )
      })
    })
  )
