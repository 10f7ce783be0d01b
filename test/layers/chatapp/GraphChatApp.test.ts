// Tests against a local server that follows the provider's documentation.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { type CallSettings, initialSettings } from "../../../src/domain/chatapp/CallSettings.ts"
import { ChatAppProvider } from "../../../src/domain/ports/pbx/ChatAppProvider.ts"
import * as GraphChatApp from "../../../src/layers/chatapp/GraphChatApp.ts"

interface Asked {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
  readonly body: unknown
}

interface Answered {
  readonly status?: number
  readonly body: unknown
}

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  return text === "" ? undefined : JSON.parse(text)
}

const numbers = {
  data: [
    { id: "1065", display_phone_number: "+254 700 000001" },
    { id: "1066", display_phone_number: "+254 700-000002" }
  ]
}

const standIn = (settings: (asked: Asked) => Answered | "hang up") =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<{ readonly url: string; readonly asked: Array<Asked>; readonly close: () => void }>((resolve) => {
          const asked: Array<Asked> = []
          const server = createServer(async (request, response) => {
            const question = {
              method: request.method!,
              path: request.url!,
              authorization: request.headers.authorization,
              body: await bodyOf(request)
            }
            asked.push(question)
            const answer = question.path.startsWith("/v23.0/77/phone_numbers") ? { body: numbers } : settings(question)
            if (answer === "hang up") return request.socket.destroy()
            response
              .writeHead(answer.status ?? 200, { "content-type": "application/json" })
              .end(JSON.stringify(answer.body))
          })
          server.listen(0, "127.0.0.1", () => {
            const { port } = server.address() as AddressInfo
            resolve({ url: `http://127.0.0.1:${port}/v23.0`, asked, close: () => server.close() })
          })
        })
    ),
    ({ close }) => Effect.sync(close)
  )

const provider = (url: string) =>
  Effect.provide(
    ChatAppProvider,
    GraphChatApp.layer({
      url,
      token: Redacted.make("token-1"),
      account_id: "77",
      sip_host: "sip.example.com",
      provider_host: "wa.example.com",
      provider_port: 5061
    })
  )

const settings: CallSettings = {
  ...initialSettings,
  status: "ENABLED",
  call_hours: {
    ...initialSettings.call_hours,
    holiday_schedule: [{ date: "2027-01-01", start_time: "0000", end_time: "2359" }]
  },
  audio_additional_codecs: ["PCMA"]
}
const refusal = (code: number, error_subcode?: number, status = 400) => ({
  status,
  body: {
    error: {
      message: "(#1) No.",
      type: "OAuthException",
      code,
      ...(error_subcode && { error_subcode }),
      fbtrace_id: "x"
    }
  }
})

describe("the client of the chat app's Graph API", () => {
  it.live("writes all settings except the trunk, under the provider's id of the number", () =>
    Effect.gen(function* () {
      const { asked, url } = yield* standIn(() => ({ body: { success: true } }))
      const { provision, write } = yield* provider(url)
      yield* write("+254700000002", settings)
      assert.deepStrictEqual(
        asked.map(({ method, path }) => [method, path.split("?")[0]]),
        [
          ["GET", "/v23.0/77/phone_numbers"],
          ["POST", "/v23.0/1066/settings"]
        ]
      )
      const { audio_additional_codecs, ...rest } = settings
      assert.deepStrictEqual(asked[1]!.body, {
        calling: {
          ...rest,
          voicemail: { ...rest.voicemail, announcement_media_id: null },
          audio: { additional_codecs: audio_additional_codecs }
        }
      })
      assert.isTrue(asked.every(({ authorization }) => authorization === "Bearer token-1"))

      assert.deepStrictEqual(yield* provision("+254700000002"), { sip_host: "sip.example.com" })
      assert.strictEqual(asked.length, 3, "the id of the number is read once")
      assert.deepStrictEqual(asked[2]!.body, {
        calling: {
          sip: { status: "ENABLED", servers: [{ hostname: "sip.example.com", port: 5061 }] },
          srtp_key_exchange_protocol: "SDES"
        }
      })
    })
  )

  it.live("reads the password that the provider has made for our SIP host, and no other one", () =>
    Effect.gen(function* () {
      const servers = [
        { hostname: "sip.other.com", sip_user_password: "other" },
        { hostname: "sip.example.com", sip_user_password: "secret" }
      ]
      let shown: ReadonlyArray<unknown> = servers
      const { asked, url } = yield* standIn(() => ({ body: { calling: { sip: { servers: shown } } } }))
      const { account } = yield* provider(url)
      const { password, ...rest } = yield* account("+254700000001")
      assert.deepStrictEqual(rest, { host: "wa.example.com", port: 5061, username: "254700000001" })
      assert.strictEqual(Redacted.value(password), "secret")
      assert.strictEqual(asked[1]!.path, "/v23.0/1065/settings?include_sip_credentials=true")
      shown = servers.slice(0, 1)
      assert.deepInclude(yield* Effect.flip(account("+254700000001")), { kind: "rejected" })
    })
  )

  it.live("reads settings with defaults for absent members, and the restrictions", () =>
    Effect.gen(function* () {
      const restriction = {
        type: "RESTRICTED_USER_INITIATED_CALLING",
        reason: "LOW_QUALITY",
        expiration: 1_800_000_000
      }
      const { url } = yield* standIn(() => ({
        body: {
          calling: {
            status: "ENABLED",
            audio: { additional_codecs: ["PCMU"] },
            voicemail: { ...initialSettings.voicemail, announcement_media_id: null },
            sip: { status: "ENABLED" },
            restrictions: { restrictions: [restriction] }
          },
          storage_configuration: { status: "DEFAULT" }
        }
      }))
      const { read } = yield* provider(url)
      assert.deepStrictEqual(yield* read("+254700000001"), {
        settings: { ...initialSettings, status: "ENABLED", audio_additional_codecs: ["PCMU"] },
        restrictions: [restriction]
      })
    })
  )

  it.live.each([
    ["a number that may not call yet", refusal(138_015), "not_eligible", 138_015],
    ["a number that may not call yet, as a subcode", refusal(100, 138_015), "not_eligible", 138_015],
    ["a wrong parameter", refusal(100), "rejected", 100],
    ["an expired token", refusal(190, 463, 401), "rejected", 190],
    ["a rate limit", refusal(80_007), "unavailable", 80_007],
    ["a provider error", refusal(131_000, undefined, 500), "unavailable", 131_000],
    ["an invalid response", { status: 502, body: "bad gateway" }, "unavailable", null],
    ["a broken connection", "hang up", "unavailable", null]
  ] as const)("reports %s", ([, answer, kind, code]) =>
    Effect.gen(function* () {
      const { url } = yield* standIn(() => answer)
      const { write } = yield* provider(url)
      const fault = yield* Effect.flip(write("+254700000001", settings))
      assert.deepStrictEqual([fault.kind, fault.code], [kind, code])
      assert.notInclude(fault.message, "token-1")
    })
  )

  it.live("reports a number that the provider does not know", () =>
    Effect.gen(function* () {
      const { url } = yield* standIn(() => ({ body: { success: true } }))
      const { read } = yield* provider(url)
      assert.deepInclude(yield* Effect.flip(read("+254700000003")), { kind: "rejected" })
    })
  )

  it.live("finds a number by the provider's id, and reads the list again only for an unknown id", () =>
    Effect.gen(function* () {
      const { asked, url } = yield* standIn(() => ({ body: {} }))
      const graph = yield* provider(url)
      assert.strictEqual(yield* graph.numberOf("1066"), "+254700000002")
      assert.strictEqual(yield* graph.numberOf("1065"), "+254700000001")
      assert.lengthOf(asked, 1)
      assert.isUndefined(yield* graph.numberOf("1067"))
      assert.lengthOf(asked, 2)
    })
  )
})
