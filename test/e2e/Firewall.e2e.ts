// What far ends write to make the PBX send elsewhere, with the firewall rules and without them.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, type Scope } from "effect"
import { execFile } from "node:child_process"
import { createServer } from "node:net"
import { promisify } from "node:util"
import { examine } from "../../src/layers/pbx/asterisk/checks/CheckAsterisk.ts"
import { unguardedAddresses } from "../../src/layers/pbx/asterisk/checks/CheckFirewall.ts"
import { makeAri } from "../../src/layers/pbx/asterisk/ari/ConnectAri.ts"
import { until, untilHolds } from "../support/Until.ts"
import { ariApp } from "./support/AriApp.ts"
import { onlyTo } from "./support/FirewallRules.ts"
import { folder, freePorts, makeAsterisk } from "./support/Peers.ts"
import { answerTo, rawSip, soundAt } from "./support/RawSip.ts"

const run = promisify(execFile)

/** No peer of this Asterisk: what reaches it was sent there because a far end asked for it. */
const forbidden = "127.0.0.77"

const isRoot = process.getuid?.() === 0
/** Only 127.0.0.1 is a peer's address. */
const rules = onlyTo(["127.0.0.1"])

/** How many packets the rules have refused. */
const refusedBy = (sip_port: number) =>
  Effect.promise(async () => {
    const chain = ["list", "chain", "inet", `trunkline_${sip_port}`, "refused"]
    // Without rules there is no such chain.
    const { stdout } = await run("nft", chain).catch(() => ({ stdout: "" }))
    return [...stdout.matchAll(/packets (\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0)
  })

/** Listens at the forbidden address by UDP and TCP. */
const makeTrap = Effect.fnUntraced(function* (sip_port: number) {
  const { port, received } = yield* rawSip({ host: forbidden }, sip_port)
  let connections = 0
  const listener = createServer((socket) => {
    connections++
    socket.destroy()
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void listener.listen(port, forbidden, () => resume(Effect.void))),
    () => Effect.callback<void>((resume) => void listener.close(() => resume(Effect.void)))
  )
  return { port, arrived: () => received.length + connections }
})
type Trap = Effect.Success<ReturnType<typeof makeTrap>>

/** An Asterisk, and an application of its ARI that places calls. */
const makeScene = Effect.fnUntraced(function* (FIREWALL: "on" | "off", more: Readonly<Record<string, string>> = {}) {
  const home = yield* folder
  const carrier_port = yield* freePorts()
  const asterisk = yield* makeAsterisk({
    folder: home,
    carrier_port,
    caller_host: "127.0.0.2",
    env: { ...rules, FIREWALL, ...more }
  })
  const { ask, calls: place, put } = yield* ariApp(asterisk, "firewall")
  /**
   * Calls a far end that answers with these headers and this SDP, and plays a tone to it. The far end has the port of
   * the trap, because Asterisk replaces the port of a Contact by the one that the answer came from.
   */
  const calls = (
    port: number,
    answer: { readonly contact?: string; readonly headers?: ReadonlyArray<string>; readonly sdp?: string },
    over = "sip-uri"
  ) =>
    Effect.gen(function* () {
      yield* rawSip({ host: "127.0.0.1", port }, asterisk.sip_port, ({ start, text }) => {
        if (start.startsWith("ACK ")) return []
        const contact = answer.contact ?? `<sip:x@127.0.0.1:${port}>`
        const sdp = start.startsWith("INVITE ") ? (answer.sdp ?? soundAt(40_000)) : ""
        return [answerTo(text, "200 OK", [...(answer.headers ?? []), `Contact: ${contact}`], sdp)]
      })
      yield* place(`PJSIP/${over}/sip:x@127.0.0.1:${port}`, "attack")
      yield* until("answered call", asterisk.channels, ([channel]) => Object(channel).state === "Up")
      yield* ask("POST", "/channels/attack/play?media=tone:busy")
    }).pipe(Effect.scoped)
  return {
    asterisk,
    calls,
    hangsUp: Effect.gen(function* () {
      for (const { id } of yield* asterisk.channels) yield* ask("DELETE", `/channels/${id}`)
      yield* until("Asterisk without channels", asterisk.channels, ({ length }) => length === 0)
    }),
    refused: refusedBy(asterisk.sip_port),
    put
  }
})
type Scene = Effect.Success<ReturnType<typeof makeScene>>

/** Each makes an Asterisk without the rules send something to the forbidden address. */
const attacks: Readonly<Record<string, (scene: Scene, trap: Trap) => Effect.Effect<void, never, Scope.Scope>>> = {
  "a Contact with maddr in an answer": ({ calls }, { port }) =>
    calls(port, { contact: `<sip:x@127.0.0.1:${port};maddr=${forbidden}>` }),
  "a Contact with maddr and TCP in an answer": ({ calls }, { port }) =>
    calls(port, { contact: `<sip:x@127.0.0.1:${port};maddr=${forbidden};transport=tcp>` }),
  "a Record-Route with maddr in an answer": ({ calls }, { port }) =>
    calls(port, { headers: [`Record-Route: <sip:127.0.0.1:${port};lr;maddr=${forbidden}>`] }),
  "an SDP with another host": ({ calls }, { port }) =>
    calls(port, { sdp: soundAt(port).replaceAll("IP4 127.0.0.1", `IP4 ${forbidden}`) }),
  "an ICE candidate of another host": ({ calls, put }, { port }) =>
    Effect.gen(function* () {
      const fields = { disallow: "all", allow: "ulaw", ice_support: "yes", rtcp_mux: "yes", identify_by: "ip" }
      yield* put("endpoint", "ice", fields)
      const ice = ["ice-ufrag:farend", "ice-pwd:a-password-of-22-signs-or-more", "rtcp-mux"]
      const candidate = `candidate:1 1 UDP 2130706431 ${forbidden} ${port} typ host`
      const lines = [...ice, candidate].map((line) => `a=${line}\r\n`).join("")
      yield* calls(port, { sdp: `${soundAt(40_000)}${lines}` }, "ice")
    }),
  "a Via with maddr, without a password": ({ asterisk }, { port }) =>
    Effect.gen(function* () {
      const stranger = yield* rawSip({ host: "127.0.0.66" }, asterisk.sip_port)
      const uri = `sip:x@127.0.0.1:${asterisk.sip_port}`
      const { text } = stranger.write({ method: "OPTIONS", uri, from: "<sip:x@127.0.0.66>" })
      const via = `Via: SIP/2.0/UDP 127.0.0.66:${port};maddr=${forbidden};branch=z9hG4bKattack`
      yield* stranger.send(text.replace(/^Via: .*$/m, via))
    })
}

/** Carries out one attack after the other. `seen` waits for what is expected of it. */
const carryOut = (
  scene: Scene,
  seen: (name: string, trap: Trap, refused_before: number) => Effect.Effect<void>
): Effect.Effect<void> =>
  Effect.forEach(
    Object.entries(attacks),
    ([name, attack]) =>
      Effect.gen(function* () {
        const trap = yield* makeTrap(scene.asterisk.sip_port)
        const before = yield* scene.refused
        yield* attack(scene, trap)
        yield* seen(name, trap, before)
        yield* scene.hangsUp
      }).pipe(Effect.scoped),
    { discard: true }
  )

/** What the engine finds out about an Asterisk that listens at all addresses. */
const examined = (FIREWALL: "on" | "off") =>
  Effect.gen(function* () {
    const { asterisk } = yield* makeScene(FIREWALL, { SIP_BIND: "0.0.0.0" })
    const { ARI_PASSWORD = "", ARI_URL = "", ARI_USERNAME = "" } = asterisk.settings
    const app = "firewall"
    const password = Redacted.make(ARI_PASSWORD)
    const ari = yield* makeAri({ url: ARI_URL, username: ARI_USERNAME, password, app })
    const { reach } = yield* examine(ari, { carrier: "carrier", sip_uris: "sip-uri" })
    const deviations = yield* unguardedAddresses(ari, app, reach)
    // Asterisk would end only after the calls that it still tries.
    yield* asterisk.kill
    return deviations
  }).pipe(Effect.scoped)

/** Whether a process of the group may send a datagram there. */
const maySend = (address: string) =>
  Effect.promise(() =>
    run(isRoot ? "setpriv" : "env", [
      ...(isRoot ? ["--regid", "70060", "--keep-groups"] : []),
      "bash",
      "-c",
      `echo > /dev/udp/${address}/9`
    ]).then(
      () => true,
      () => false
    )
  )

/** Packets to this network leave the machine, as they would in a private network. */
const privateNetwork = Effect.acquireRelease(
  Effect.promise(() => run("ip", ["route", "add", "192.168.0.0/16", "dev", "pbx0"])),
  () => Effect.promise(() => run("ip", ["route", "delete", "192.168.0.0/16"]))
)

describe("firewall rules", () => {
  it.live("are noticed by the engine, and so is that they are missing", () =>
    Effect.gen(function* () {
      yield* privateNetwork
      assert.deepStrictEqual(yield* examined("on"), [])
      const [deviation = "", ...others] = yield* examined("off")
      assert.deepStrictEqual(others, [])
      assert.match(deviation, /^Asterisk sends to 127\.255\.255\.254, 192\.168\.255\.254, so/)
    }).pipe(Effect.scoped)
  )

  it.live("let nothing out to a forbidden address, whatever a far end writes", () =>
    Effect.gen(function* () {
      const scene = yield* makeScene("on")
      // By IPv6 too, and to an address of the machine that is no loopback address.
      for (const address of [forbidden, "::1", "10.99.0.1"]) assert.isFalse(yield* maySend(address), address)
      assert.isTrue(yield* maySend("127.0.0.1"))
      yield* carryOut(scene, (name, trap, before) =>
        Effect.gen(function* () {
          yield* until(`refused packet after ${name}`, scene.refused, (count) => count > before)
          yield* scene.hangsUp
          assert.strictEqual(trap.arrived(), 0, name)
        })
      )
    }).pipe(Effect.scoped)
  )

  it.live("are what stops these attacks: without them each reaches the forbidden address", () =>
    Effect.gen(function* () {
      const scene = yield* makeScene("off")
      for (const address of [forbidden, "::1", "10.99.0.1"]) assert.isTrue(yield* maySend(address), address)
      yield* carryOut(scene, (name, trap) => untilHolds(`arrival of ${name}`, () => trap.arrived() > 0))
    }).pipe(Effect.scoped)
  )
})
