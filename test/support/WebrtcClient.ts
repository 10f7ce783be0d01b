// A client of the WebRTC endpoints: makes credentials and tokens, and opens SIP WebSockets.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { CredentialRecord } from "../../src/domain/credentials/CredentialRecord.ts"
import { DemoFile } from "./Engine.ts"
import { ask, origin } from "./HttpTester.ts"
import { DigestSecrets } from "./WebrtcEngine.ts"
import { untilHolds } from "./Until.ts"

export interface Session {
  readonly token: string
  readonly endpoint: string
  readonly protocol: string
  readonly clientName: string
  readonly turnServer: ReadonlyArray<{
    readonly urls: ReadonlyArray<string>
    readonly username: string
    readonly credential: string
  }>
  readonly sipProfile: {
    readonly uri: string
    readonly extension: string
    readonly display_name: string | null
    readonly number: string
  }
  readonly expiresIn: number
}

export const eventually = (what: string, holds: () => boolean) => untilHolds(what, holds, { every_ms: 10 })

export const credential = (extension: string) =>
  Effect.gen(function* () {
    const { api_key: key, number } = yield* DemoFile
    const made = yield* ask({ path: `/v1/numbers/${number.id}/sip-credentials`, key, body: { extension } })
    const { password, ...record } = made.body as CredentialRecord & { password: string }
    ;(yield* DigestSecrets).set(record.username, password)
    return record
  })

export const tokenFor = (extension: string, more: object = {}) =>
  Effect.gen(function* () {
    const { api_key: key } = yield* DemoFile
    const answer = yield* ask({ path: "/v1/webrtc/token", key, body: { extension, ...more } })
    assert.strictEqual(answer.status, 200)
    return answer.body as Session
  })

export const gateUrl = (token: string) =>
  Effect.map(origin, (base) => `${base.replace("http", "ws")}/v1/webrtc/sip?token=${token}`)

export const request = (method: string, from: string, to = from, more: ReadonlyArray<string> = []) =>
  [
    `${method} sip:${method === "REGISTER" ? "pbx" : `${to}@pbx`} SIP/2.0`,
    "Via: SIP/2.0/WS x.invalid;branch=z9hG4bK1",
    `From: <sip:${from}@pbx>;tag=a`,
    `To: <sip:${to}@pbx>`,
    "Call-ID: c1",
    `CSeq: 1 ${method}`,
    "Contact: <sip:x@x.invalid>",
    ...more,
    "Content-Length: 0",
    "",
    ""
  ].join("\r\n")
