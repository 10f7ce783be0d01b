// What a browser's token costs in a workspace with 1,000 extensions: counted in reads and writes, not in time.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { Webrtc, WebrtcSettings } from "../../../src/actors/webrtc/Webrtc.ts"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import { newCredential } from "../../../src/domain/credentials/Credentials.ts"
import { extensionsWith } from "../../../src/domain/credentials/Extension.ts"
import { routingOf } from "../../../src/domain/numbers/Routing.ts"
import { Directory } from "../../../src/domain/ports/access/Directory.ts"
import { Idempotency } from "../../../src/domain/ports/access/Idempotency.ts"
import { Ids } from "../../../src/domain/ports/engine/Ids.ts"
import { Vault } from "../../../src/domain/ports/engine/Vault.ts"
import { CredentialReads } from "../../../src/domain/ports/pbx/CredentialReads.ts"
import { SipUpstream } from "../../../src/domain/ports/pbx/SipUpstream.ts"
import { WebrtcKeys } from "../../../src/domain/ports/pbx/WebrtcKeys.ts"
import type { WebrtcClaims } from "../../../src/domain/webrtc/WebrtcSession.ts"
import { credentialId, numberId, workspaceId } from "../../support/Ids.ts"

const workspace_id = workspaceId("00000000-0000-8000-8000-000000000001")
const numberOf = (n: number) => `+2547000${10_000 + Math.floor(n / 10)}`
const number_id = (n: number) => numberId(`n${Math.floor(n / 10)}`)

const credentials = Array.from({ length: 1_000 }, (_, n) => ({
  ...newCredential(
    {
      id: credentialId(`c${n}`),
      number_id: number_id(n),
      number: numberOf(n),
      extension: String(1_000 + n),
      username: `user-${n}`,
      label: null,
      display_name: null,
      max_contacts: 3,
      password: `sealed-${n}`
    },
    0
  ),
  status: "active" as const
}))
const extensions = extensionsWith(credentials, new Set(credentials.map((each) => each.number_id)))

/** No actor is asked, and the credentials are not read: both would die. */
const engine = () => {
  const counted = { numbers: 0, answers: 0 }
  const layer = Webrtc.layer.pipe(
    Layer.provide([
      Layer.succeed(WebrtcSettings)({
        endpoint: "wss://sip.example",
        domain: "sip.example",
        simulated: true,
        token_max_seconds: 900
      }),
      Layer.mock(Directory)({
        extensions: () => Effect.succeed(extensions),
        number: (_, number) =>
          Effect.sync(() => {
            counted.numbers++
            return {
              id: numberId("n"),
              number,
              status: "active" as const,
              source: "platform" as const,
              country: "KE",
              outbound_per_min_minor: null,
              inbound_per_min_minor: null,
              routing: routingOf({})
            }
          })
      }),
      Layer.mock(CredentialReads)({}),
      Layer.mock(ActorSystem)({}),
      Layer.mock(Ids)({ uuid: () => "id", named: (name) => name }),
      Layer.mock(Vault)({ seal: (text) => text, open: (sealed) => sealed, newSecret: () => "", newPassword: () => "" }),
      Layer.mock(WebrtcKeys)({ mint: () => Effect.succeed(Redacted.make("token")), turn: () => [] }),
      Layer.mock(SipUpstream)({ exists: true, browsersOf: (username) => username, hash: () => "" }),
      Layer.mock(Idempotency)({ fingerprint: () => "", keep: () => Effect.sync(() => void counted.answers++) })
    ])
  )
  return { counted, layer }
}

const idempotency = { workspace_id, method: "POST", route: "/v1/webrtc/token", key: "k", fingerprint: "f" }

describe("A token among 1,000 extensions", () => {
  it.each([
    ["the oldest", {}, 0],
    ["one by its digits", { extension: "1999" }, 999],
    ["the oldest of a number", { number_id: number_id(990) }, 990]
  ])("reads one number and writes one answer, for %s", (_, request, expected) => {
    const { counted, layer } = engine()
    return Effect.gen(function* () {
      const { session } = yield* (yield* Webrtc).token(workspace_id, request, idempotency)
      assert.strictEqual(session.sipProfile.extension, String(1_000 + expected))
      assert.deepStrictEqual(counted, { numbers: 1, answers: 1 })
    }).pipe(Effect.provide(layer), Effect.runPromise)
  })

  it("is admitted, and its password found, without a read", () => {
    const { layer } = engine()
    const claims: WebrtcClaims = {
      sub: "user-999",
      jti: "id",
      workspace_id,
      credential_id: credentialId("c999"),
      ext: "1999",
      client_name: "1999",
      endpoint: "wss://sip.example",
      allow: { incoming: true, outgoing: true },
      exp: 0
    }
    return Effect.gen(function* () {
      const { isActive, secret } = yield* Webrtc
      assert.isTrue(yield* isActive(claims))
      assert.deepStrictEqual(yield* secret(claims), { username: "user-999", password: "sealed-999" })
    }).pipe(Effect.provide(layer), Effect.runPromise)
  })
})
