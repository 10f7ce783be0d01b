// Stores objects as files in a folder.
import { randomBytes } from "node:crypto"
import { mkdir, open, rename, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Objects } from "./Objects.ts"

const chunk_bytes = 256 * 1024

const flushFolder = async (path: string): Promise<void> => {
  const folder = await open(path, "r")
  await folder.sync().finally(() => folder.close())
}

/** Flushes the file and its directory entry to disk before it returns. */
const write = async (path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const partial = `${path}.${randomBytes(4).toString("hex")}.partial`
  try {
    const file = await open(partial, "wx", 0o600)
    try {
      for await (const chunk of bytes) await file.writeFile(chunk)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(partial, path)
    await flushFolder(dirname(path))
  } finally {
    await rm(partial, { force: true })
  }
}

async function* read(path: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  const file = await open(path, "r")
  try {
    for (let at = start; at < end;) {
      const { buffer, bytesRead } = await file.read(
        Buffer.allocUnsafe(chunk_bytes),
        0,
        Math.min(chunk_bytes, end - at),
        at
      )
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
      at += bytesRead
    }
  } finally {
    await file.close()
  }
}

export const fileObjects = (folder: string): Objects => ({
  put: (key, _size_bytes, bytes) => write(join(folder, key), bytes),
  get: (key, start, end) => read(join(folder, key), start, end),
  remove: (key) => rm(join(folder, key), { force: true })
})
