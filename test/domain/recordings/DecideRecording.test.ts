import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { presentOf } from "../../../src/domain/Presence.ts"
import { decideRecording, storeTimeout_ms } from "../../../src/domain/recordings/DecideRecording.ts"
import { planRecording } from "../../../src/domain/recordings/PlanRecording.ts"
import {
  absentRecording,
  evolveRecording,
  type PresentRecording,
  type Recording,
  recordingRecord
} from "../../../src/domain/recordings/Recording.ts"
import { RecordingCommands, type RecordingMessage } from "../../../src/domain/recordings/RecordingCommand.ts"
import { callId, recordingId, workspaceId } from "../../support/Ids.ts"

const id = recordingId("01890a5d-ac96-874b-bcce-b302099a8057")
const began_at = Date.UTC(2026, 10, 20)
const now = began_at + 60_000
const day = 86_400_000
const facts = {
  workspace_id: workspaceId("w1"),
  call_id: callId("c1"),
  source: "originate",
  channels: 1,
  started_at: began_at
} as const
const audio = { object_key: "a.wav", size_bytes: 100, duration_ms: 1_500, sha256: "ab" }
const stored: RecordingMessage = { _tag: "Store", size_bytes: 100, duration_ms: 1_500, sha256: "ab", retention_days: 2 }

const after = (recording: Recording, ...commands: ReadonlyArray<RecordingMessage>): PresentRecording =>
  presentOf(
    commands.reduce<Recording>(
      (state, command) =>
        Result.getOrThrow(decideRecording(state, command, now)).events.reduce<Recording>(evolveRecording, state),
      recording
    )
  )

const absent = absentRecording(id)
const in_progress = after(absent, { _tag: "Start", facts })
const processing = after(in_progress, { _tag: "Finish", audio })
const available = after(processing, stored)
const failed = after(processing, { _tag: "Fail", error: "empty" })
const expired = after(available, { _tag: "Evict" })
const deleted = after(available, { _tag: "Delete", origin: systemOrigin })
const conditions: Readonly<Record<string, Recording>> = {
  absent,
  in_progress,
  processing,
  available,
  failed,
  expired,
  deleted
}

/** One command of each kind, and when it is told where that is not at once. */
const commands: {
  readonly [Tag in RecordingMessage["_tag"]]: readonly [
    Omit<Extract<RecordingMessage, { _tag: Tag }>, "_tag">,
    at?: number
  ]
} = {
  Start: [{ facts }],
  Finish: [{ audio }],
  Fail: [{ error: "pbx_error" }],
  Store: [{ size_bytes: 100, duration_ms: 1_500, sha256: "ab", retention_days: 2 }],
  GiveUp: [{}, now + storeTimeout_ms],
  SpoolCleared: [{}],
  Expire: [{}, now + 2 * day],
  Evict: [{}],
  Delete: [{ origin: systemOrigin }],
  HandOut: [{ origin: systemOrigin }],
  Erased: [{}],
  CallTold: [{ status: "available" }],
  StorageTold: [{ counted: true }]
}

/** What each command makes happen in each condition. `-` is nothing, a number the status of a refusal. */
const table = `
             | absent  | in_progress | processing   | available    | failed       | expired      | deleted
Start        | Started | -           | -            | -            | -            | -            | -
Finish       | 404     | Finished    | -            | -            | -            | -            | -
Fail         | 404     | Failed      | Failed       | -            | -            | -            | -
Store        | 404     | -           | Stored       | -            | -            | -            | -
GiveUp       | 404     | -           | Failed       | -            | -            | -            | -
SpoolCleared | 404     | -           | SpoolCleared | SpoolCleared | SpoolCleared | SpoolCleared | SpoolCleared
Expire       | 404     | -           | -            | Went         | -            | -            | -
Evict        | 404     | -           | -            | Went         | -            | -            | -
Delete       | 404     | 409         | 409          | Went         | 404          | 410          | 410
HandOut      | 404     | 409         | 409          | HandedOut    | 404          | 410          | 410
Erased       | 404     | -           | -            | -            | -            | Erased       | Erased
CallTold     | 404     | CallTold    | CallTold     | CallTold     | CallTold     | CallTold     | CallTold
StorageTold  | 404     | StorageTold | StorageTold  | StorageTold  | StorageTold  | StorageTold  | StorageTold
`

const statuses: Readonly<Record<string, string>> = {
  "calls.recording_not_found": "404",
  "calls.recording_processing": "409",
  "calls.recording_expired": "410"
}

const outcome = (recording: Recording, command: RecordingMessage, at: number): string => {
  const decided = decideRecording(recording, command, at)
  if (Result.isFailure(decided)) return statuses[decided.failure._tag] ?? decided.failure._tag
  return decided.success.events.map(({ _tag }) => _tag).join(" ") || "-"
}

const [head, ...lines] = table
  .trim()
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()))
const columns = head!.slice(1)

describe("The table of a recording", () => {
  it("has a row for every command, and a column for every condition", () => {
    expect(lines.map(([tag]) => tag)).toEqual(Object.keys(RecordingCommands))
    expect(columns).toEqual(Object.keys(conditions))
  })

  for (const [tag, ...cells] of lines) {
    const [fields, at = now] = commands[tag as RecordingMessage["_tag"]]
    it(`${tag}`, () => {
      const is = columns.map((column) => [
        column,
        outcome(conditions[column]!, { _tag: tag, ...fields } as RecordingMessage, at)
      ])
      expect(Object.fromEntries(is)).toEqual(Object.fromEntries(columns.map((column, index) => [column, cells[index]])))
    })
  }
})

describe("A recording", () => {
  it("is kept for its workspace's retention days, to the millisecond", () => {
    expect(available.audio).toMatchObject({ available_at: now, expires_at: now + 2 * day })
    expect(outcome(available, { _tag: "Expire" }, now + 2 * day - 1)).toBe("-")
    expect(after(absent, { _tag: "Start", facts }).audio).toBeNull()
  })

  it("is given up after an hour, and not before", () => {
    expect(outcome(processing, { _tag: "GiveUp" }, now + storeTimeout_ms - 1)).toBe("-")
  })

  it.each([
    ["expired", "retention", Result.getOrThrow(decideRecording(available, { _tag: "Expire" }, now + 2 * day)).events],
    ["expired", "storage_full", Result.getOrThrow(decideRecording(available, { _tag: "Evict" }, now)).events],
    [
      "deleted",
      "deleted",
      Result.getOrThrow(decideRecording(available, { _tag: "Delete", origin: systemOrigin }, now)).events
    ]
  ])("that is %s says why: %s", (status, reason, events) => {
    const gone = events.reduce<PresentRecording>(evolveRecording, available)
    expect(gone).toMatchObject({ status, reason, erasing: true })
    const refusal = decideRecording(gone, { _tag: "HandOut", origin: systemOrigin }, now)
    expect(Result.isFailure(refusal) && refusal.failure.reason).toBe(reason)
  })

  it("has a public record", () => {
    expect(recordingRecord(available)).toEqual({
      id,
      call_id: "c1",
      status: "available",
      source: "originate",
      channels: 1,
      format: "wav",
      duration_seconds: 2,
      size_bytes: 100,
      sha256: "ab",
      error: null,
      reason: null,
      created_at: "2026-11-20T00:00:00.000Z",
      expires_at: "2026-11-22T00:01:00.000Z"
    })
    expect(recordingRecord(failed)).toMatchObject({
      status: "failed",
      error: "empty",
      duration_seconds: null,
      expires_at: null
    })
  })

  const planned = (recording: Recording) =>
    planRecording(recording).map(({ at, key }) => (at === undefined ? key : `${key} @ ${at - now}`))

  it.each([
    ["absent", absent, []],
    ["in progress", in_progress, []],
    ["processing", processing, ["store", `give-up @ ${storeTimeout_ms}`]],
    ["available", available, ["clear-spool", `expire @ ${2 * day}`, "tell:available", "count:true"]],
    [
      "available, and all is told",
      after(
        available,
        { _tag: "SpoolCleared" },
        { _tag: "CallTold", status: "available" },
        { _tag: "StorageTold", counted: true }
      ),
      [`expire @ ${2 * day}`]
    ],
    ["failed", failed, ["clear-spool", "tell:failed"]],
    ["failed at the PBX", after(in_progress, { _tag: "Fail", error: "x" }), ["tell:failed"]],
    ["deleted", after(deleted, { _tag: "SpoolCleared" }), ["erase", "tell:deleted"]],
    [
      "deleted, and was counted",
      after(
        available,
        { _tag: "SpoolCleared" },
        { _tag: "StorageTold", counted: true },
        { _tag: "Evict" },
        { _tag: "Erased" },
        { _tag: "CallTold", status: "expired" }
      ),
      ["count:false"]
    ],
    [
      "erased",
      after(deleted, { _tag: "SpoolCleared" }, { _tag: "Erased" }, { _tag: "CallTold", status: "deleted" }),
      []
    ]
  ] as ReadonlyArray<[string, Recording, ReadonlyArray<string>]>)(
    "that is %s has under way what it needs",
    (_name, recording, plan) => {
      expect(planned(recording)).toEqual(plan)
    }
  )
})
