// UUIDs of version 7 (RFC 9562, section 5.7): 48 bits of time and 74 random bits from a prefilled pool.
import { createHash, randomFillSync } from "node:crypto"
import { Clock, Effect, Layer } from "effect"
import { Ids } from "../../domain/ports/engine/Ids.ts"

/** A generator over a source of random bytes: `fill` overwrites the whole pool. */
export const uuidsFrom = (now: () => number, fill: (pool: Uint8Array) => void): (() => string) => {
  const pool = Buffer.alloc(4096)
  let next = pool.length
  return () => {
    if (next === pool.length) {
      fill(pool)
      next = 0
    }
    const time = now().toString(16).padStart(12, "0")
    // The two highest bits of the third byte are the variant.
    pool.writeUInt8((pool.readUInt8(next + 2) & 0x3f) | 0x80, next + 2)
    const random = pool.toString("hex", next, next + 10)
    next += 16
    return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(1, 4)}-${random.slice(4, 8)}-${random.slice(8)}`
  }
}

/** A UUID derived from a name: SHA-256, truncated. */
export const named = (name: string): string =>
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
