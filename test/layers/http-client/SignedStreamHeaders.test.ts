import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { StreamHeaders } from "../../../src/domain/ports/calls/StreamHeaders.ts"
import { SignedStreamHeaders } from "../../../src/layers/http-client/SignedStreamHeaders.ts"
import { verifySignature } from "../../../src/layers/http-client/VerifySignature.ts"
import { gatewayId, workspaceId } from "../../support/Ids.ts"
import { directory, workspace } from "../../support/PbxWorld.ts"

const stream = { workspace_id: workspaceId("w1"), call_id: "call", stream_id: "ST_1", url: "wss://example.com/a" }
const { voice_secret: secret } = workspace(workspaceId("w1"), "t1", gatewayId("g1"))

const isValid = (headers: Readonly<Record<string, string>>, body: string, now_seconds: number): boolean =>
  verifySignature({
    body: Buffer.from(body),
    format: "timestamped",
    now_seconds,
    secret,
    signature: headers["x-service-stream-signature"]!
  }).ok

describe("the headers of a media stream", () => {
  it.effect("have a signature over the URL, the call, the stream and the present time", () =>
    Effect.gen(function* () {
      const { of } = yield* StreamHeaders
      yield* TestClock.setTime(1_000_000)
      const headers = yield* of(stream)
      assert.isTrue(isValid(headers, "wss://example.com/a\ncall\nST_1", 1_000))
      assert.isFalse(isValid(headers, "wss://example.com/a\ncall\nST_2", 1_000))
      assert.isFalse(isValid(headers, "wss://example.com/a\ncall-2\nST_1", 1_000))
      assert.isFalse(isValid(headers, "wss://example.com/a\ncall\nST_1", 1_400))
      yield* TestClock.setTime(1_400_000)
      assert.isTrue(isValid(yield* of(stream), "wss://example.com/a\ncall\nST_1", 1_400))
    }).pipe(Effect.provide(SignedStreamHeaders.pipe(Layer.provide(directory))))
  )
})
