/**
 * Encrypts stored audio with AES-256-GCM (NIST SP 800-38D) in chunks of 64 KiB, so that a part can be read without the
 * rest. The key of each recording is derived from the master key (HKDF, RFC 5869).
 *
 * An object is a header of 24 bytes ("TLR1", the id of the master key, a random nonce prefix, the size of the audio)
 * followed by the chunks, each with its tag at the end. The nonce of a chunk is the prefix and the chunk's number. The
 * workspace, the recording and the header are additional authenticated data. Chunks that are moved between objects or
 * positions are detected, and so is a missing or truncated chunk.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes
} from "node:crypto"
import type { AudioOf } from "../../domain/recordings/RecordingId.ts"

const algorithm = "aes-256-gcm"
const magic = Buffer.from("TLR1")
const prefix_bytes = 8
const tag_bytes = 16

export const header_bytes = 24
export const chunk_bytes = 64 * 1024
const sealed_chunk_bytes = chunk_bytes + tag_bytes

/** The size of the object that holds `size_bytes` of audio. */
export const sealedBytes = (size_bytes: number): number =>
  header_bytes + size_bytes + tag_bytes * Math.ceil(size_bytes / chunk_bytes)

/** The whole chunks of the object that contain the audio bytes from `start` (inclusive) to `end` (exclusive). */
export const sealedRange = (size_bytes: number, { end, start }: { readonly start: number; readonly end: number }) => {
  const first = Math.floor(start / chunk_bytes)
  const last = Math.ceil(end / chunk_bytes)
  return {
    first,
    start: header_bytes + first * sealed_chunk_bytes,
    end: Math.min(header_bytes + last * sealed_chunk_bytes, sealedBytes(size_bytes))
  }
}

const idOf = (master: Uint8Array): Buffer =>
  createHash("sha256").update("recordings:").update(master).digest().subarray(0, 4)

const numberOf = (index: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(index)
  return bytes
}

/** Regroups pieces of any size into pieces of `size` bytes. The last may be shorter. */
async function* regrouped(pieces: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer> {
  let pending: Array<Uint8Array> = []
  let length = 0
  for await (const piece of pieces) {
    pending.push(piece)
    length += piece.length
    if (length < size) continue
    const all = Buffer.concat(pending)
    let at = 0
    for (; at + size <= length; at += size) yield all.subarray(at, at + size)
    pending = [all.subarray(at)]
    length -= at
  }
  if (length > 0) yield Buffer.concat(pending)
}

export class AudioDamaged extends Error {}

export interface AudioCipher {
  /** Encrypts audio. Throws AudioDamaged if its size is not `size_bytes`. */
  readonly seal: (of: AudioOf, size_bytes: number, audio: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>
  /**
   * Reads the header of an object. Returns a function that decrypts whole chunks, the first of them number `first`.
   * Throws AudioDamaged if the header is invalid or of an unknown master key, and an error if a chunk is not authentic.
   */
  readonly open: (
    of: AudioOf,
    header: Uint8Array
  ) => (first: number, sealed: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>
}

/** Encrypts with the first of `masters` and decrypts with any of them. Each has 32 bytes. */
export const makeAudioCipher = (masters: readonly [Uint8Array, ...ReadonlyArray<Uint8Array>]): AudioCipher => {
  const byId = new Map(masters.map((master) => [idOf(master).toString("hex"), master]))

  const keyOf = (master: Uint8Array, { recording_id, workspace_id }: AudioOf): KeyObject =>
    createSecretKey(new Uint8Array(hkdfSync("sha256", master, workspace_id, `trunkline:recording:${recording_id}`, 32)))

  const boundOf = ({ recording_id, workspace_id }: AudioOf, header: Uint8Array): Buffer =>
    Buffer.concat([Buffer.from(`recording:${workspace_id}:${recording_id}:`), header])

  async function* seal(of: AudioOf, size_bytes: number, audio: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const size = Buffer.alloc(8)
    size.writeBigUInt64BE(BigInt(size_bytes))
    const prefix = randomBytes(prefix_bytes)
    const header = Buffer.concat([magic, idOf(masters[0]), prefix, size])
    const key = keyOf(masters[0], of)
    const bound = boundOf(of, header)
    yield header
    let index = 0
    let sealed_bytes = 0
    for await (const chunk of regrouped(audio, chunk_bytes)) {
      sealed_bytes += chunk.length
      if (sealed_bytes > size_bytes) break
      const cipher = createCipheriv(algorithm, key, Buffer.concat([prefix, numberOf(index++)])).setAAD(bound)
      yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
    }
    if (sealed_bytes !== size_bytes)
      throw new AudioDamaged(`The size of the audio is not the expected ${size_bytes} bytes.`)
  }

  const open = (of: AudioOf, header: Uint8Array) => {
    const bytes = Buffer.from(header)
    const master = byId.get(bytes.subarray(4, 8).toString("hex"))
    if (!bytes.subarray(0, 4).equals(magic) || master === undefined)
      throw new AudioDamaged("The audio is damaged or was encrypted with another MASTER_KEY.")
    const key = keyOf(master, of)
    const bound = boundOf(of, bytes)
    return async function* (first: number, sealed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      let index = first
      for await (const chunk of regrouped(sealed, sealed_chunk_bytes)) {
        const nonce = Buffer.concat([bytes.subarray(8, 8 + prefix_bytes), numberOf(index++)])
        const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tag_bytes })
        decipher.setAAD(bound).setAuthTag(chunk.subarray(-tag_bytes))
        yield Buffer.concat([decipher.update(chunk.subarray(0, -tag_bytes)), decipher.final()])
      }
    }
  }

  return { seal, open }
}
