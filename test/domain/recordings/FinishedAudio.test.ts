import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import { audioFault, copyFault, spoolPath } from "../../../src/domain/recordings/FinishedAudio.ts"
import { isRecordingOf, recordingIdOf } from "../../../src/domain/recordings/RecordingId.ts"
import { wavHeader, wavOf } from "../../../src/domain/recordings/Wav.ts"
import { callId } from "../../support/Ids.ts"

const said = { object_key: "a.wav", size_bytes: 16_044, duration_ms: 1_000, sha256: "ab" }
const wav = (channels: number, duration_ms: number) => Result.succeed({ channels, duration_ms })

describe("A file of the PBX", () => {
  it.each([
    ["as it was said", said, { size_bytes: 16_044, wav: wav(1, 1_000) }, undefined],
    ["of a size that was not said", said, { size_bytes: 16_000, wav: wav(1, 1_000) }, "size_mismatch"],
    ["that is no WAV", said, { size_bytes: 16_044, wav: Result.fail("not_wav" as const) }, "not_wav"],
    ["with both sides in one channel", said, { size_bytes: 16_044, wav: wav(2, 1_000) }, "channels_mismatch"],
    ["a second too long", said, { size_bytes: 16_044, wav: wav(1, 2_000) }, undefined],
    ["half of which is missing", said, { size_bytes: 16_044, wav: wav(1, 2_001) }, "duration_mismatch"],
    [
      "of hours, a minute too short",
      { ...said, duration_ms: 7_200_000 },
      { size_bytes: 16_044, wav: wav(1, 7_140_000) },
      undefined
    ],
    [
      "of which nothing was said",
      { ...said, size_bytes: null, duration_ms: null },
      { size_bytes: 1, wav: wav(1, 9) },
      undefined
    ]
  ])("%s", (_name, of, found, fault) => expect(audioFault(of, { channels: 1 }, found)).toBe(fault))

  it("is identified by its hash", () => {
    expect(copyFault({ ...said, sha256: "AB" }, { sha256: "ab" })).toBeUndefined()
    expect(copyFault({ ...said, sha256: null }, { sha256: "ab" })).toBeUndefined()
    expect(copyFault(said, { sha256: "cd" })).toBe("sha256_mismatch")
  })

  it.each(["a.wav", "HD_1/b-c.wav", "a/b/c/d.wav"])("may be %s", (key) =>
    expect(spoolPath(key)).toEqual(key.split("/"))
  )
  it.each([
    "",
    "/etc/passwd",
    "../a.wav",
    "a/../../b.wav",
    "a//b.wav",
    "a/./b.wav",
    ".hidden",
    "a\\b.wav",
    "a b.wav",
    "a\0.wav",
    "é.wav",
    "a/",
    "x".repeat(257),
    "a/b/c/d/e/f/g/h/i.wav"
  ])("may not be %s", (key) => expect(spoolPath(key)).toBeUndefined())
})

describe("The header of a WAV file", () => {
  const header = (data_bytes: number, channels: 1 | 2 = 1) => wavHeader({ channels, rate: 8_000, data_bytes })

  it("has channels and duration", () => {
    expect(wavOf(header(16_000), 16_044)).toEqual(wav(1, 1_000))
    expect(wavOf(header(16_000, 2), 16_044)).toEqual(wav(2, 500))
  })

  it("may follow other chunks at even offsets", () => {
    const [riff, fmt, data] = [header(8).subarray(0, 12), header(8).subarray(12, 36), header(8).subarray(36)]
    const list = new Uint8Array([..."LIST"].map((letter) => letter.charCodeAt(0)).concat([3, 0, 0, 0, 1, 2, 3, 0]))
    const bytes = new Uint8Array([...riff, ...list, ...fmt, ...list, ...data])
    expect(wavOf(bytes, bytes.length + 8)).toEqual(wav(1, 1))
  })

  it.each([
    ["nothing", new Uint8Array(0), 0, "not_wav"],
    ["text", new TextEncoder().encode("ID3 is not RIFF".repeat(9)), 135, "not_wav"],
    ["a header that breaks off", header(8).subarray(0, 30), 30, "not_wav"],
    ["no sound", header(0), 44, "empty"],
    ["less than it promises", header(16_000), 9_000, "header_mismatch"],
    ["more than it promises", header(16_000), 17_000, "header_mismatch"]
  ] as const)("of %s", (_name, head, size, fault) => expect(wavOf(head, size)).toEqual(Result.fail(fault)))
})

describe("The id of a recording", () => {
  const call_id = callId("01890a5d-ac96-774b-bcce-b302099a8057")

  it("is a different UUID for each", () => {
    const ids = Array.from({ length: 1_000 }, (_, number) => recordingIdOf(call_id, number))
    expect(new Set([call_id, ...ids]).size).toBe(1_001)
    for (const id of ids) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(isRecordingOf(call_id, id)).toBe(true)
    }
  })

  it.each([
    call_id,
    recordingIdOf(callId("01890a5d-ac96-774b-bcce-b302099a8058"), 0),
    recordingIdOf(callId("01890a5d-ac97-774b-bcce-b302099a8057"), 0),
    ""
  ])("of %s does not belong to the call", (id) => expect(isRecordingOf(call_id, id)).toBe(false))
})
