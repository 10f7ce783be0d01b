// Compares a finished file with what the PBX reported about it.
import { Result, Schema } from "effect"
import type { Wav, WavFault } from "./Wav.ts"

/** What the PBX reports about a finished file. Null: it does not report that. */
export const FinishedAudio = Schema.Struct({
  object_key: Schema.String,
  size_bytes: Schema.NullOr(Schema.Int),
  duration_ms: Schema.NullOr(Schema.Int),
  sha256: Schema.NullOr(Schema.String)
})
export type FinishedAudio = typeof FinishedAudio.Type

/** The reported duration may differ by this much from that of the samples, or by one percent if that is more. */
const tolerance_ms = 1_000

export type AudioFault =
  | WavFault
  | "bad_key"
  | "missing"
  | "size_mismatch"
  | "channels_mismatch"
  | "duration_mismatch"
  | "sha256_mismatch"

/** A fault that shows before the audio is copied. */
export const audioFault = (
  reported: FinishedAudio,
  requested: { readonly channels: 1 | 2 },
  found: { readonly size_bytes: number; readonly wav: Result.Result<Wav, WavFault> }
): AudioFault | undefined => {
  if (reported.size_bytes !== null && reported.size_bytes !== found.size_bytes) return "size_mismatch"
  if (Result.isFailure(found.wav)) return found.wav.failure
  const { channels, duration_ms } = found.wav.success
  if (channels !== requested.channels) return "channels_mismatch"
  const allowed = Math.max(tolerance_ms, duration_ms / 100)
  if (reported.duration_ms !== null && Math.abs(reported.duration_ms - duration_ms) > allowed)
    return "duration_mismatch"
  return undefined
}

/** A fault that shows after the audio was copied. */
export const copyFault = (reported: FinishedAudio, copied: { readonly sha256: string }): AudioFault | undefined =>
  reported.sha256 !== null && reported.sha256.toLowerCase() !== copied.sha256 ? "sha256_mismatch" : undefined

const part = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/

/** The folders and the name of a file in the spool. Undefined for a key that could lead out of the spool. */
export const spoolPath = (object_key: string): ReadonlyArray<string> | undefined => {
  const parts = object_key.split("/")
  return object_key.length <= 256 && parts.length <= 8 && parts.every((name) => part.test(name)) ? parts : undefined
}
