import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import type { CursorSigner } from "../../../src/domain/paging/CursorSigner.ts"
import { audioPath, linkLifetime_ms, workspaceOfLink } from "../../../src/domain/recordings/AudioLink.ts"
import { byteRange } from "../../../src/domain/recordings/ByteRange.ts"
import { recordingId, workspaceId } from "../../support/Ids.ts"
import type { RecordingId } from "../../../src/domain/BrandedIds.ts"

describe("A range of bytes", () => {
  it.each([
    [undefined, "whole"],
    ["bytes=0-99", { start: 0, end: 100 }],
    ["bytes=0-", { start: 0, end: 100 }],
    ["bytes=10-19", { start: 10, end: 20 }],
    ["bytes=99-", { start: 99, end: 100 }],
    ["bytes=50-5000", { start: 50, end: 100 }],
    ["bytes= 10 - 19", { start: 10, end: 20 }],
    ["bytes=-1", { start: 99, end: 100 }],
    ["bytes=-5000", { start: 0, end: 100 }],
    ["bytes=100-", "unsatisfiable"],
    ["bytes=-0", "unsatisfiable"],
    ["bytes=20-10", "whole"],
    ["bytes=0-1,5-6", "whole"],
    ["bytes=-", "whole"],
    ["bytes=a-b", "whole"],
    ["lines=0-1", "whole"],
    ["bytes=99999999999999999999-", "whole"]
  ])("%s of a hundred is %j", (header, range) => expect(byteRange(header, 100)).toEqual(range))
})

describe("A link to audio", () => {
  /** Seals nothing, but keeps what it is bound to. */
  const signer: CursorSigner["Service"] = {
    seal: (payload, query) => Buffer.from(JSON.stringify([payload, query])).toString("base64url"),
    open: (sealed, query) => {
      const [payload, bound] = JSON.parse(Buffer.from(sealed, "base64url").toString()) as [string, string]
      return bound === query ? payload : undefined
    }
  }
  const now = Date.UTC(2026, 10, 20)
  const path = audioPath(
    signer,
    { workspace_id: workspaceId("w1"), recording_id: recordingId("r1") },
    now + linkLifetime_ms
  )
  const token = new URL(path, "http://x").searchParams.get("token")!
  const opened = (recording_id: RecordingId, at: number) => {
    const result = workspaceOfLink(signer, recording_id, token, at)
    return Result.isSuccess(result) ? result.success : [result.failure._tag, result.failure.reason]
  }

  it("is of one recording, for a quarter of an hour", () => {
    expect(path).toMatch(/^\/v1\/recordings\/r1\/audio\?token=/)
    expect(opened(recordingId("r1"), now + 899_999)).toBe("w1")
    expect(opened(recordingId("r1"), now + 900_000)).toEqual(["calls.recording_expired", "link_expired"])
    expect(opened(recordingId("r2"), now)).toEqual(["calls.recording_not_found", undefined])
  })
})
