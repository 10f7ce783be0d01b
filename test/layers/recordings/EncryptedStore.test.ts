import { createHash } from "node:crypto"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, type Scope, Stream } from "effect"
import { RecordingStore, StoreFailed } from "../../../src/domain/ports/calls/RecordingStore.ts"
import { chunk_bytes, makeAudioCipher, sealedBytes } from "../../../src/layers/recordings/AudioCipher.ts"
import { EncryptedStore } from "../../../src/layers/recordings/EncryptedStore.ts"
import { fileObjects } from "../../../src/layers/recordings/FileObjects.ts"
import type { Objects } from "../../../src/layers/recordings/Objects.ts"
import { s3Objects } from "../../../src/layers/recordings/S3Objects.ts"
import { s3Place } from "../../../src/layers/recordings/S3Place.ts"
import { objectStore } from "../../support/ObjectStore.ts"
import { recordingId, workspaceId } from "../../support/Ids.ts"

const of = { workspace_id: workspaceId("w1"), recording_id: recordingId("r1") }
const key = (byte: number) => new Uint8Array(32).fill(byte)

/** No two places of it are alike, and it is easily known again. */
const audioOf = (size: number) =>
  Buffer.from(Array.from({ length: size }, (_, index) => (index * 7 + (index >> 8)) & 255))

interface Place {
  readonly objects: Objects
  readonly read: (key: string) => Promise<Buffer | undefined>
  readonly write: (key: string, bytes: Buffer) => Promise<void>
}

const folder: Effect.Effect<Place, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "trunkline-recordings-"))),
    (path) => Effect.promise(() => rm(path, { recursive: true }))
  ),
  (path) => ({
    objects: fileObjects(path),
    read: async (name) => {
      const [workspace = "", file = ""] = name.split("/")
      const names = await readdir(join(path, workspace)).catch(() => [] as Array<string>)
      assert.deepStrictEqual(
        names.filter((other) => other.includes("partial")),
        []
      )
      return names.includes(file) ? await readFile(join(path, name)) : undefined
    },
    write: (name, bytes) => writeFile(join(path, name), bytes)
  })
)

const bucket: Effect.Effect<Place, never, Scope.Scope> = Effect.map(objectStore, ({ objects, url }) => ({
  objects: s3Objects(s3Place(`s3://key:secret@calls/audio?endpoint=${url}`)),
  read: (name) => Promise.resolve(objects.get(`/calls/audio/${name}`)),
  write: async (name, bytes) => void objects.set(`/calls/audio/${name}`, bytes)
}))

const using = <A, E>(
  objects: Objects,
  use: (store: RecordingStore["Service"]) => Effect.Effect<A, E>,
  ...masters: ReadonlyArray<number>
) =>
  Effect.flatMap(RecordingStore, use).pipe(
    Effect.provide(EncryptedStore(objects, makeAudioCipher([key(masters[0] ?? 1), ...masters.slice(1).map(key)])))
  )

const pieces = (audio: Buffer, size = 10_000): Stream.Stream<Uint8Array> =>
  Stream.fromIterable(
    Array.from({ length: Math.ceil(audio.length / size) }, (_, index) =>
      audio.subarray(index * size, (index + 1) * size)
    )
  )

const readOf = (store: RecordingStore["Service"], size: number, start = 0, end = size, whose = of) =>
  Effect.map(Effect.flatMap(store.read(whose, size, { start, end }), Stream.runCollect), (chunks) =>
    Buffer.concat(chunks)
  )

for (const [name, place] of [
  ["files", folder],
  ["an object store", bucket]
] as const) {
  describe(`recordings in ${name}`, () => {
    it.effect("are read as they were written, whole and in part, for any size", () =>
      Effect.gen(function* () {
        const { objects, read } = yield* place
        for (const size of [1, chunk_bytes - 1, chunk_bytes, chunk_bytes + 1, 3 * chunk_bytes + 77]) {
          const audio = audioOf(size)
          yield* using(objects, (store) =>
            Effect.gen(function* () {
              const { sha256 } = yield* store.save(of, size, pieces(audio))
              assert.strictEqual(sha256, createHash("sha256").update(audio).digest("hex"))
              assert.isTrue((yield* readOf(store, size)).equals(audio))
              for (const [start, end] of [
                [0, 1],
                [size - 1, size],
                [Math.floor(size / 3), Math.ceil(size / 2)],
                [chunk_bytes - 2, chunk_bytes + 2]
              ] as const) {
                if (start < end && end <= size)
                  assert.isTrue((yield* readOf(store, size, start, end)).equals(audio.subarray(start, end)))
              }
            })
          )
          assert.strictEqual((yield* Effect.promise(() => read("w1/r1")))!.length, sealedBytes(size))
        }
      })
    )

    it.effect("are stored encrypted and authenticated", () =>
      Effect.gen(function* () {
        const { objects, read, write } = yield* place
        const audio = audioOf(2 * chunk_bytes)
        yield* using(objects, (store) => store.save(of, audio.length, pieces(audio)))
        const stored = (yield* Effect.promise(() => read("w1/r1")))!
        assert.strictEqual(stored.indexOf(audio.subarray(500, 532)), -1)
        const spoiled = (change: (bytes: Buffer) => Buffer, masters: ReadonlyArray<number> = [1]) =>
          Effect.gen(function* () {
            yield* Effect.promise(() => write("w1/r1", change(Buffer.from(stored))))
            return yield* Effect.result(using(objects, (store) => readOf(store, audio.length), ...masters))
          })
        const swap = (bytes: Buffer) =>
          Buffer.concat([
            bytes.subarray(0, 24),
            bytes.subarray(24 + chunk_bytes + 16),
            bytes.subarray(24, 24 + chunk_bytes + 16)
          ])
        assert.isTrue(Result.isSuccess(yield* spoiled((bytes) => bytes)))
        for (const change of [
          (bytes: Buffer) => {
            bytes[100]! ^= 1
            return bytes
          },
          (bytes: Buffer) => {
            bytes[23]! ^= 1
            return bytes
          },
          (bytes: Buffer) => bytes.subarray(0, 24 + chunk_bytes + 16),
          (bytes: Buffer) => bytes.subarray(0, -1),
          swap
        ])
          assert.instanceOf(Result.getOrThrow(Result.flip(yield* spoiled(change))), StoreFailed)
        assert.isTrue(Result.isFailure(yield* spoiled((bytes) => bytes, [2])))
        assert.isTrue(Result.isSuccess(yield* spoiled((bytes) => bytes, [2, 1])))
        yield* Effect.promise(() => write("w1/r2", stored))
        assert.isTrue(
          Result.isFailure(
            yield* Effect.result(
              using(objects, (store) =>
                readOf(store, audio.length, 0, audio.length, { ...of, recording_id: recordingId("r2") })
              )
            )
          )
        )
      })
    )

    it.effect("exist whole or not at all", () =>
      Effect.gen(function* () {
        const { objects, read } = yield* place
        const audio = audioOf(3 * chunk_bytes)
        const save = (stream: Stream.Stream<Uint8Array, string>, size = audio.length) =>
          Effect.result(using(objects, (store) => store.save(of, size, stream)))
        assert.deepStrictEqual(
          yield* save(Stream.concat(pieces(audio.subarray(0, chunk_bytes)), Stream.fail("gone"))),
          Result.fail("gone")
        )
        assert.isTrue(Result.isFailure(yield* save(pieces(audio), audio.length + 1)))
        assert.isTrue(Result.isFailure(yield* save(pieces(audio), audio.length - 1)))
        assert.isUndefined(yield* Effect.promise(() => read("w1/r1")))
      })
    )

    it.effect("are erased, and erasing a missing one succeeds", () =>
      Effect.gen(function* () {
        const { objects, read } = yield* place
        yield* using(objects, (store) =>
          Effect.gen(function* () {
            yield* store.save(of, 5, pieces(audioOf(5)))
            yield* store.erase(of)
            yield* store.erase(of)
            assert.isTrue(Result.isFailure(yield* Effect.result(store.read(of, 5, { start: 0, end: 5 }))))
          })
        )
        assert.isUndefined(yield* Effect.promise(() => read("w1/r1")))
      })
    )
  })
}

describe("an object store", () => {
  it.effect("is read only for the bytes that the range needs", () =>
    Effect.gen(function* () {
      const store = yield* objectStore
      const objects = s3Objects(s3Place(`s3://key:secret@calls?endpoint=${store.url}`))
      const audio = audioOf(10 * chunk_bytes)
      yield* using(objects, (recordings) => recordings.save(of, audio.length, pieces(audio)))
      store.requests.length = 0
      yield* using(objects, (recordings) => readOf(recordings, audio.length, 5 * chunk_bytes + 1, 5 * chunk_bytes + 2))
      const from = 24 + 5 * (chunk_bytes + 16)
      assert.deepStrictEqual(store.requests, [
        "GET /calls/w1/r1 bytes=0-23",
        `GET /calls/w1/r1 bytes=${from}-${from + chunk_bytes + 15}`
      ])
    })
  )

  it.effect("that fails causes a temporary failure", () =>
    Effect.gen(function* () {
      const store = yield* objectStore
      store.broken = 503
      const objects = s3Objects(s3Place(`s3://key:secret@calls?endpoint=${store.url}`))
      const failures = yield* using(objects, (recordings) =>
        Effect.all([
          Effect.flip(recordings.save(of, 5, pieces(audioOf(5)))),
          Effect.flip(recordings.read(of, 5, { start: 0, end: 5 })),
          Effect.flip(recordings.erase(of))
        ])
      )
      for (const failure of failures) assert.instanceOf(failure, StoreFailed)
    })
  )
})
