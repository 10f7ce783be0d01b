// A gateway to a fake Asterisk, which answers by a script and sends the events of a test.
import { Effect } from "effect"
import { Readable } from "node:stream"
import { TestClock } from "effect/testing"
import { Timers } from "../../src/actors/runtime/Timers.ts"
import type { PbxAction, PbxCommand } from "../../src/domain/pbx/PbxCommand.ts"
import type { PbxEvent } from "../../src/domain/pbx/PbxEvent.ts"
import { type Ari, type AriResponse, AriAway } from "../../src/layers/pbx/asterisk/ari/Ari.ts"
import type { AriEvent } from "../../src/layers/pbx/asterisk/ari/AriEvent.ts"
import { AsteriskPbx } from "../../src/layers/pbx/asterisk/AsteriskPbx.ts"
import { makeLegServices } from "../../src/layers/pbx/asterisk/calls/LegServices.ts"
import type { Manager } from "../../src/layers/pbx/asterisk/ari/Manager.ts"
import { Legs } from "../../src/layers/pbx/asterisk/legs/Legs.ts"
import { Registry } from "../../src/layers/pbx/asterisk/registry/Registry.ts"
import type { Speech } from "../../src/layers/pbx/asterisk/sounds/Speech.ts"
import { FakeRelay } from "./FakeRelay.ts"
import { RecordingThread } from "../../src/layers/pbx/asterisk/media/RecordingThread.ts"
import { toSessionId } from "../../src/domain/BrandedIds.ts"

export const start = Date.parse("2026-11-20T12:00:00Z")
export const id = toSessionId("HD_a")

const soundAt = (path: string) => Effect.succeed({ path, release: () => {} })

/** A gateway whose Asterisk answers by a script and records its requests. */
export const makeWorld = (
  answer: (method: string, path: string, query: Readonly<Record<string, unknown>>) => AriResponse | undefined = () =>
    undefined,
  speech: Speech = { say: () => soundAt("/sounds/a"), fetch: () => soundAt("/sounds/b") },
  /** Whether Asterisk keeps its events while the gateway is away. */
  keeps_events = true
) =>
  Effect.gen(function* () {
    const asked: Array<string> = []
    const told: Array<PbxEvent> = []
    /** Variables that were set through the manager interface, and whether it accepts them. */
    const set: Array<string> = []
    const lets_set = { now: true }
    const owed = new Set<string>()
    let events = 0
    let commands = 0
    let made = 0
    const relay = new FakeRelay()
    yield* TestClock.setTime(start)
    const clock = yield* Effect.clockWith(Effect.succeed)
    const now = () => clock.currentTimeMillisUnsafe()
    const run = Effect.runForkWith(yield* Effect.context<never>())
    const ari: Ari = {
      request: (method, path, query = {}, body = {}) =>
        Effect.try({
          try: () => {
            const { channelId } = body as { readonly channelId?: string }
            const about = query["reason"] ?? (path === "/channels/create" && channelId !== id ? channelId : undefined)
            asked.push(`${method} ${path}${about === undefined ? "" : ` ${about}`}`)
            return answer(method, path, query) ?? { status: 200, body: {} }
          },
          catch: (cause) => new AriAway({ cause })
        }),
      download: () => Effect.succeed({ size_bytes: 46, bytes: Readable.from([Buffer.alloc(46)]) }),
      follow: () => Effect.never
    }
    const legs = new Legs({ now, uuid: () => `e${++events}`, report: (event) => told.push(event) })
    const timers = new Timers(clock, run)
    const spool = { open: () => Effect.die("unused"), remove: () => Effect.void, leave: () => Effect.void }
    const { combine } = new RecordingThread()
    const manager: Manager = {
      registrations: Effect.succeed(undefined),
      registrationsLeft_s: Effect.succeed(new Map()),
      registrationsHandled: Effect.succeed(new Map()),
      register: () => Effect.void,
      qualify: () => Effect.void,
      readsSecurity: Effect.succeed(true),
      print: () => Effect.undefined,
      dialplan: Effect.undefined,
      beginEvents: Effect.void,
      waitEvents: Effect.never,
      setVariable: (channel, name, value) => Effect.sync(() => (set.push(`${channel} ${name} ${value}`), lets_set.now))
    }
    const services = makeLegServices({
      ari,
      app: "trunkline",
      keeps_events,
      legs,
      manager,
      now,
      run,
      timers,
      uuid: () => `u${++made}`,
      speech,
      spool,
      combine,
      relay: relay.port,
      media_url: "ws://127.0.0.1:8088/media"
    })
    const { ring_timers } = services
    const registry = new Registry({
      ...services,
      carrier: "carrier",
      certificateFault: () => Effect.undefined,
      policy: { allow_insecure: true, allow_private: true },
      media_timeout: false,
      platform: Effect.succeed([]),
      uuid: () => "u",
      report: (...about) => legs.reportForTenant(...about)
    })
    const pbx = new AsteriskPbx({
      ...services,
      registry,
      endpoints: { carrier: "carrier", sip_uris: "sip-uri" },
      numbers: {
        read: (called) => Effect.succeed([called]),
        tenantOf: (number) => Effect.succeed(number === "+254700000001" ? "t1" : undefined)
      },
      owesEnd: (session_id) => owed.has(session_id)
    })
    const ask = (action: PbxAction, command_id = `c${++commands}`, session_id: string = id) => {
      const command: PbxCommand = {
        id: command_id,
        session_id: toSessionId(session_id),
        tenant_pbx_id: "t1",
        seq: ++commands,
        action
      }
      return Effect.orDie(pbx.carryOut(command))
    }
    const originate = ask(
      { kind: "originate", to: "+15550000200", from: "+254700000001", caller_id: "+254700000001", timeout_seconds: 30 },
      "o1"
    )
    const hear = (...heard: ReadonlyArray<AriEvent>) =>
      Effect.forEach(heard, (event) => pbx.handle(event), { discard: true })
    const said = () =>
      told.map(
        ({ data, seq, type }) =>
          `${seq} ${type}${data.sip_code === undefined ? "" : ` ${data.sip_code}`}${data.source === undefined ? "" : ` ${data.source}`}${data.reason === undefined ? "" : ` ${data.reason}`}`
      )
    return { asked, relay, lets_set, owed, ring_timers, set, told, pbx, legs, ask, originate, hear, said }
  })

export const at = (ms: number) => ({ timestamp: new Date(start + ms).toISOString().replace("Z", "+0000") })
export const channel = (state: string, channel_id: string = id) => ({ channel: { id: channel_id, state } })
export const state = (ms: number, name: string): AriEvent => ({
  type: "ChannelStateChange",
  ...at(ms),
  ...channel(name)
})
export const dial = (ms: number, dialstatus: string): AriEvent => ({
  type: "Dial",
  ...at(ms),
  peer: { id, state: "Down" },
  dialstatus
})
export const stasis = (ms: number): AriEvent => ({ type: "StasisStart", ...at(ms), ...channel("Up"), args: ["out"] })
export const request = (ms: number, soft = false): AriEvent => ({
  type: "ChannelHangupRequest",
  ...at(ms),
  ...channel("Up"),
  ...(soft && { soft })
})
export const destroyed = (ms: number, cause: number, tech_cause?: number): AriEvent => ({
  type: "ChannelDestroyed",
  ...at(ms),
  ...channel("Up"),
  cause,
  ...(tech_cause !== undefined && { tech_cause })
})
