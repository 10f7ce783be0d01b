// UUIDs of version 7 (RFC 9562, section 5.7): 48 bits of time and 74 random bits from a prefilled pool.
import { createHash, randomFillSync } from "node:crypto"
import { Clock, Effect, Layer } from "effect"
import { Ids } from "../../domain/ports/engine/Ids.ts"

/** Sizes in bytes: of the pool, and of each UUID in it. */
const pool_bytes = 4096
const uuid_bytes = 16

/** The two highest bits of the ninth byte of a UUID are its variant. The pool has that byte as the third of each. */
const setVariants = (pool: Buffer): void => {
  for (let at = 2; at < pool_bytes; at += uuid_bytes) pool.writeUInt8((pool.readUInt8(at) & 0x3f) | 0x80, at)
}

/** The digits that all UUIDs of one millisecond begin with. */
const beginningAt = (ms: number): string => {
  const time = ms.toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7`
}

/** A generator over a source of random bytes: `fill` overwrites the whole pool. The pool is made text as a whole. */
export const uuidsFrom = (now: () => number, fill: (pool: Uint8Array) => void): (() => string) => {
  const pool = Buffer.alloc(pool_bytes)
  let digits = ""
  let next = 0
  let time = Number.NaN
  let beginning = ""
  return () => {
    if (next === digits.length) {
      fill(pool)
      setVariants(pool)
      digits = pool.toString("hex")
      next = 0
    }
    const at = next
    next += uuid_bytes * 2
    const ms = now()
    if (ms !== time) {
      time = ms
      beginning = beginningAt(ms)
    }
    return `${beginning}${digits.slice(at + 1, at + 4)}-${digits.slice(at + 4, at + 8)}-${digits.slice(at + 8, at + 20)}`
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
