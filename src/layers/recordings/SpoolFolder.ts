// The spool: a folder that the PBX can write to.
import { Effect, Layer, Stream } from "effect"
import { constants } from "node:fs"
import { type FileHandle, mkdir, open, realpath, rename, rm } from "node:fs/promises"
import { dirname, join, sep } from "node:path"
import { RecordingSpool, SpoolFailed } from "../../domain/ports/calls/RecordingSpool.ts"
import { spoolPath } from "../../domain/recordings/FinishedAudio.ts"
import { wav_head_bytes } from "../../domain/recordings/Wav.ts"
import { errorCode } from "../node/ErrorCode.ts"

const chunk_bytes = 256 * 1024

const failed = (cause: unknown): SpoolFailed => {
  if (cause instanceof SpoolFailed) return cause
  const code = errorCode(cause)
  if (code === "ENOENT" || code === "ENOTDIR") return new SpoolFailed({ reason: "missing", cause })
  return new SpoolFailed({ reason: code === "ELOOP" ? "refused" : "unavailable", cause })
}

const attempt = <A>(run: () => Promise<A>): Effect.Effect<A, SpoolFailed> =>
  Effect.tryPromise({ try: run, catch: failed })

const pathIn = (folder: string, object_key: string): string => {
  const parts = spoolPath(object_key)
  if (parts === undefined) throw new SpoolFailed({ reason: "refused" })
  return join(folder, ...parts)
}

/** The path of an object. Fails with `refused` if a symbolic link in it leads out of the spool. */
const inside = async (folder: string, object_key: string): Promise<string> => {
  const path = pathIn(folder, object_key)
  const real = await realpath(dirname(path))
  const root = await realpath(folder)
  if (real !== root && !real.startsWith(root + sep)) throw new SpoolFailed({ reason: "refused" })
  return path
}

const openInside = async (folder: string, object_key: string): Promise<FileHandle> => {
  const file = await open(
    await inside(folder, object_key),
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  )
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new SpoolFailed({ reason: "refused" })
}

async function* read(folder: string, object_key: string): AsyncGenerator<Uint8Array> {
  const file = await openInside(folder, object_key)
  try {
    for (;;) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(chunk_bytes), 0, chunk_bytes, null)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

/** Writes under a temporary name and renames, so that nobody reads a partial file. */
const write = async (path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> => {
  await mkdir(dirname(path), { recursive: true })
  const partial = `${path}.partial`
  try {
    const file = await open(partial, "w", 0o640)
    try {
      for await (const chunk of bytes) await file.writeFile(chunk)
    } finally {
      await file.close()
    }
    await rename(partial, path)
  } finally {
    await rm(partial, { force: true })
  }
}

export const SpoolFolder = (folder: string): Layer.Layer<RecordingSpool> =>
  Layer.succeed(RecordingSpool)({
    open: (object_key) =>
      attempt(async () => {
        const file = await openInside(folder, object_key)
        try {
          const { size } = await file.stat()
          const { buffer, bytesRead } = await file.read(Buffer.alloc(wav_head_bytes), 0, wav_head_bytes, 0)
          return {
            size_bytes: size,
            head: buffer.subarray(0, bytesRead),
            bytes: Stream.suspend(() => Stream.fromAsyncIterable(read(folder, object_key), failed))
          }
        } finally {
          await file.close()
        }
      }),
    remove: (object_key) =>
      attempt(async () => rm(await inside(folder, object_key), { force: true })).pipe(
        Effect.catchIf(
          ({ reason }) => reason === "missing",
          () => Effect.void
        )
      ),
    leave: (object_key, bytes) => attempt(() => write(pathIn(folder, object_key), Stream.toAsyncIterable(bytes)))
  })
