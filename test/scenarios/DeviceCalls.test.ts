import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import type { Extension } from "../../src/domain/credentials/Extension.ts"
import { CallReads } from "../../src/domain/ports/calls/CallReads.ts"
import { type Caller, type Phone, talkative } from "../../src/layers/pbx/simulator/Phones.ts"
import { type EngineOptions, PbxSimulator, TestEngine, workspace } from "../../src/testing.ts"
import { charges, ended, kinds, look, pass, scenario } from "../support/Scenario.ts"
import { credentialId, numberId } from "../support/Ids.ts"
import { toSessionId } from "../../src/domain/BrandedIds.ts"

const extension = (extension: string): Extension => ({
  credential_id: credentialId(extension),
  extension,
  username: `${extension}-device`,
  number_id: numberId(workspace.number_id),
  number: workspace.number,
  display_name: null
})
const options: EngineOptions = {
  extensions: [extension("1001"), extension("1002")],
  phones: () => talkative(2_000, 90_000)
}
const busy: Phone = { steps: [{ kind: "refuses", after_ms: 500, sip_code: 486, q850: 17, source: "callee" }] }

const held = Effect.flatMap(TestEngine, ({ held_minor }) => held_minor)

/** A call from a device of the first extension. */
const dial = (to: string, more: Partial<Caller> = {}) =>
  Effect.gen(function* () {
    const { dialIn } = yield* PbxSimulator
    const reads = yield* CallReads
    const session_id = yield* dialIn({
      tenant_pbx_id: workspace.tenant_pbx_id,
      from: "1001-device",
      to,
      device: "ws",
      ...more
    })
    yield* pass(0)
    return (yield* Effect.orDie(reads.find(workspace.id, toSessionId(session_id))))!
  })

/** What was said last to the party of a live session. */
const said = (session_id: string) =>
  Effect.flatMap(PbxSimulator, ({ look }) => Effect.map(look(toSessionId(session_id)), (session) => session?.said))

const nothingLeft = Effect.gen(function* () {
  assert.deepStrictEqual(yield* Effect.flatMap(PbxSimulator, ({ live_sessions }) => live_sessions), [])
  assert.strictEqual(yield* held, 0)
})

describe("a call from a browser", () => {
  scenario(
    "rings the number with the extension's caller id, and is charged by the minute until one side hangs up",
    options,
    Effect.gen(function* () {
      const call = yield* dial("+254711000001")
      assert.deepInclude(call, {
        direction: "outbound",
        kind: "webrtc",
        status: "ringing",
        from: workspace.number,
        to: "+254711000001",
        caller_id: workspace.number,
        number_id: workspace.number_id,
        metadata: { extension: "1001" },
        rate_per_min_minor: 0
      })
      assert.strictEqual(yield* held, workspace.rate_per_min_minor)
      yield* pass(100)
      const after = yield* look(call.id)
      ended(after, { status: "completed", cost_minor: 0 })
      ended(yield* look(after.child_call_ids[0]!), {
        direction: "outbound",
        kind: "dial",
        parent_call_id: call.id,
        to: "+254711000001",
        caller_id: workspace.number,
        status: "completed",
        duration_seconds: 90,
        cost_minor: 2 * workspace.rate_per_min_minor
      })
      assert.deepStrictEqual(
        (yield* charges).map(({ amount_minor }) => amount_minor).filter((amount) => amount !== 0),
        [-2 * workspace.rate_per_min_minor]
      )
      assert.deepStrictEqual(yield* kinds(call.id), ["call.ringing", "call.answered", "call.bridged", "call.completed"])
      yield* nothingLeft
    })
  )

  scenario(
    "may dial national numbers and extensions",
    options,
    Effect.gen(function* () {
      for (const [dialled, to] of [
        ["0711000001", "+254711000001"],
        ["sip:+254711000001@pbx.example", "+254711000001"],
        ["1002", "1002"]
      ] as const) {
        const call = yield* dial(dialled)
        assert.strictEqual(call.to, to)
        yield* pass(100)
        const { child_call_ids, status } = yield* look(call.id)
        assert.deepStrictEqual([status, child_call_ids.length], ["completed", 1])
        const { cost_minor } = yield* look(child_call_ids[0]!)
        assert.strictEqual(cost_minor, dialled === "1002" ? 0 : 2 * workspace.rate_per_min_minor)
      }
      yield* nothingLeft
    })
  )

  scenario(
    "has no attestation, whatever its PBX says",
    options,
    Effect.gen(function* () {
      assert.deepInclude(yield* dial("+254711000001", { attestation: "A" }), { kind: "webrtc", attestation: null })
      yield* pass(100)
      yield* nothingLeft
    })
  )

  const refusals: ReadonlyArray<[string, string, Partial<Caller>, EngineOptions]> = [
    ["a country that may not be called", "+33612345678", {}, {}],
    ["an emergency number", "999", {}, {}],
    ["no number", "hello", {}, {}],
    ["anything, from a device that nobody knows", "+254711000001", { from: "9999-device" }, {}],
    ["anything, where the workspace is suspended", "+254711000001", {}, { status: "suspended" }]
  ]
  for (const [name, to, more, changes] of refusals) {
    scenario(
      `is refused and costs nothing when it dials ${name}`,
      { ...options, ...changes },
      Effect.gen(function* () {
        const call = yield* dial(to, more)
        yield* pass(10)
        const after = yield* look(call.id)
        assert.strictEqual(after.status, "failed")
        assert.deepStrictEqual(yield* charges, [])
        yield* nothingLeft
      })
    )
  }

  const spoken: ReadonlyArray<[string, string, string, EngineOptions & { readonly money?: number }]> = [
    ["a number without a rate", "+33612345678", "There is no rate for this destination.", {}],
    [
      "a blocked number",
      "+254733000000",
      "Calls to this prefix are blocked.",
      { calling_policy: { blocked_prefixes: ["254733"] } }
    ],
    ["an emergency number", "999", "Emergency services cannot be called from here. Use a local phone.", {}]
  ]
  for (const [name, to, text, changes] of spoken) {
    scenario(
      `is told why it is refused, and the line is dropped, when it dials ${name}`,
      { ...options, ...changes },
      Effect.gen(function* () {
        const call = yield* dial(to)
        assert.strictEqual(yield* said(call.session_id), text)
        yield* pass(10)
        ended(yield* look(call.id), {
          status: "failed",
          hangup_cause: "destination_refused",
          hangup_source: "platform",
          answered_at: null,
          cost_minor: 0
        })
        assert.deepStrictEqual(yield* charges, [])
        yield* nothingLeft
      })
    )
  }

  scenario(
    "is told that there are no funds, and the line is dropped",
    { ...options, money: 100 },
    Effect.gen(function* () {
      const call = yield* dial("+254711000001")
      assert.strictEqual(yield* said(call.session_id), "There are not enough funds for this call.")
      yield* pass(10)
      ended(yield* look(call.id), { status: "failed", hangup_cause: "insufficient_funds", cost_minor: 0 })
      yield* nothingLeft
    })
  )

  scenario(
    "gets the busy response of the called phone",
    { ...options, phones: () => busy },
    Effect.gen(function* () {
      const call = yield* dial("+254711000001")
      yield* pass(5)
      ended(yield* look(call.id), { status: "busy", hangup_cause: "user_busy", cost_minor: 0 })
      yield* nothingLeft
    })
  )

  scenario(
    "cancels the ringing leg when it hangs up",
    options,
    Effect.gen(function* () {
      const call = yield* dial("+254711000001", { gives_up_after_ms: 1_000 })
      yield* pass(5)
      const after = yield* look(call.id)
      ended(after, { status: "canceled", cost_minor: 0 })
      ended(yield* look(after.child_call_ids[0]!), { status: "canceled", cost_minor: 0 })
      yield* nothingLeft
    })
  )
})

scenario(
  "a registered phone places calls in the same way",
  options,
  Effect.gen(function* () {
    const call = yield* dial("+254711000001", { device: "udp", talks_ms: 10_000 })
    assert.deepInclude(call, { direction: "outbound", kind: "sip", from: workspace.number })
    yield* pass(60)
    ended(yield* look(call.id), { status: "completed" })
    yield* nothingLeft
  })
)
