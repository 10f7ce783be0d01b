import { Effect } from "effect"

/** Heap and buffers in use once nothing more can be collected. */
export const used = Effect.promise(async () => {
  if (globalThis.gc === undefined) throw new Error("Run with --expose-gc")
  for (let round = 0; round < 4; round++) {
    globalThis.gc()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const { external, heapUsed } = process.memoryUsage()
  return heapUsed + external
})
