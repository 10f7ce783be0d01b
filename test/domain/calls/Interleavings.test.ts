// Every order in which up to four legs of a dial can ring, answer, refuse and run out of time, with the caller leaving
// at any point: whom the call that dials connects, and what it lets go.
import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import type { Call } from "../../../src/domain/calls/state/Call.ts"
import type { CallCommands, CallMessage } from "../../../src/domain/calls/state/CallCommand.ts"
import type { Tag } from "../../../src/domain/Command.ts"
import { evolveCall } from "../../../src/domain/calls/decide/EvolveCall.ts"
import { decideCall } from "../../../src/domain/calls/decide/DecideCall.ts"
import { planCall } from "../../../src/domain/calls/decide/PlanCall.ts"
import { became, doing, minute_at, say } from "./Fixtures.ts"
import { type CallId, toSessionId } from "../../../src/domain/BrandedIds.ts"

type Step = "answer" | "busy" | "timeout"
const steps: ReadonlyArray<Step> = ["answer", "busy", "timeout"]

interface World {
  readonly call: Call
  /** What became of each leg: it rings, is talked on, was told to end, or ended by itself. */
  readonly legs: ReadonlyMap<CallId, "ringing" | "talking" | "lost" | "over">
  /** Legs that were ever connected. */
  readonly connected: number
}

const tell = <T extends Tag<CallCommands>>(call: Call, command: { readonly _tag: T } & CallMessage<T>) => {
  const { events, reply } = Result.getOrThrow(decideCall(call, command, minute_at))
  return { call: events.reduce(evolveCall, call), reply }
}

/** The legs that the plan wants come into being, and those that it stops end. */
const settle = (world: World): World => {
  let { call } = world
  const legs = new Map(world.legs)
  for (let changed = true; changed;) {
    changed = false
    for (const work of planCall(call)) {
      if (work._tag !== "Task") continue
      if (work.work._tag === "StartChild") {
        const child_call_id = work.work.leg.call_id
        legs.set(child_call_id, "ringing")
        call = tell(call, { _tag: "ChildStarted", child_call_id }).call
      } else if (work.work._tag === "StopChild") {
        const { child_call_id } = work.work
        if (legs.has(child_call_id)) legs.set(child_call_id, "over")
        call = tell(call, { _tag: "ChildStopped", child_call_id, found: legs.has(child_call_id) }).call
      } else if (work.work._tag === "ReleaseSpareHold") {
        call = tell(call, { _tag: "SpareHoldReleased", hold_id: work.work.hold_id }).call
      } else continue
      changed = true
      break
    }
  }
  return { ...world, call, legs }
}

const happen = (world: World, child_call_id: CallId, step: Step): World => {
  const legs = new Map(world.legs)
  if (step !== "answer") {
    legs.set(child_call_id, "over")
    const status = step === "busy" ? "busy" : "no_answer"
    const { call } = tell(world.call, {
      _tag: "ChildChanged",
      child_call_id,
      status,
      sip_code: null,
      duration_seconds: null
    })
    return settle({ ...world, call, legs })
  }
  const { call, reply: won } = tell(world.call, {
    _tag: "ChildPickedUp",
    child_call_id,
    session_id: toSessionId(`HD_${child_call_id.slice(-4)}`)
  })
  legs.set(child_call_id, won ? "talking" : "lost")
  return settle({ call, legs, connected: world.connected + (won ? 1 : 0) })
}

const leave = (world: World): World =>
  settle({ ...world, call: tell(world.call, { _tag: "Terminate", source: "caller", cause: "normal_clearing" }).call })

const begin = (legs: number, more: { readonly sequential?: boolean; readonly first_answer_wins?: boolean }): World => {
  const numbers = Array.from({ length: legs }, (_, index) => `+25470000000${index}`)
  const call = became(doing({ dial: { numbers, ...more } }, say), { _tag: "DialSurveyed" })
  return settle({ call, legs: new Map(), connected: 0 })
}

/** Walks every way on from here and says how many there were. `at_most` legs may ever be connected. */
const walk = (world: World, at_most: number): number => {
  const of = (state: string) => [...world.legs].filter(([, is]) => is === state).map(([id]) => id)
  expect(world.connected).toBeLessThanOrEqual(at_most)
  const dialled = new Set(
    world.call.dial?.legs.filter(({ phase }) => phase === "ringing" || phase === "joined").map(({ call_id }) => call_id)
  )
  expect(new Set([...of("ringing"), ...of("talking")])).toEqual(dialled)
  if (world.call.phase === "answered") {
    const gone = leave(world)
    expect([...gone.legs.values()].filter((is) => is === "ringing" || is === "talking")).toEqual([])
    expect([gone.call.stopping, gone.call.spare_hold_ids]).toEqual([[], []])
    // Whoever picks up now is too late, and is told so.
    for (const id of of("ringing")) {
      const { reply } = tell(gone.call, { _tag: "ChildPickedUp", child_call_id: id, session_id: toSessionId("HD_1") })
      expect(reply).toBe(false)
    }
  }
  let ways = 1
  for (const id of of("ringing")) for (const step of steps) ways += walk(happen(world, id, step), at_most)
  if (of("ringing").length === 0 && of("talking").length === 0) {
    expect(world.call.script?.index).toBe(1)
    expect([world.call.stopping, world.call.spare_hold_ids]).toEqual([[], []])
  }
  return ways
}

/** How many ways there are with `legs` that ring: each can be busy, time out or answer, and then the rest goes on. */
const atOnceForOne = (legs: number): number => (legs === 0 ? 1 : 1 + legs * (2 * atOnceForOne(legs - 1) + 1))
const atOnceForAll = (legs: number): number => (legs === 0 ? 1 : 1 + legs * 3 * atOnceForAll(legs - 1))
const inOrderForOne = (legs: number): number => (legs === 0 ? 1 : 2 + 2 * inOrderForOne(legs - 1))

describe("every way that a dial of up to four legs can go", () => {
  it.each([
    ["all at once for one answer", {}, () => 1, atOnceForOne],
    ["all at once for every answer", { first_answer_wins: false }, (legs: number) => legs, atOnceForAll],
    ["in order for one answer", { sequential: true }, () => 1, inOrderForOne]
  ] as const)("%s", (_name, more, at_most, expected) => {
    for (const legs of [1, 2, 3, 4]) expect(walk(begin(legs, more), at_most(legs)), `${legs} legs`).toBe(expected(legs))
  })

  it("of two simultaneous answers, in either order, one is connected and one is hung up", () => {
    for (const order of [
      [0, 1],
      [1, 0]
    ]) {
      const world = begin(2, {})
      const ids = [...world.legs.keys()]
      const picked = order.map(
        (index) =>
          ({ _tag: "ChildPickedUp", child_call_id: ids[index]!, session_id: toSessionId(`HD_${index}`) }) as const
      )
      const first = tell(world.call, picked[0]!)
      const second = tell(first.call, picked[1]!)
      expect([first.reply, second.reply]).toEqual([true, false])
      expect(second.call.stopping).toEqual([{ call_id: picked[1]!.child_call_id, cause: "answered_elsewhere" }])
    }
  })
})
