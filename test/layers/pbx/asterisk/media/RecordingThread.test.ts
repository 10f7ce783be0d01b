import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { Readable } from "node:stream"
import { type Download, recordedFile } from "../../../../../src/layers/pbx/asterisk/ari/RecordedFile.ts"
import {
  type CombinedFile,
  makeRecordingThread,
  RecordingFailed
} from "../../../../../src/layers/pbx/asterisk/media/RecordingThread.ts"
import { until } from "../../../../support/Until.ts"

/** A download of so many bytes, in chunks that are parts of one buffer, as those of HTTP are. */
const download = (samples_bytes: number, seed: number, given: (bytes: number) => void = () => {}): Download => {
  const buffer = Buffer.from(Uint8Array.from({ length: 64 * 1024 }, (_, index) => (index * seed) % 251))
  const size_bytes = 44 + samples_bytes
  return {
    size_bytes,
    bytes: (async function* () {
      for (let at = 0; at < size_bytes; at += 10_000) {
        const chunk = buffer.subarray(0, Math.min(10_000, size_bytes - at))
        given(chunk.length)
        yield chunk
      }
    })()
  }
}

const read = ({ bytes }: CombinedFile) =>
  Effect.promise(async () => Buffer.concat(await Readable.from(bytes).toArray()))

const readFailing = ({ bytes }: CombinedFile) =>
  Effect.flip(
    Effect.tryPromise({ try: () => Readable.from(bytes).toArray(), catch: (cause) => cause as RecordingFailed })
  )

describe("the thread that combines recordings", () => {
  it.live("hashes the files that it combines, several at once", () =>
    Effect.gen(function* () {
      const { combine } = yield* makeRecordingThread
      const files = [1, 2, 3, 4].map((seed) => combine(download(300_000, seed), download(280_000, seed + 10)))
      const mono = combine(download(100_000, 5))
      const whole = yield* Effect.forEach([...files, mono], read, { concurrency: "unbounded" })
      for (const [index, file] of [...files, mono].entries()) {
        assert.strictEqual(file.sha256(), createHash("sha256").update(whole[index]!).digest("hex"))
      }
      assert.strictEqual(new Set(files.map(({ sha256 }) => sha256())).size, 4)
    })
  )

  it.live("does most of the work on another thread than the actors'", () =>
    Effect.gen(function* () {
      const { combine } = yield* makeRecordingThread
      const long = () => download(5_000_000, 3)
      /** The processor time, in microseconds, of this thread and of all others while a file is read. */
      const spent = (bytes: AsyncIterable<Uint8Array>, take: (piece: Uint8Array) => void) =>
        Effect.promise(async () => {
          const thread = process.threadCpuUsage()
          const whole = process.cpuUsage()
          for await (const piece of bytes) take(piece)
          const own = process.threadCpuUsage(thread)
          const all = process.cpuUsage(whole)
          const here = own.system + own.user
          return { here, elsewhere: all.system + all.user - here }
        })
      yield* read(combine(long(), long()))
      const whole: Array<number> = []
      const elsewhere: Array<number> = []
      for (let round = 0; round < 5; round++) {
        const hash = createHash("sha256")
        whole.push((yield* spent(recordedFile(long(), long()).bytes, (piece) => hash.update(piece))).here)
        const file = combine(long(), long())
        elsewhere.push((yield* spent(file.bytes, () => {})).elsewhere)
        assert.strictEqual(file.sha256(), hash.digest("hex"))
      }
      assert.isAbove(Math.min(...elsewhere), Math.min(...whole) * 0.5)
    })
  )

  it.live("reads no more of the downloads once nobody reads the file", () =>
    Effect.gen(function* () {
      const { combine } = yield* makeRecordingThread
      let given = 0
      const long = () => download(50_000_000, 3, (bytes) => (given += bytes))
      const pieces = combine(long(), long()).bytes[Symbol.asyncIterator]()
      yield* Effect.promise(() => pieces.next())
      yield* Effect.promise(() => pieces.next())
      yield* Effect.promise(() => pieces.return!())
      assert.isAtMost(given, 1_000_000)
      const after = given
      assert.lengthOf(yield* read(combine(download(1_000, 1))), 1_044)
      assert.strictEqual(given, after)
    })
  )

  it.live("fails with the cause of a failed download", () =>
    Effect.gen(function* () {
      const { combine } = yield* makeRecordingThread
      const cause = new Error("Asterisk sends nothing.")
      const failing: Download = {
        size_bytes: 1_044,
        // oxlint-disable-next-line require-yield
        bytes: (async function* () {
          throw cause
        })()
      }
      const file = combine(download(1_000, 1), failing)
      assert.strictEqual((yield* readFailing(file)).cause, cause)
      assert.throws(() => file.sha256(), RecordingFailed)
    })
  )

  it.live("fails what it had begun when it ends, and is started again for the next recording", () =>
    Effect.gen(function* () {
      const thread = yield* makeRecordingThread
      const waiting = Promise.withResolvers<never>()
      let asked = false
      const silent: Download = {
        size_bytes: 1_044,
        bytes: { [Symbol.asyncIterator]: () => ({ next: () => ((asked = true), waiting.promise) }) }
      }
      const failed = Promise.resolve(readFailing(thread.combine(silent)).pipe(Effect.runPromise))
      yield* until(
        "a read of the download",
        Effect.sync(() => asked),
        (asked) => asked
      )
      yield* Effect.promise(() => thread.end())
      assert.strictEqual(
        (yield* Effect.promise(() => failed)).message,
        "The thread that combines recordings has ended."
      )
      assert.lengthOf(yield* read(thread.combine(download(1_000, 1))), 1_044)
    })
  )
})
