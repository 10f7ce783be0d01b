import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, FiberSet } from "effect"
import { TestClock } from "effect/testing"
import { Timers } from "../../../../src/actors/runtime/Timers.ts"
import type { PbxAction, PbxCommand } from "../../../../src/domain/pbx/PbxCommand.ts"
import type { PbxEvent } from "../../../../src/domain/pbx/PbxEvent.ts"
import { instant, type Phone, phoneOf } from "../../../../src/layers/pbx/simulator/Phones.ts"
import { SimulatedPbx } from "../../../../src/layers/pbx/simulator/SimulatedPbx.ts"
import { toSessionId } from "../../../../src/domain/BrandedIds.ts"

const makePbx = Effect.fnUntraced(function* (phones: (to: string) => Phone = phoneOf) {
  const clock = yield* Clock.Clock
  const timers = new Timers(clock, yield* FiberSet.makeRuntime())
  const events: Array<PbxEvent> = []
  /** Sessions whose end the engine has not acknowledged. */
  const owed = new Set<string>()
  let ids = 0
  const pbx = new SimulatedPbx({
    phones,
    timers,
    now: () => clock.currentTimeMillisUnsafe(),
    uuid: () => `00000000-0000-7000-8000-${String(++ids).padStart(12, "0")}`,
    report: (event) => events.push(event),
    owesEnd: (session_id) => owed.has(session_id)
  })
  let commands = 0
  const carryOut = (action: PbxAction, session_id = "HD_1", id = `c${++commands}`): PbxCommand => {
    const command: PbxCommand = { id, session_id: toSessionId(session_id), tenant_pbx_id: "t1", seq: 1, action }
    pbx.carryOut(command)
    return command
  }
  const call = (to: string, session_id = "HD_1", timeout_seconds = 30) =>
    carryOut({ kind: "originate", to, from: "+254200000000", caller_id: "+254200000000", timeout_seconds }, session_id)
  /** The events since the previous call, each with its time in seconds. */
  const told = (): ReadonlyArray<string> =>
    events.splice(0).map(({ data, occurred_at, type }) => {
      const second = Date.parse(occurred_at) / 1000
      return `${second} ${type}${data.sip_code === undefined ? "" : ` ${data.sip_code}`}`
    })
  return { pbx, events, owed, carryOut, call, told }
})

const hangup: PbxAction = { kind: "hangup", cause: "normal_clearing" }

describe("the scripted phones", () => {
  const until = (seconds: number) => TestClock.adjust(seconds * 1000)
  const rows: ReadonlyArray<[string, string, ReadonlyArray<string>]> = [
    [
      "…001 answers after 2 s and talks 65 s",
      "+99900000001",
      ["0 session.created", "0.1 leg.ringing 180", "2 leg.answered 200", "67 leg.hangup 200"]
    ],
    ["…002 is busy", "+99900000002", ["0 session.created", "0.5 leg.hangup 486"]],
    ["…003 never answers", "+99900000003", ["0 session.created", "0.1 leg.ringing 180", "30 leg.hangup 408"]],
    ["…004 fails", "+99900000004", ["0 session.created", "0.2 leg.hangup 503"]],
    ["…005 waits for a cancel", "+99900000005", ["0 session.created", "0.1 leg.ringing 180", "30 leg.hangup 408"]],
    [
      "…006 is a machine",
      "+99900000006",
      ["0 session.created", "0.1 leg.ringing 180", "1 leg.answered 200", "2 machine.detected", "31 leg.hangup 200"]
    ],
    ["…008 is lost at 30 s", "+99900000008", ["0 session.created", "0.1 leg.ringing 180", "1 leg.answered 200"]],
    [
      "…009 is reported twice and out of order",
      "+99900000009",
      [
        "0 session.created",
        "0 session.created",
        "1 leg.answered 200",
        "0.1 leg.ringing 180",
        "1 leg.answered 200",
        "0.1 leg.ringing 180",
        "31 leg.hangup 200",
        "31 leg.hangup 200"
      ]
    ],
    [
      "every other answers after 1 s and hangs up after 30 s",
      "+254711223344",
      ["0 session.created", "0.1 leg.ringing 180", "1 leg.answered 200", "31 leg.hangup 200"]
    ]
  ]
  for (const [name, to, expected] of rows) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const { call, pbx, told } = yield* makePbx()
        call(to)
        yield* until(80)
        assert.deepStrictEqual(
          told().filter((line) => !line.includes("heartbeat")),
          expected
        )
        assert.deepStrictEqual(pbx.live, [])
      })
    )
  }

  it.effect("number the events of a session from 1 without gaps, even the erratic phone", () =>
    Effect.gen(function* () {
      const { call, events } = yield* makePbx()
      call("+99900000009")
      yield* until(80)
      const session = events.filter(({ session_id }) => session_id === "HD_1")
      assert.deepStrictEqual([...new Set(session.map(({ seq }) => seq))].sort(), [1, 2, 3, 4])
      assert.strictEqual(new Set(session.map(({ event_id }) => event_id)).size, 4)
    })
  )

  it.effect("include an instant phone that answers before the command returns", () =>
    Effect.gen(function* () {
      const { call, told } = yield* makePbx(() => instant)
      call("+254711223344")
      assert.deepStrictEqual(told(), ["0 session.created", "0 leg.ringing 180", "0 leg.answered 200"])
    })
  )
})

describe("commands", () => {
  it.effect("a hang-up cancels a ringing leg or ends an answered one, and drops the rest of the script", () =>
    Effect.gen(function* () {
      const { call, carryOut, pbx, told } = yield* makePbx()
      call("+99900000001", "HD_1")
      call("+99900000001", "HD_2")
      yield* TestClock.adjust("1 second")
      carryOut(hangup, "HD_1")
      yield* TestClock.adjust("9 seconds")
      told()
      carryOut(hangup, "HD_2")
      assert.deepStrictEqual(told(), ["10 leg.hangup 200"])
      assert.deepStrictEqual(pbx.live, [])
      yield* TestClock.adjust("100 seconds")
      assert.deepStrictEqual(told(), [])
    })
  )

  it.effect("a cancelled call reports 487, and …005 answers it in the same tick", () =>
    Effect.gen(function* () {
      const { call, carryOut, told } = yield* makePbx()
      call("+99900000003", "HD_1")
      call("+99900000005", "HD_2")
      yield* TestClock.adjust("3 seconds")
      told()
      carryOut(hangup, "HD_1")
      assert.deepStrictEqual(told(), ["3 leg.hangup 487"])
      carryOut(hangup, "HD_2")
      assert.deepStrictEqual(told(), ["3 leg.answered 200", "3 leg.hangup 200"])
    })
  )

  it.effect("spoken texts play one after the other, and each is reported with its command", () =>
    Effect.gen(function* () {
      const { call, carryOut, events } = yield* makePbx()
      call("+99900000001")
      yield* TestClock.adjust("2 seconds")
      events.splice(0)
      const long = carryOut({ kind: "say", text: "x".repeat(50), loop: 2 })
      const short = carryOut({ kind: "say", text: "Hi", loop: 1 })
      yield* TestClock.adjust(5999)
      assert.deepStrictEqual(events, [])
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(
        events.splice(0).map(({ data }) => data),
        [{ command_id: long.id, result: "completed", duration_ms: 6000 }]
      )
      yield* TestClock.adjust(500)
      assert.deepStrictEqual(
        events.map(({ data }) => data.command_id),
        [short.id]
      )
    })
  )

  it.effect("speech to a phone that has not answered fails, and ends with the call", () =>
    Effect.gen(function* () {
      const { call, carryOut, events } = yield* makePbx()
      call("+99900000001")
      const { id } = carryOut({ kind: "say", text: "Hi", loop: 1 })
      assert.deepStrictEqual(events.at(-1)!.data, { command_id: id, result: "failed", error: "not_answered" })
      yield* TestClock.adjust("2 seconds")
      carryOut({ kind: "say", text: "Hello", loop: 1 })
      carryOut(hangup)
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(events.at(-1)!.type, "leg.hangup")
    })
  )

  it.effect("a bridge is reported on both legs, and its end on the remaining leg", () =>
    Effect.gen(function* () {
      const { call, carryOut, events } = yield* makePbx()
      call("+99900000001", "HD_1")
      call("+254711223344", "HD_2")
      yield* TestClock.adjust("2 seconds")
      events.splice(0)
      carryOut({ kind: "bridge", peer_session_id: toSessionId("HD_2") }, "HD_1")
      const legs = () =>
        events
          .splice(0)
          .filter(({ type }) => type !== "heartbeat")
          .map((event) => `${event.session_id} ${event.type} ${event.data.peer_leg_id ?? ""}`)
      assert.deepStrictEqual(legs(), ["HD_1 leg.bridged HD_2", "HD_2 leg.bridged HD_1"])
      yield* TestClock.adjust("29 seconds")
      assert.deepStrictEqual(legs(), ["HD_2 leg.hangup ", "HD_1 leg.unbridged HD_2"])
      carryOut({ kind: "bridge", peer_session_id: toSessionId("HD_2") }, "HD_1")
      assert.strictEqual(events.at(-1)!.data.error, "peer_absent")
    })
  )

  it.effect("a repeated command is carried out once", () =>
    Effect.gen(function* () {
      const { call, carryOut, pbx, told } = yield* makePbx()
      const originate = call("+99900000001")
      pbx.carryOut(originate)
      yield* TestClock.adjust("2 seconds")
      const say = carryOut({ kind: "say", text: "Hi", loop: 1 })
      pbx.carryOut(say)
      yield* TestClock.adjust("10 seconds")
      carryOut(hangup)
      pbx.carryOut(originate)
      yield* TestClock.adjust("100 seconds")
      assert.deepStrictEqual(told(), [
        "0 session.created",
        "0.1 leg.ringing 180",
        "2 leg.answered 200",
        "2.5 playback.finished",
        "12 leg.hangup 200"
      ])
    })
  )

  it.effect("rings nobody again for a session that it has lost, once the call is over", () =>
    Effect.gen(function* () {
      const { carryOut, events, pbx, told } = yield* makePbx()
      const originate: PbxAction = {
        kind: "originate",
        to: "+99900000001",
        from: "+254200000000",
        caller_id: "+254200000000",
        timeout_seconds: 35,
        not_after: "1970-01-01T00:00:30.000Z"
      }
      carryOut(originate, "HD_1", "o1")
      yield* TestClock.adjust("10 seconds")
      assert.isTrue(pbx.lose(toSessionId("HD_1")))
      yield* TestClock.adjust("20 seconds")
      told()
      carryOut(originate, "HD_1", "o1")
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(
        events.map(({ data, type }) => [type, data.state]),
        [["session.snapshot", "absent"]]
      )
      assert.deepStrictEqual(pbx.live, [])
    })
  )

  it.effect("a snapshot reports the state of a session, or that it is absent", () =>
    Effect.gen(function* () {
      const { call, carryOut, events, pbx } = yield* makePbx()
      const state = () => {
        carryOut({ kind: "snapshot" })
        const { data, seq, type } = events.at(-1)!
        return [type, data.state, seq]
      }
      assert.deepStrictEqual(state(), ["session.snapshot", "absent", 2_147_483_647])
      call("+99900000001")
      assert.deepStrictEqual(state(), ["session.snapshot", "ringing", 2])
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(state(), ["session.snapshot", "answered", 5])
      assert.isTrue(pbx.lose(toSessionId("HD_1")))
      assert.deepStrictEqual(state(), ["session.snapshot", "absent", 2_147_483_647])
      carryOut(hangup)
      assert.strictEqual(events.at(-1)!.data.state, "absent")
    })
  )

  it.effect("a remote party may hang up at any time", () =>
    Effect.gen(function* () {
      const { call, pbx, told } = yield* makePbx()
      call("+99900000001")
      yield* TestClock.adjust("1 second")
      told()
      assert.isTrue(pbx.remoteHangup(toSessionId("HD_1")))
      assert.isFalse(pbx.remoteHangup(toSessionId("HD_1")))
      assert.deepStrictEqual(told(), ["1 leg.hangup 603"])
    })
  )
})

it.effect("a heartbeat lists the live sessions of each tenant every 30 s, and is not sent without any", () =>
  Effect.gen(function* () {
    const { call, events, pbx } = yield* makePbx()
    call("+99900000001", "HD_1")
    call("+99900000001", "HD_2")
    pbx.carryOut({
      id: "other",
      session_id: toSessionId("HD_3"),
      tenant_pbx_id: "t2",
      seq: 1,
      action: { kind: "originate", to: "+99900000001", from: "+1", caller_id: "+1", timeout_seconds: 30 }
    })
    yield* TestClock.adjust("30 seconds")
    const beats = () => events.splice(0).filter(({ type }) => type === "heartbeat")
    assert.deepStrictEqual(
      beats().map(({ data, tenant_pbx_id }) => [tenant_pbx_id, data.live_sessions]),
      [
        ["t1", [toSessionId("HD_1"), toSessionId("HD_2")]],
        ["t2", [toSessionId("HD_3")]]
      ]
    )
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(beats().length, 2)
  })
)

it.effect("a session is not reported as absent before its end is acknowledged", () =>
  Effect.gen(function* () {
    const { call, carryOut, owed, told } = yield* makePbx()
    call("+99900000002")
    yield* TestClock.adjust(1000)
    told()
    owed.add("HD_1")
    carryOut({ kind: "snapshot" })
    assert.deepStrictEqual(told(), [])
    owed.delete("HD_1")
    carryOut({ kind: "snapshot" })
    assert.deepStrictEqual(told(), ["1 session.snapshot"])
  })
)
