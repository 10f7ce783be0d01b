// The store of recordings. It encrypts audio and writes it as objects to a folder or an object store.
import { createHash } from "node:crypto"
import { Effect, Layer, Stream } from "effect"
import { RecordingStore, StoreFailed } from "../../domain/ports/calls/RecordingStore.ts"
import { type AudioCipher, AudioDamaged, chunk_bytes, header_bytes, sealedBytes, sealedRange } from "./AudioCipher.ts"
import type { Objects } from "./Objects.ts"
import type { AudioOf } from "../../domain/recordings/RecordingId.ts"

const keyOf = ({ recording_id, workspace_id }: AudioOf): string => `${workspace_id}/${recording_id}`

/** Carries a failure of the source through a promise. */
class SourceFailed<E> {
  readonly error: E
  constructor(error: E) {
    this.error = error
  }
}

const hashed = async function* (pieces: AsyncIterable<Uint8Array>, hash: ReturnType<typeof createHash>) {
  for await (const piece of pieces) {
    hash.update(piece)
    yield piece
  }
}

const joined = async (pieces: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const all: Array<Uint8Array> = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

/** The bytes from `start` (inclusive) to `end` (exclusive) of the pieces. Throws AudioDamaged if there are fewer. */
const cut = async function* (pieces: AsyncIterable<Uint8Array>, start: number, end: number) {
  let at = 0
  for await (const piece of pieces) {
    const part = piece.subarray(Math.max(0, start - at), Math.max(0, end - at))
    at += piece.length
    if (part.length > 0) yield part
  }
  if (at < end) throw new AudioDamaged("The stored audio is shorter than expected.")
}

export const EncryptedStore = (objects: Objects, cipher: AudioCipher): Layer.Layer<RecordingStore> => {
  const save = <E>(of: AudioOf, size_bytes: number, audio: Stream.Stream<Uint8Array, E>) =>
    Effect.tryPromise({
      try: async () => {
        const hash = createHash("sha256")
        const source = Stream.toAsyncIterable(Stream.mapError(audio, (error) => new SourceFailed(error)))
        await objects.put(keyOf(of), sealedBytes(size_bytes), cipher.seal(of, size_bytes, hashed(source, hash)))
        return { sha256: hash.digest("hex") }
      },
      catch: (cause): StoreFailed | E =>
        cause instanceof SourceFailed ? (cause.error as E) : new StoreFailed({ cause })
    })

  /** Reads the header first, so that missing audio or an unknown key fails before the response starts. */
  const read = async (of: AudioOf, size_bytes: number, range: { readonly start: number; readonly end: number }) => {
    const key = keyOf(of)
    const audio = cipher.open(of, await joined(objects.get(key, 0, header_bytes)))
    const { end, first, start } = sealedRange(size_bytes, range)
    const before = first * chunk_bytes
    return () => cut(audio(first, objects.get(key, start, end)), range.start - before, range.end - before)
  }

  return Layer.succeed(RecordingStore)({
    save,
    read: (of, size_bytes, range) =>
      Effect.map(
        Effect.tryPromise({ try: () => read(of, size_bytes, range), catch: (cause) => new StoreFailed({ cause }) }),
        (audio) => Stream.suspend(() => Stream.fromAsyncIterable(audio(), (cause) => new StoreFailed({ cause })))
      ),
    erase: (of) =>
      Effect.tryPromise({ try: () => objects.remove(keyOf(of)), catch: (cause) => new StoreFailed({ cause }) })
  })
}
