// A carrier that trusts an address can tell the platform's calls from those of tenants by their source port.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { until, untilHolds } from "../support/Until.ts"
import { ariApp } from "./support/AriApp.ts"
import { folder, freePorts, makeAsterisk } from "./support/Peers.ts"
import { answerTo, headerOf, type RawMessage, rawSip, soundAt } from "./support/RawSip.ts"

const busy = ({ start, text }: RawMessage) => (start.startsWith("ACK ") ? [] : [answerTo(text, "486 Busy Here")])

const makeScene = Effect.gen(function* () {
  const carrier_port = yield* freePorts()
  const own_port = yield* freePorts()
  const env = { CARRIER_SIP_PORT: `${own_port}` }
  const asterisk = yield* makeAsterisk({ folder: yield* folder, carrier_port, caller_host: "127.0.0.2", env })
  // The carrier, a host that a tenant names, and a provider all see the same address of the PBX.
  const carrier = yield* rawSip({ host: "127.0.0.1", port: carrier_port }, asterisk.sip_port, busy)
  const far = yield* rawSip({ host: "127.0.0.4" }, asterisk.sip_port, busy)
  return { app: yield* ariApp(asterisk, "trunkline"), asterisk, carrier, far, own_port }
})

const first = (socket: { readonly requests: (method: string) => ReadonlyArray<RawMessage> }, method: string) =>
  Effect.map(
    until(
      method,
      Effect.sync(() => socket.requests(method)),
      ({ length }) => length > 0
    ),
    (requests) => requests.at(-1)!
  )

it.live("calls of the carrier leave from a port of their own, and nothing of tenants does", () =>
  Effect.gen(function* () {
    const { app, asterisk, carrier, far, own_port } = yield* makeScene
    yield* app.calls("PJSIP/+254711000100@carrier", "over-carrier")
    const { port, text } = yield* first(carrier, "INVITE")
    assert.strictEqual(port, own_port)
    assert.include(headerOf(text, "Contact"), `:${own_port}>`)

    const before = carrier.received.length
    for (const host of ["127.0.0.1", "127.0.0.4"]) {
      const target = host === "127.0.0.1" ? carrier : far
      const uri = `sip:tenant@${host}:${target.port}`
      yield* app.calls(`PJSIP/sip-uri/${uri}`, `sip-uri-${host}`)
      yield* untilHolds("INVITE of a tenant", () =>
        target.requests("INVITE").some(({ start }) => start.includes("tenant@"))
      )
      // As the engine makes a trunk and a device's endpoint.
      yield* app.put("aor", "trunk-1", { contact: uri, qualify_frequency: "1" })
      const media = { aors: "trunk-1", disallow: "all", allow: "ulaw", identify_by: "ip" }
      yield* app.put("endpoint", "trunk-1", { ...media, transport: "udp" })
      yield* app.put("endpoint", "device-1", media)
      yield* app.calls("PJSIP/trunk-1", `trunk-${host}`)
      yield* app.calls(`PJSIP/device-1/sip:device@${host}:${target.port}`, `device-${host}`)
      const registrar = { server_uri: uri, client_uri: uri, transport: "udp", max_random_initial_delay: "0" }
      yield* app.put("registration", `trunk-${host}`, registrar)
      for (const sign of ["REGISTER sip:", "OPTIONS sip:", "INVITE sip:device"])
        yield* untilHolds(`${sign} at ${host}`, () => target.received.some(({ start }) => start.startsWith(sign)))
      yield* until("Asterisk without channels", asterisk.channels, ({ length }) => length === 0)
    }
    for (const { port, start } of [...carrier.received.slice(before), ...far.received])
      if (!start.startsWith("ACK ")) assert.strictEqual(port, asterisk.sip_port, start)
  }).pipe(Effect.scoped)
)

it.live("calls from the carrier come in at both ports", () =>
  Effect.gen(function* () {
    const { app, asterisk, own_port } = yield* makeScene
    for (const port of [asterisk.sip_port, own_port]) {
      const caller = yield* rawSip({ host: "127.0.0.2" }, port, ({ start, text }) =>
        start.startsWith("ACK ") ? [] : [answerTo(text, "200 OK")]
      )
      const uri = `sip:+254700000001@127.0.0.1:${port}`
      const { call_id, text } = caller.write({ uri, from: "<sip:+254722000001@127.0.0.2>", body: soundAt(40_000) })
      yield* caller.send(text)
      const [channel] = yield* until("channel of the call", asterisk.channels, ({ length }) => length > 0)
      yield* app.answers(channel!.id)
      const answer = yield* until(
        "answer",
        Effect.sync(() => caller.received.find(({ start }) => start.startsWith("SIP/2.0 200"))),
        (found) => found !== undefined
      )
      assert.include(headerOf(answer!.text, "Contact"), `:${port}>`)
      const ack = caller.write({ method: "ACK", uri, from: "<sip:+254722000001@127.0.0.2>", call_id })
      yield* caller.send(ack.text.replace(/^To: .*$/m, `To: ${headerOf(answer!.text, "To")}`))
      yield* app.ask("DELETE", `/channels/${channel!.id}`)
      assert.strictEqual((yield* first(caller, "BYE")).port, own_port)
      yield* until("Asterisk without channels", asterisk.channels, ({ length }) => length === 0)
    }
  }).pipe(Effect.scoped)
)
