import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { Call, PlacedCall } from "../../../../src/domain/calls/state/Call.ts"
import type { CallMessage } from "../../../../src/domain/calls/state/CallCommand.ts"
import { wallTime } from "../../../../src/domain/calls/state/CallTime.ts"
import { decideCall } from "../../../../src/domain/calls/decide/DecideCall.ts"
import { decideInCallTime, planOnTheWall } from "../../../../src/domain/calls/decide/DecideInCallTime.ts"
import { planCall } from "../../../../src/domain/calls/decide/PlanCall.ts"
import { evolveCall } from "../../../../src/domain/calls/decide/EvolveCall.ts"
import { changeOf } from "../../../../src/domain/Decision.ts"
import { recordCall } from "../../../../src/domain/calls/decide/RecordCall.ts"
import type { CallEvent } from "../../../../src/domain/calls/state/CallEvent.ts"
import { answered_at, asking, bridged, minute_at, pbxEvent, placed_at, ringing, saying, settling } from "../Fixtures.ts"

const day_ms = 86_400_000

const set = (call: PlacedCall, by_ms: number): PlacedCall => ({ ...call, clock_set_ms: by_ms })

const eventsOf = (decided: ReturnType<typeof decideCall>): ReadonlyArray<CallEvent> => Result.getOrThrow(decided).events

const leaps = [day_ms, -day_ms, 90_000, -90_000, 1_500]

describe("a call under way when the clock was set", () => {
  const told = (at: number, wall: (at: number) => number): ReadonlyArray<CallMessage> => [
    { _tag: "PbxReported", event: pbxEvent("leg.hangup", 1, {}, wall(at)) },
    { _tag: "PbxReported", event: pbxEvent("leg.answered", 1, {}, wall(at)) },
    { _tag: "ProofOfLife", at: wall(at), tenant_pbx_id: "pbx" },
    { _tag: "SessionUnlisted", at: wall(at) },
    { _tag: "Terminate", source: "workspace", cause: "canceled_by_workspace" },
    { _tag: "PrepaidTimeEnded", minutes: 1 },
    { _tag: "MaxDurationReached" },
    { _tag: "RingTimedOut" },
    { _tag: "SessionLost" },
    { _tag: "HangupUnconfirmed" }
  ]

  const cases = { ringing, asking, saying, bridged, settling }
  it.each(Object.entries(cases))("decides as if it had not been set: %s", (_name, call) => {
    for (const by_ms of leaps)
      for (const at of [answered_at, answered_at + 20_000, minute_at, minute_at + 1_000]) {
        const same = told(at, (instant) => instant)
        const converted = told(at, (instant) => instant + by_ms)
        same.forEach((command, index) =>
          assert.deepStrictEqual(
            eventsOf(decideInCallTime(set(call, by_ms), converted[index]!, at + by_ms)),
            eventsOf(decideCall(call, command, at)),
            `${command._tag} after ${by_ms} ms`
          )
        )
      }
  })

  it.each(Object.entries(cases))("plans the same on the wall clock: %s", (_name, call) => {
    for (const by_ms of leaps) {
      const due = (works: ReturnType<typeof planCall>, plus: number) =>
        works.map(({ at, key }) => ({ key, ...(at !== undefined && { at: at + plus }) }))
      assert.deepStrictEqual(due(planOnTheWall(set(call, by_ms)), 0), due(planCall(call), by_ms))
    }
  })

  it("tells the PBX and the ringing by the wall clock, and gives a callback its time from when it is asked", () => {
    const works = planOnTheWall(set(ringing, day_ms)).flatMap((work) => (work._tag === "Task" ? [work.work] : []))
    const [sent] = works.flatMap((work) => (work._tag === "SendToPbx" ? [work] : []))
    const rings_until = placed_at + ringing.facts.timeout_seconds * 1_000 + day_ms
    assert.strictEqual(sent?.until, rings_until)
    assert.deepInclude(sent?.command.action, { kind: "originate", not_after: new Date(rings_until).toISOString() })
    // A callback has its time from when it is asked, so no instant of the call's time goes with the question.
    const asked = (works: ReturnType<typeof planCall>) =>
      works.filter((work) => work._tag === "Task" && work.work._tag === "AskCallback")
    assert.lengthOf(asked(planCall(asking)), 1)
    assert.deepStrictEqual(asked(planOnTheWall(set(asking, day_ms))), asked(planCall(asking)))
  })

  it("believes a report that left the PBX before the clock was set", () => {
    const seen_at = minute_at - 500
    for (const by_ms of leaps) {
      const command = { _tag: "PbxReported", event: pbxEvent("leg.hangup", 1, {}, seen_at) } as const
      assert.deepStrictEqual(
        eventsOf(decideInCallTime(set(asking, by_ms), command, minute_at + by_ms)),
        eventsOf(decideCall(asking, command, minute_at))
      )
    }
  })

  it("publishes its events by the wall clock", () => {
    const call = set(asking, day_ms)
    const event: CallEvent = { _tag: "Bridged", at: minute_at }
    const { events } = recordCall(changeOf<Call, CallEvent, typeof call.id>(evolveCall, call, [event], { id: call.id }))
    assert.deepStrictEqual(
      events.map(({ occurred_at }) => occurred_at),
      [wallTime(call, minute_at)]
    )
    assert.strictEqual(wallTime(call, minute_at), minute_at + day_ms)
  })
})
