import { createHmac, generateKeyPairSync } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Exit, Redacted, Schema } from "effect"
import { createRemoteJWKSet, exportJWK, jwtVerify, SignJWT } from "jose"
import { WebSocket } from "ws"
import type { CredentialRecord } from "../../../src/domain/credentials/CredentialRecord.ts"
import { WebrtcKeys } from "../../../src/domain/ports/pbx/WebrtcKeys.ts"
import { WebrtcClaims } from "../../../src/domain/webrtc/WebrtcSession.ts"
import { SipPbxUnderTest, webrtcEngine } from "../../support/WebrtcEngine.ts"
import { credential, eventually, gateUrl, request, type Session, tokenFor } from "../../support/WebrtcClient.ts"
import { openSocket } from "../../support/SipSocket.ts"
import { assertPayload } from "../../support/EventPayloads.ts"
import { openBrowser } from "../../support/Browser.ts"
import { DemoFile, layerWith } from "../../support/Engine.ts"
import { ask, origin } from "../../support/HttpTester.ts"
import { first, isResponse, userOf } from "../../support/SipText.ts"
import { until } from "../../support/Until.ts"

layer(layerWith({ PBX_GATEWAY: "none" }), { excludeTestServices: true, timeout: "60 seconds" })(
  "a deployment without WebRTC",
  (it) => {
    it.effect("makes no tokens", () =>
      Effect.gen(function* () {
        const { api_key: key } = yield* DemoFile
        const answer = yield* ask({ path: "/v1/webrtc/token", key, body: {} })
        assert.deepStrictEqual([answer.status, answer.code], [503, "numbers.sip_token_unavailable"])
      })
    )
  }
)

layer(webrtcEngine, { excludeTestServices: true, timeout: "60 seconds" })("WebRTC", (it) => {
  describe("a token", () => {
    it.effect(
      "names its user, can be verified with the published key, and comes with the SIP profile and TURN servers",
      () =>
        Effect.gen(function* () {
          const base = yield* origin
          const { number, workspace_id } = yield* DemoFile
          const { id, username } = yield* credential("5001")
          const session = yield* tokenFor("5001", {
            client_name: "desk-1",
            ttl_seconds: 120,
            allow: { incoming: false },
            metadata: { a: "b" }
          })
          assert.deepInclude(session, {
            endpoint: `${base.replace("http", "ws")}/v1/webrtc/sip`,
            protocol: "sip",
            clientName: "desk-1",
            expiresIn: 120,
            sipProfile: {
              uri: `sip:${username}@127.0.0.1`,
              extension: "5001",
              display_name: null,
              number: number.number
            }
          })
          const keys = createRemoteJWKSet(new URL(`${base}/v1/.well-known/jwks.json`))
          const { payload, protectedHeader } = yield* Effect.promise(() =>
            jwtVerify(session.token, keys, { audience: "webrtc", issuer: "trunkline" })
          )
          assert.strictEqual(protectedHeader.alg, "ES256")
          assert.deepInclude(payload, {
            sub: username,
            ext: "5001",
            workspace_id,
            credential_id: id,
            client_name: "desk-1",
            allow: { incoming: false, outgoing: true },
            metadata: { a: "b" }
          })
          assert.strictEqual(payload.exp! - payload.iat!, 120)
          const [relay] = session.turnServer
          assert.strictEqual(relay!.username, `${payload.exp}:${username}`)
          assert.strictEqual(
            relay!.credential,
            createHmac("sha1", "turn-secret").update(relay!.username).digest("base64")
          )
          assert.deepStrictEqual(relay!.urls, ["turn:relay.example.com:3478", "turns:relay.example.com:5349"])
          const { api_key: key } = yield* DemoFile
          assert.strictEqual((yield* ask({ path: "/v1/calls", key: session.token })).code, "api_key.invalid")
          const other = yield* ask({ path: "/v1/webrtc/token", method: "POST", key })
          assert.deepStrictEqual([other.status, (other.body as Session).expiresIn], [200, 900])
        })
    )

    it.effect("is the same for a repeated Idempotency-Key", () =>
      Effect.gen(function* () {
        const { api_key: key } = yield* DemoFile
        const again = () => ask({ path: "/v1/webrtc/token", key, body: {}, headers: { "idempotency-key": "token" } })
        const made = yield* again()
        assert.deepStrictEqual([made.status, (yield* again()).text], [200, made.text])
      })
    )

    it.effect("needs an active credential of the workspace", () =>
      Effect.gen(function* () {
        const { api_key: key, number, other_workspace } = yield* DemoFile
        const rows: ReadonlyArray<[string, object]> = [
          [other_workspace.api_key, {}],
          [key, { extension: "9998" }],
          [other_workspace.api_key, { number_id: number.id }]
        ]
        for (const [who, body] of rows) {
          const answer = yield* ask({ path: "/v1/webrtc/token", key: who, body })
          assert.deepStrictEqual([answer.status, answer.code], [404, "numbers.sip_credentials.not_found"])
        }
        for (const body of [{ ttl_seconds: 59 }, { ttl_seconds: 3601 }, { client_name: "a b" }, { number_id: "x" }]) {
          assert.strictEqual((yield* ask({ path: "/v1/webrtc/token", key, body })).code, "validation.bad_request")
        }
      })
    )
  })

  describe("the gate", () => {
    it.effect("lets JsSIP register and call, without a password", () =>
      Effect.gen(function* () {
        const pbx = yield* SipPbxUnderTest
        const { username } = yield* credential("5002")
        const { sipProfile, token } = yield* tokenFor("5002", { ttl_seconds: 300 })
        const { call, heard } = yield* openBrowser({ url: yield* gateUrl(token), uri: sipProfile.uri })
        yield* eventually("registered", () => heard.some(({ name }) => name === "registered"))
        assert.isAtMost(pbx.bindings.get(username)!.expires, 300)
        const session = call("sip:+254711000001@pbx")
        yield* eventually("answered", () => heard.some(({ name }) => name === "accepted"))
        yield* eventually("acknowledged", () => pbx.requests("ACK").length > 1)
        session.terminate()
        yield* eventually("ended", () => heard.some(({ name }) => name === "ended"))
        call("sip:busy@pbx")
        yield* eventually("busy", () => heard.some(({ code, name }) => name === "failed" && code === 486))
        pbx.callIn(username, "+254711000002")
        yield* eventually("called", () => heard.some(({ name }) => name === "incoming"))
        yield* eventually("picked up", () => pbx.heard.some(({ start }) => start.startsWith("SIP/2.0 200")))
        assert.isAbove(pbx.challengesAnswered().length, 2)
      }).pipe(Effect.scoped)
    )

    const refusals: ReadonlyArray<
      [string, (token: string, own: CredentialRecord) => Effect.Effect<string, unknown>, string]
    > = [
      ["that is malformed", () => Effect.succeed("x.y.z"), "401"],
      [
        "whose signature was tampered with",
        (token) => Effect.succeed(token.slice(0, -4) + (token.endsWith("AAAA") ? "BBBB" : "AAAA")),
        "401"
      ],
      [
        "that is signed with another key",
        (token, { username }) =>
          Effect.promise(async () => {
            const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
            const { kid } = JSON.parse(Buffer.from(token.split(".")[0]!, "base64url").toString()) as { kid: string }
            await exportJWK(publicKey)
            return new SignJWT({ workspace_id: "0190f5fe-7c00-7a00-8000-00000000000a", ext: "1" })
              .setProtectedHeader({ alg: "ES256", kid })
              .setAudience("webrtc")
              .setIssuer("trunkline")
              .setSubject(username)
              .setJti("x")
              .setExpirationTime("1 hour")
              .sign(privateKey)
          }),
        "401"
      ],
      [
        "without a signature (alg none)",
        (token) =>
          Effect.sync(() => {
            const [, payload] = token.split(".")
            return `${Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url")}.${payload}.`
          }),
        "401"
      ]
    ]
    for (const [name, forge, status] of refusals) {
      it.effect(`refuses a token ${name}`, () =>
        Effect.gen(function* () {
          const { token } = yield* tokenFor("5001")
          const forged = yield* forge(token, { username: "5001-x" } as CredentialRecord)
          const failure = yield* Effect.flip(openSocket(yield* gateUrl(forged)))
          assert.strictEqual(failure.message, status)
        }).pipe(Effect.scoped)
      )
    }

    it.effect("alerts the workspace whose credential is named by many forged tokens, once", () =>
      Effect.gen(function* () {
        const sql = yield* PgClient.PgClient
        const { id, username } = yield* credential("5021")
        const { token } = yield* tokenFor("5021")
        const forged = `${token.slice(0, -4)}${token.endsWith("AAAA") ? "BBBB" : "AAAA"}`
        const alerts = sql<{ payload: object }>`
          SELECT payload FROM events WHERE subject_id = ${id} AND kind = 'security.registration_attack'`
        const tries = (count: number) =>
          Effect.forEach(Array.from({ length: count }), () => ask({ path: `/v1/webrtc/sip?token=${forged}` }))
        for (const { code } of yield* tries(9)) assert.strictEqual(code, "auth.token_invalid")
        assert.lengthOf(yield* alerts, 0)
        yield* tries(20)
        const [alert, ...others] = yield* alerts
        assert.lengthOf(others, 0)
        assertPayload("security.registration_attack", alert!.payload)
        assert.deepInclude(alert!.payload, { credential_id: id, username, attempts: 10, addresses: ["127.0.0.1"] })
      })
    )

    it.effect("verifies no more tokens from an address that sends many wrong ones, for a time", () =>
      Effect.gen(function* () {
        yield* credential("5016")
        const { token } = yield* tokenFor("5016")
        const wrong = `${token.slice(0, -4)}${token.endsWith("AAAA") ? "BBBB" : "AAAA"}`
        const codeFrom = (address: string, given: string) =>
          Effect.map(
            ask({ path: `/v1/webrtc/sip?token=${given}`, headers: { "x-forwarded-for": address } }),
            ({ code }) => code
          )
        const codeOf = (given: string) => codeFrom("198.51.100.7", given)
        const limited = (code: string | undefined) => code === "rate_limited"
        const untilLimited = until("a refusal of wrong tokens", codeOf(wrong), limited, { every_ms: 0 })
        // Five tokens a second are verified again, so on a busy machine the next request may be one of them.
        yield* until("a refusal of all tokens", Effect.andThen(untilLimited, codeOf(token)), limited)
        assert.strictEqual(yield* codeFrom("198.51.100.8", token), "validation.bad_request")
        yield* until("tokens that are verified again", codeOf(token), (code) => code === "validation.bad_request")
      })
    )

    it.effect("refuses API keys, requests without a token and requests that do not open a WebSocket", () =>
      Effect.gen(function* () {
        const { api_key } = yield* DemoFile
        const { token } = yield* tokenFor("5001")
        const path = "/v1/webrtc/sip"
        for (const [query, code] of [
          ["", "auth.token_invalid"],
          [`?token=${api_key}`, "auth.token_invalid"],
          [`?token=${token}`, "validation.bad_request"]
        ]) {
          assert.strictEqual((yield* ask({ path: path + query })).code, code)
        }
        const without = yield* Effect.flip(openSocket(yield* gateUrl(token), []))
        assert.strictEqual(without.message, "400")
        const preflight = yield* ask({ method: "OPTIONS", path })
        assert.deepStrictEqual([preflight.status, preflight.headers.get("access-control-allow-origin")], [204, "*"])
        const base = yield* origin
        const { socket } = yield* openSocket(`${base.replace("http", "ws")}${path}`, ["sip", `token.${token}`])
        assert.strictEqual(socket.protocol, "sip")
      }).pipe(Effect.scoped)
    )

    /** A token of the extension that expires in `seconds`; a negative number gives an expired one. */
    const brief = (extension: string, seconds: number) =>
      Effect.gen(function* () {
        const [, payload] = (yield* tokenFor(extension)).token.split(".")
        const claims = Schema.decodeUnknownSync(WebrtcClaims)(JSON.parse(Buffer.from(payload!, "base64url").toString()))
        return Redacted.value(
          yield* (yield* WebrtcKeys).mint({ ...claims, exp: Math.ceil(Date.now() / 1000) + seconds })
        )
      })

    it.effect("refuses an expired token", () =>
      Effect.gen(function* () {
        const token = yield* brief("5001", -1)
        const answer = yield* ask({ path: `/v1/webrtc/sip?token=${token}` })
        assert.deepStrictEqual([answer.status, answer.code], [401, "auth.token_expired"])
        assert.strictEqual((yield* Effect.flip(openSocket(yield* gateUrl(token)))).message, "401")
      }).pipe(Effect.scoped)
    )

    it.effect("closes when the token expires, but only after a live call has ended", () =>
      Effect.gen(function* () {
        const { username } = yield* credential("5006")
        const url = yield* gateUrl(yield* brief("5006", 1))
        const idle = yield* openSocket(url)
        const { closed, frames, socket } = yield* openSocket(url)
        const of = (method: string, n: number, tag = "") =>
          request(method, username, "+254711000001")
            .replace("z9hG4bK1", `z9hG4bK${n}`)
            .replace("@pbx>\r\nCall-ID", `@pbx>${tag}\r\nCall-ID`)
        socket.send(of("INVITE", 1))
        yield* eventually("answered", () => frames.some((frame) => frame.startsWith("SIP/2.0 200")))
        assert.strictEqual(yield* Effect.promise(() => idle.closed), 4401)
        socket.send(request("REGISTER", username).replace("Call-ID: c1", "Call-ID: c2"))
        yield* eventually("refused", () => frames.some((frame) => frame.startsWith("SIP/2.0 403")))
        assert.strictEqual(socket.readyState, WebSocket.OPEN)
        socket.send(of("BYE", 2, ";tag=gate"))
        assert.strictEqual(yield* Effect.promise(() => closed), 4401)
      }).pipe(Effect.scoped)
    )

    it.effect("refuses the token of a revoked credential, and its requests on an open connection", () =>
      Effect.gen(function* () {
        const { api_key: key, number } = yield* DemoFile
        const { id, username } = yield* credential("5003")
        const { token } = yield* tokenFor("5003")
        const url = yield* gateUrl(token)
        const { frames, socket } = yield* openSocket(url)
        yield* ask({ path: `/v1/numbers/${number.id}/sip-credentials/${id}`, method: "DELETE", key })
        yield* until("refusal of the token", Effect.exit(openSocket(url)), Exit.isFailure)
        socket.send(request("REGISTER", username))
        yield* eventually("refused", () => frames.some((frame) => frame.startsWith("SIP/2.0 403")))
      }).pipe(Effect.scoped)
    )

    it.effect("closes on messages of another user, messages that are not SIP and messages that are too long", () =>
      Effect.gen(function* () {
        const pbx = yield* SipPbxUnderTest
        const { username } = yield* credential("5004")
        const url = yield* gateUrl((yield* tokenFor("5004")).token)
        const rows: ReadonlyArray<[string, number]> = [
          [request("REGISTER", "5001-foreign"), 4403],
          [request("REGISTER", username, "5001-foreign"), 4403],
          [request("INVITE", "5001-foreign", "+254711000001"), 4403],
          [request("BYE", "5001-foreign", "+254711000001"), 4403],
          ["hello", 1007],
          [`${request("OPTIONS", username)}${"x".repeat(66_000)}`, 1009]
        ]
        for (const [text, code] of rows) {
          const { closed, socket } = yield* openSocket(url)
          socket.send(text)
          assert.strictEqual(yield* Effect.promise(() => closed), code, text.slice(0, 30))
        }
        assert.isFalse(
          pbx.heard.some((message) => !isResponse(message) && userOf(first(message, "from")) === "5001-foreign")
        )
      }).pipe(Effect.scoped)
    )

    it.effect("passes only listed headers of a browser", () =>
      Effect.gen(function* () {
        const pbx = yield* SipPbxUnderTest
        const { username } = yield* credential("5005")
        const { frames, socket } = yield* openSocket(yield* gateUrl((yield* tokenFor("5005")).token))
        socket.send(
          request("OPTIONS", username, "x", [
            "P-Asserted-Identity: <sip:+254700000009@pbx>",
            "Remote-Party-ID: <sip:x@y>",
            "Route: <sip:evil.example>",
            "Authorization: Digest x",
            "X-Own: y",
            "User-Agent: kept"
          ])
        )
        yield* eventually("answered", () => frames.some((frame) => frame.startsWith("SIP/2.0 200")))
        const passed = pbx
          .requests("OPTIONS")
          .at(-1)!
          .headers.map(([name]) => name)
        assert.includeMembers(passed, ["User-Agent"])
        for (const name of ["P-Asserted-Identity", "Remote-Party-ID", "Route", "Authorization", "X-Own"])
          assert.notInclude(passed, name)
        socket.send("\r\n\r\n")
        yield* eventually("pong", () => frames.includes("\r\n"))
        for (const method of ["REFER", "SUBSCRIBE", "MESSAGE"]) socket.send(request(method, username, "x"))
        yield* eventually("not allowed", () => frames.filter((frame) => frame.startsWith("SIP/2.0 405")).length === 3)
      }).pipe(Effect.scoped)
    )

    it.effect("connects to the PBX at the browser's first message, and disconnects with the browser", () =>
      Effect.gen(function* () {
        const pbx = yield* SipPbxUnderTest
        yield* eventually("earlier ones have left", () => pbx.connections() === 0)
        const {
          sipProfile: { uri },
          token
        } = yield* tokenFor("5001")
        const { frames, socket } = yield* openSocket(yield* gateUrl(token))
        socket.send("\r\n\r\n")
        yield* eventually("pong", () => frames.includes("\r\n"))
        assert.strictEqual(pbx.connections(), 0)
        socket.send(request("OPTIONS", uri.slice("sip:".length).split("@")[0]!))
        yield* eventually("there", () => pbx.connections() === 1)
        socket.close()
        yield* eventually("gone", () => pbx.connections() === 0)
      }).pipe(Effect.scoped)
    )

    it.effect("accepts ten connections of one extension", () =>
      Effect.gen(function* () {
        const url = yield* gateUrl((yield* tokenFor("5001")).token)
        for (let n = 0; n < 10; n++) yield* openSocket(url)
        assert.strictEqual((yield* Effect.flip(openSocket(url))).message, "429")
      }).pipe(Effect.scoped)
    )
  })
})
