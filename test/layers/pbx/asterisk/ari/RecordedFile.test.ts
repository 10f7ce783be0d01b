import { afterAll, assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { Readable } from "node:stream"
import { wavOf } from "../../../../../src/domain/recordings/Wav.ts"
import { type Download, recordedFile } from "../../../../../src/layers/pbx/asterisk/ari/RecordedFile.ts"
import { RecordingThread } from "../../../../../src/layers/pbx/asterisk/media/RecordingThread.ts"

const thread = new RecordingThread()
afterAll(() => thread.end())

const header = Buffer.alloc(44)
const wav = (samples: ArrayLike<number>) => Buffer.concat([header, Buffer.from(Int16Array.from(samples).buffer)])
const ramp = (count: number, step: number) => Int16Array.from({ length: count }, (_, index) => (index * step) % 30_000)

/** The file in chunks of these lengths in turn. */
const download = (file: Buffer, ...lengths: ReadonlyArray<number>): Download => ({
  size_bytes: file.length,
  bytes: (async function* () {
    for (let at = 0, turn = 0; at < file.length; turn++) {
      const length = lengths[turn % lengths.length] ?? file.length
      yield file.subarray(at, at + length)
      at += length
    }
  })()
})

const read = async (bytes: AsyncIterable<Uint8Array>) => Buffer.concat(await Readable.from(bytes).toArray())
const samples = (file: Buffer) => [
  ...new Int16Array(file.buffer.slice(file.byteOffset + 44, file.byteOffset + file.length))
]

describe.each([
  ["a recorded file", recordedFile],
  ["a recorded file that a thread combines", thread.combine]
])("%s", (_, recordedFile) => {
  it("merges two mono files into a stereo file and pads the shorter one with silence", async () => {
    const { bytes, duration_ms, size_bytes } = recordedFile(download(wav([1, 2, 3])), download(wav([-1])))
    const file = await read(bytes)
    assert.strictEqual(file.length, size_bytes)
    assert.deepStrictEqual(samples(file), [1, -1, 2, 0, 3, 0])
    assert.deepStrictEqual(wavOf(file, file.length), Result.succeed({ channels: 2, duration_ms }))
  })

  it("keeps one mono file as it is", async () => {
    const file = await read(recordedFile(download(wav([5, 6]), 1)).bytes)
    assert.deepStrictEqual(samples(file), [5, 6])
    assert.strictEqual(file.readUInt16LE(22), 1)
  })

  it("gives the same file however the downloads are cut into chunks", async () => {
    const [left, right] = [ramp(50_000, 7), ramp(41_003, 11)]
    const expected = Array.from(left).flatMap((sample, index) => [sample, right[index] ?? 0])
    for (const [one, other] of [
      [[1_000], [65_536]],
      [[1, 3, 44, 32_767], [5]],
      [[200_000], [43, 32_769]]
    ] as const) {
      const file = await read(recordedFile(download(wav(left), ...one), download(wav(right), ...other)).bytes)
      assert.deepStrictEqual(samples(file), expected)
    }
  })

  it("holds a few pieces of a long recording at a time, never the whole", async () => {
    const hour = 3_600 * 8_000 * 2
    let given = 0
    const endless = (): Download => ({
      size_bytes: 44 + hour,
      bytes: (async function* () {
        yield header
        for (let left = hour; left > 0; left -= 64_000) {
          given += 64_000
          yield Buffer.alloc(64_000)
        }
      })()
    })
    const { bytes, duration_ms, size_bytes } = recordedFile(endless(), endless())
    assert.strictEqual(duration_ms, 3_600_000)
    let taken = 0
    for await (const piece of bytes) {
      taken += piece.length
      assert.isAtMost(piece.length, 64 * 1024)
      assert.isAtMost(given - taken, 4 * 64_000)
    }
    assert.strictEqual(taken, size_bytes)
  })

  it("is refused if a download ends before its size", async () => {
    const short: Download = { ...download(wav([1, 2, 3])), size_bytes: 44 + 8 }
    const error = await read(recordedFile(short, download(wav([1]))).bytes).catch((cause: unknown) => cause)
    assert.instanceOf(error, Error)
    assert.strictEqual(error.message, "2 bytes of the recording are missing.")
  })

  it("has no samples where Asterisk wrote none", async () => {
    const file = await read(recordedFile(download(Buffer.alloc(20)), download(wav([]))).bytes)
    assert.strictEqual(file.length, 44)
  })
})
