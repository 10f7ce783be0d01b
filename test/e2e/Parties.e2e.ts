// How calls from outside are shown and routed, however the network writes their parties.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { acts } from "../support/Customer.ts"
import { callerScenario } from "./support/CallerScenario.ts"
import { allSettled, connectedBy, PbxWorld } from "./support/PbxWorld.ts"
import { credential, newest, plays, routed } from "./support/Phones.ts"

const pbxWorld = connectedBy("engine", { env: { ARI_CARRIER_COUNTRY: "KE" } })
const shown = "+254722000001"

/** Calls the demo number, written in some way, over the carrier, and is answered. Returns SIPp's exit status. */
const comes = (more: { readonly number?: string; readonly from?: string; readonly headers?: ReadonlyArray<string> }) =>
  Effect.gen(function* () {
    const { caller_host, customer, farEnd, program } = yield* PbxWorld
    yield* routed({ voice_url: customer.voice(acts({ pause: { seconds: 30 } })) })
    const { number } = program.demo().number
    const caller = { number, from: shown, media_port: farEnd.port, talks_ms: 100, ...more }
    return yield* plays(callerScenario(caller), { host: caller_host })
  })
const demo = Effect.map(PbxWorld, ({ program }) => program.demo().number.number)

layer(pbxWorld, { excludeTestServices: true, timeout: "120 seconds" })("a call from outside", (it) => {
  it.effect.each<[string, (e164: string) => string]>([
    ["with 00", (e164) => `00${e164.slice(1)}`],
    ["in national form", (e164) => `0${e164.slice(4)}`],
    ["with the parameters of a ported number", (e164) => `${e164};npdi;rn=+254799000000`],
    ["with an escaped plus", (e164) => `%2B${e164.slice(1)}`]
  ])("to the number %s reaches it", ([, written]) =>
    Effect.gen(function* () {
      const to = yield* demo
      assert.strictEqual(yield* comes({ number: written(to) }), 0)
      assert.deepInclude(yield* newest("inbound"), { status: "completed", to, from: shown })
      yield* allSettled
    })
  )

  it.effect.each<[string, { readonly from?: string; readonly headers?: ReadonlyArray<string> }, string]>([
    ["national form", { from: "0722000001" }, shown],
    ["00", { from: "00254722000001" }, shown],
    ["parameters", { from: "254722000001;npdi" }, shown],
    ["a withheld number", { from: "anonymous" }, "anonymous"],
    [
      "P-Asserted-Identity of the carrier",
      { from: "anonymous", headers: ["P-Asserted-Identity: <sip:0722000001@127.0.0.1>"] },
      shown
    ],
    [
      "P-Asserted-Identity with privacy",
      { from: "anonymous", headers: [`P-Asserted-Identity: <sip:${shown}@127.0.0.1>`, "Privacy: id"] },
      "anonymous"
    ]
  ])("is shown by %s", ([, caller, from]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* comes(caller), 0)
      assert.deepInclude(yield* newest("inbound"), { status: "completed", from, caller_id: from })
      yield* allSettled
    })
  )

  it.effect("of a device with P-Asserted-Identity is shown with the number of the device", () =>
    Effect.gen(function* () {
      const { farEnd } = yield* PbxWorld
      const user = yield* credential("1077")
      const headers = ["P-Asserted-Identity: <sip:+254733333333@127.0.0.1>"]
      const caller = { number: "+254711000486", from: user.username, user, headers, media_port: farEnd.port }
      assert.strictEqual(yield* plays(callerScenario({ ...caller, refused_with: 486 })), 0)
      assert.deepInclude(yield* newest("outbound"), { caller_id: yield* demo })
      yield* allSettled
    })
  )
})
