// Calls of the chat app through the engine and an Asterisk. Its provider is a second Asterisk with a certificate.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { join } from "node:path"
import { makeAuthority } from "./support/Authority.ts"
import { chat_app_host, makeChatAppProvider } from "./support/ChatAppProvider.ts"
import { graphStandIn } from "./support/GraphStandIn.ts"
import { connectedBy, PbxWorld } from "./support/PbxWorld.ts"
import { folder } from "./support/Peers.ts"
import { makeTenant } from "./support/Tenant.ts"
import { until } from "../support/Until.ts"

const sip_host = "sip.example.com"
const password = "right"

const make = Effect.gen(function* () {
  const home = yield* folder
  const authority = yield* makeAuthority(join(home, "ca"))
  const { certificate, key } = yield* authority.certifies("pbx", "IP:127.0.0.1")
  const provider = yield* makeChatAppProvider(home, authority)
  const graph = yield* graphStandIn(sip_host)
  const chat = { provider, graph }
  return Layer.provideMerge(
    Layer.succeed(ChatWorld)(chat),
    connectedBy("engine", {
      env: {
        ...graph.env,
        GRAPH_SIP_PROVIDER_HOST: chat_app_host,
        GRAPH_SIP_PROVIDER_PORT: `${provider.tls_port}`
      },
      asterisk_env: { TLS_CERTIFICATE: certificate, TLS_KEY: key, TLS_CA: authority.file }
    })
  )
})
interface ChatWorldShape {
  readonly provider: Effect.Success<ReturnType<typeof makeChatAppProvider>>
  readonly graph: Effect.Success<ReturnType<typeof graphStandIn>>
}
class ChatWorld extends Context.Service<ChatWorld, ChatWorldShape>()("test/ChatWorld") {
  static readonly layer = Layer.unwrap(make)
}

interface TrunkState {
  readonly status: string
  readonly status_reason: string | null
}

/** The path of the trunk of the demo workspace's number. */
const trunkPath = Effect.map(PbxWorld, ({ program }) => `/v1/numbers/${program.demo().number.id}/chatapp/trunk`)

const ask = (path: string, method: string) =>
  Effect.gen(function* () {
    const { program } = yield* PbxWorld
    const { json, status, text } = yield* Effect.orDie(program.ask(path, { method }))
    assert.isBelow(status, 300, text)
    return json<TrunkState>()
  })

/** Waits until the trunk is no longer pending. */
const settled = Effect.flatMap(trunkPath, (path) =>
  until("trunk that is set up or not", ask(path, "GET"), ({ status }) => status !== "pending", { within_ms: 90_000 })
)

layer(ChatWorld.layer, { excludeTestServices: true, timeout: "180 seconds" })("a number in the chat app", (it) => {
  it.effect(
    "has failed while the provider does not answer, and is active once it does",
    () =>
      Effect.gen(function* () {
        const { program } = yield* PbxWorld
        const { graph, provider } = yield* ChatWorld
        const { number } = program.demo().number
        yield* graph.serves({ number, password })
        yield* provider.vanishes
        const path = yield* trunkPath
        assert.deepInclude(yield* ask(path, "POST"), { status: "pending" })
        const { status, status_reason } = yield* settled
        assert.strictEqual(status, "failed")
        assert.include(status_reason, "did not answer")
        yield* provider.returns
        yield* provider.serves({ number, password })
        yield* ask(`${path}/retry`, "POST")
        assert.deepInclude(yield* settled, { status: "active", status_reason: null })
      }),
    120_000
  )

  it.effect("leaves its provider's host to nobody's trunk", () =>
    Effect.gen(function* () {
      const { program } = yield* PbxWorld
      const { provider } = yield* ChatWorld
      const mallory = yield* makeTenant(program, "Mallory")
      const port = provider.tls_port
      for (const definition of [
        { auth_mode: "digest", host: chat_app_host, port, transport: "tls", username: "u", password: "secret" },
        { auth_mode: "ip", host: "127.0.0.7", allowed_ips: ["127.0.0.7", chat_app_host] }
      ]) {
        const { status, text } = yield* mallory.ask("/v1/sip-trunk", definition)
        assert.strictEqual(status, 422, text)
        assert.match(text, /"(?:host|range)_of_platform"/)
      }
    })
  )
})
