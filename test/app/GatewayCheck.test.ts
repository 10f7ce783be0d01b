import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Check, checks, judge, type Phones } from "../../src/app/gateway-check/Checks.ts"
import { EngineEnd } from "../../src/app/gateway-check/EngineEnd.ts"
import * as SystemIds from "../../src/layers/ids/SystemIds.ts"
import { phoneOf, talkative } from "../../src/layers/pbx/simulator/Phones.ts"
import { StreamHeaders } from "../../src/domain/ports/calls/StreamHeaders.ts"
import { makeRelayPool } from "../../src/layers/streams/RelayPool.ts"
import { makeWebSocketGateway } from "../support/WebSocketGateway.ts"
import { gatewayId } from "../support/Ids.ts"

const phones: Phones = { answers: "+99900000001", busy: "+99900000002", silent: "+99900000003", from: "+99900000000" }
const secret = "a-secret-of-checks"

const listening = Effect.acquireRelease(
  Effect.promise(() => EngineEnd.listen({ host: "127.0.0.1", port: 0, secret, tenant_pbx_id: "t1" })),
  (end) => Effect.sync(() => end.close())
)

interface Gateway {
  /** Changes its frames on the way to the engine. */
  readonly change?: (frame: string) => string
  /** Runs only checks whose names contain one of these. Default: all. */
  readonly only?: ReadonlyArray<string>
}

/** The faults that the checks find in the simulated PBX behind a WebSocket. */
const faultsOf = ({ change, only }: Gateway) =>
  Effect.gen(function* () {
    const end = yield* listening
    const { connect } = yield* makeWebSocketGateway({
      url: end.url,
      secret,
      gateway_id: gatewayId("g1"),
      returns: true,
      relay: yield* Effect.provide(makeRelayPool({ allow_insecure: true, allow_private: true }), StreamHeaders.none),
      leave: (_, then) => then({ size_bytes: 44, sha256: "0".repeat(64) }),
      phones: (to) => (to === phones.answers ? talkative(300, 60_000) : phoneOf(to)),
      ...(change && { change })
    })
    yield* connect
    const wanted = ({ name }: Check) => only === undefined || only.some((part) => name.includes(part))
    const { alone, together } = checks(false)
    const verdicts = yield* Effect.promise(() =>
      judge(end, phones, { alone: alone.filter(wanted), together: together.filter(wanted) })
    )
    return verdicts.flatMap(({ fault, name }) => (fault === undefined ? [] : [`${name}: ${fault}`]))
  }).pipe(Effect.scoped, Effect.orDie, Effect.provide(SystemIds.layer))

const seqs = (by: (seq: number) => number) => (frame: string) =>
  frame.replaceAll(/"seq":(\d+)/g, (_, seq) => `"seq":${by(Number(seq))}`)

/** What is wrong with a gateway, the change that makes it so, the check that finds it, and the check's message. */
const broken: ReadonlyArray<[string, (frame: string) => string, string, string]> = [
  ["numbers its events from 0", seqs((seq) => seq - 1), "rings a phone", "an event is not as the protocol says"],
  ["leaves gaps between its events", seqs((seq) => seq * 2 - 1), "rings a phone", "numbered 1, 3"],
  [
    "attests the number of a phone that it was told to call",
    (frame) => frame.replaceAll(`"data":{}`, `"data":{"attestation":"A"}`),
    "rings a phone",
    "which only inbound calls have"
  ],
  [
    "calls a busy phone unavailable",
    (frame) => frame.replaceAll(`"sip_code":486`, `"sip_code":480`),
    "busy",
    "sip_code 480"
  ],
  [
    "names another command when it has spoken",
    (frame) => frame.replaceAll(/"command_id":"[^"]*"/g, `"command_id":"x"`),
    "speaks",
    "command x"
  ],
  [
    "does not answer pings",
    (frame) => (frame.includes(`"pong"`) ? `{"type":"ack","command_ids":[]}` : frame),
    "ping",
    "pong"
  ],
  [
    "acknowledges nothing",
    (frame) => frame.replaceAll(/"command_ids":\[.*\]/g, `"command_ids":[]`),
    "rings a phone",
    "the acknowledgement"
  ],
  [
    "rings for a call that is over",
    (frame) => frame.replaceAll(`"state":"absent"`, `"state":"ringing"`),
    "not_after",
    "says ringing and not absent"
  ],
  [
    "reports another end of a stream that it was told to stop",
    (frame) => frame.replaceAll(`"result":"completed"`, `"result":"remote_closed"`),
    "streams the audio",
    "remote_closed and not completed"
  ],
  [
    "does not report a stream that could not be connected",
    (frame) => frame.replaceAll(`"connect_failed"`, `"completed"`),
    "cannot be connected",
    "completed and not connect_failed"
  ],
  [
    "says that a trunk is reached whose host nobody has",
    (frame) => frame.replaceAll(`"reachable":false`, `"reachable":true`),
    "trunk of the chat app",
    "says reachable true"
  ],
  [
    "does not tell the state of a trunk that is probed",
    (frame) => frame.replaceAll(/"trunk_id":"chatapp-/g, `"trunk_id":"other-`),
    "trunk of the chat app",
    "trunk.state of a probed trunk"
  ],
  [
    "does not report why it ended a talk",
    (frame) => frame.replaceAll(`,"reason":"talk_limit"`, ""),
    "by itself at its limit",
    "reason undefined"
  ],
  [
    "reports the end of a talk late",
    (frame) =>
      frame.replaceAll(
        /("type":"leg.hangup".*?"occurred_at":")([^"]+)/g,
        (_, before, at) => before + new Date(Date.parse(at) + 2_000).toISOString()
      ),
    "by itself at its limit",
    "lasted"
  ],
  [
    "gives events a new id each time",
    (frame) =>
      frame.replaceAll(
        /"event_id":"[^"]{8}/g,
        () => `"event_id":"${Math.random().toString(16).slice(2, 10).padEnd(8, "0")}`
      ),
    "until it is acknowledged",
    "again"
  ]
]

describe("the conformance check", { concurrent: true }, () => {
  it.live(
    "passes the simulated PBX",
    () => Effect.map(faultsOf({}), (faults) => assert.deepStrictEqual(faults, [])),
    60_000
  )

  it.live(
    "finds each of these faults of a gateway",
    () =>
      Effect.forEach(
        broken,
        ([what, change, only, said]) =>
          Effect.map(faultsOf({ change, only: [only] }), (faults) => {
            assert.include(faults.join("\n"), said, `a gateway that ${what}`)
          }),
        { concurrency: "unbounded", discard: true }
      ),
    60_000
  )
})
