// While a simulation runs, real time and real chance are replaced by those of its kernel, for whatever does not get
// them as services. `leaks` lists who asked for them.
import crypto from "node:crypto"
import { syncBuiltinESMExports } from "node:module"
import type { Kernel } from "./Kernel.ts"
import { Rng } from "./Rng.ts"

/** Who asked for real time or chance, and how often: the first line of the project or of a package. */
export const leaks = new Map<string, number>()

const noteLeak = (what: string): void => {
  const frames = new Error().stack?.split("\n").slice(3) ?? []
  const frame = frames.find((line) => /\/(src|node_modules)\//.test(line)) ?? "?"
  const key = `${what} ${frame.replace(/^.*\/(?=(src|node_modules)\/)/, "").replace(/:\d+\)?$/, "")}`
  leaks.set(key, (leaks.get(key) ?? 0) + 1)
}

const real = {
  queueMicrotask: globalThis.queueMicrotask,
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  setImmediate: globalThis.setImmediate
}
const realDate = Date.now
const realRandom = Math.random
const realPerformance = performance.now.bind(performance)
const { randomBytes, randomFillSync, randomInt, randomUUID } = crypto

/** Milliseconds of the real clock, while a simulation runs too. */
export const realNow = realPerformance

const giveBack = (): void => {
  Object.assign(globalThis, real)
  Date.now = realDate
  Math.random = realRandom
  performance.now = realPerformance
  Object.assign(crypto, { randomBytes, randomFillSync, randomInt, randomUUID })
  syncBuiltinESMExports()
}

const uuidOf = (bytes: Buffer): string =>
  bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")

/** Returns how to give the globals back. `strict`: leaks are noted. */
export const takeOver = (kernel: Kernel, { strict }: { readonly strict: boolean }): (() => void) => {
  const rng = new Rng(kernel.seed, "globals")
  const bytes = (count: number) => Buffer.from(Array.from({ length: count }, () => rng.below(256)))
  const told =
    <Args extends ReadonlyArray<never>, A>(what: string, replaced: (...args: Args) => A) =>
    (...args: Args): A => {
      if (strict) noteLeak(what)
      return replaced(...args)
    }
  Object.assign(globalThis, {
    queueMicrotask: (run: () => void) => kernel.microtask(run),
    setTimeout: told("setTimeout", (run: () => void, ms = 0) => kernel.after(kernel.current, ms, run)),
    setImmediate: told("setImmediate", (run: () => void) => kernel.soon(kernel.current, run)),
    setInterval: told("setInterval", () => 0)
  })
  Date.now = told("Date.now", () => kernel.now)
  Math.random = told("Math.random", () => rng.next())
  performance.now = told("performance.now", () => kernel.now - kernel.began_at)
  Object.assign(crypto, {
    randomBytes: told("randomBytes", (count: number) => bytes(count)),
    randomUUID: told("randomUUID", () => uuidOf(bytes(16))),
    randomFillSync: told("randomFillSync", (array: Uint8Array) => {
      array.set(bytes(array.length))
      return array
    }),
    randomInt: told("randomInt", (least: number, most?: number) =>
      most === undefined ? rng.below(least) : least + rng.below(most - least)
    )
  })
  syncBuiltinESMExports()
  return giveBack
}
