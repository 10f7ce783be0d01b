/**
 * Audio at rest: AES-256-GCM (NIST SP 800-38D) over chunks of 64 KiB, so that any part of it can be read without the
 * rest. Each recording has a key of its own, made of the master key (HKDF, RFC 5869).
 *
 * An object is a header of 24 bytes ("TLR1", the master key's id, a random prefix of the nonces, the size of the audio)
 * and the chunks, each with its tag behind it. A chunk's nonce is the prefix and its number; what it belongs to (the
 * workspace, the recording, the whole header) is additional data: no chunk can be moved, left out or cut off unseen.
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
import type { AudioOf } from "../../domain/ports/RecordingStore.ts"

const algorithm = "aes-256-gcm"
const magic = Buffer.from("TLR1")
const prefix_bytes = 8
const tag_bytes = 16

export const header_bytes = 24
export const chunk_bytes = 64 * 1024
const sealed_chunk_bytes = chunk_bytes + tag_bytes

/** What an object of so much audio has. */
export const sealedBytes = (size_bytes: number): number =>
  header_bytes + size_bytes + tag_bytes * Math.ceil(size_bytes / chunk_bytes)

/** The part of an object that holds the bytes from `start` up to and without `end` of its audio. */
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

/** Pieces of whatever size as pieces of `size` bytes, the last of them shorter. */
async function* regrouped(pieces: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer> {
  let held: Array<Uint8Array> = []
  let length = 0
  for await (const piece of pieces) {
    held.push(piece)
    length += piece.length
    if (length < size) continue
    const all = Buffer.concat(held)
    let at = 0
    for (; at + size <= length; at += size) yield all.subarray(at, at + size)
    held = [all.subarray(at)]
    length -= at
  }
  if (length > 0) yield Buffer.concat(held)
}

export class AudioDamaged extends Error {}

export interface AudioCipher {
  /** The object of the audio. Fails where the audio has not the size that was given. */
  readonly seal: (of: AudioOf, size_bytes: number, audio: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>
  /** Of the object with this header: the audio of whole chunks, from chunk `first` on. Throws where it cannot be opened. */
  readonly open: (
    of: AudioOf,
    header: Uint8Array
  ) => (first: number, sealed: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>
}

/** The first of `masters` seals, all of them open. Each is of 32 bytes. */
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
      throw new AudioDamaged(`The audio has not the ${size_bytes} bytes that it should have.`)
  }

  const open = (of: AudioOf, header: Uint8Array) => {
    const bytes = Buffer.from(header)
    const master = byId.get(bytes.subarray(4, 8).toString("hex"))
    if (!bytes.subarray(0, 4).equals(magic) || master === undefined)
      throw new AudioDamaged("The audio is sealed with another MASTER_KEY.")
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
