import { assert, describe, it } from "@effect/vitest"
import { heldSteps, stateAt } from "../../console/src/pages/call/InstantState.ts"
import { placeLanes } from "../../console/src/pages/call/Placement.ts"
import { chainOf, timelineModel } from "../../console/src/pages/call/TimelineModel.ts"
import { timeScale } from "../../console/src/pages/call/TimeScale.ts"
import { call_id, entry, leg_id } from "./support/Entries.ts"

const delivery = { delivery_id: "d1", subscription_id: "s1" }

const entries = [
  entry(0, "hold.placed", { hold_id: "h1", amount_minor: 300 }),
  entry(0, "call.ringing", { status: "ringing" }),
  entry(5, "webhook.queued", delivery),
  entry(9, "webhook.attempt", { ...delivery, duration_ms: 40, http_status: 503, error: null }),
  entry(1_000, "call.answered", { status: "answered" }),
  entry(1_000, "callback.asked", { step: 0, reason: "answered" }),
  entry(1_010, "callback.attempt", { step: 0, duration_ms: 150, http_status: 200, error: null }),
  entry(1_170, "callback.answered", { step: 0, actions: 1 }),
  entry(1_170, "action.started", { step: 0, verb: "dial" }),
  entry(1_200, "hold.placed", { hold_id: "h2", amount_minor: 500 }, { call_id: leg_id }),
  entry(1_210, "call.ringing", {}, { call_id: leg_id }),
  entry(51_000, "hold.extended", { hold_id: "h1", amount_minor: 600 }),
  entry(70_000, "call.progress", { step: "muted" }),
  entry(80_000, "hold.captured", { hold_id: "h1", captured_minor: 600 }),
  entry(80_000, "charge.booked", { amount_minor: -600 }),
  entry(80_000, "call.completed", {})
]

describe("the model of a timeline", () => {
  const model = timelineModel(entries)
  const mark = (id: string) => model.marks.find((each) => each.id === id)

  it("draws an answer at its attempt, and a queued delivery at its first attempt", () => {
    assert.strictEqual(model.markOf.get("callback.asked@1000"), "callback.attempt@1010")
    assert.strictEqual(model.markOf.get("callback.answered@1170"), "callback.attempt@1010")
    assert.strictEqual(model.markOf.get("webhook.queued@5"), "webhook.attempt@9")
    assert.isUndefined(mark("webhook.queued@5"))
  })

  it("gives an attempt the length that it took, and marks one that failed", () => {
    assert.deepInclude(mark("callback.attempt@1010"), { from: 1_010, to: 1_160, failed: false, form: "bar" })
    assert.deepInclude(mark("webhook.attempt@9"), { failed: true, label: "503" })
  })

  it("ends an action without an end of its own with its call", () => {
    assert.deepInclude(mark("action.started@1170"), { to: 80_000, label: "dial" })
  })

  it("has the ringing and talking of the call and of each leg", () => {
    assert.deepStrictEqual(model.sessions, [
      { call_id, rings: 0, answered: 1_000, ended: 80_000 },
      { call_id: leg_id, rings: 1_210, answered: undefined, ended: undefined }
    ])
  })

  it("follows the causes of an entry back to the first, and stops where they go in a circle", () => {
    const all = new Map(
      [
        entry(0, "a", {}, { id: "a" }),
        entry(1, "b", {}, { id: "b", caused_by: "a" }),
        entry(2, "c", {}, { id: "c", caused_by: "b" }),
        entry(3, "d", {}, { id: "d", caused_by: "d" })
      ].map((each) => [each.id, each])
    )
    assert.deepStrictEqual(
      chainOf(all, "c").map(({ id }) => id),
      ["a", "b", "c"]
    )
    assert.deepStrictEqual(
      chainOf(all, "d").map(({ id }) => id),
      ["d"]
    )
  })

  it("of a timeline without entries is empty", () => {
    assert.deepInclude(timelineModel([]), { marks: [], sessions: [], last: 0 })
  })
})

describe("the state of a call at an instant", () => {
  const began_at = Date.parse(entries[0]?.at ?? "")
  const at = (ms: number) => stateAt(entries, call_id, began_at, ms)

  it("is that of the entries until then", () => {
    assert.deepInclude(at(500), { status: "ringing", ended: false, muted: false, doing: undefined })
    assert.deepInclude(at(1_100), { status: "answered", doing: { what: "Asks the callback", since_ms: 1_000 } })
    assert.deepInclude(at(60_000), { doing: { what: "Dials", since_ms: 1_170 }, charged_minor: 0 })
    assert.deepInclude(at(70_000), { muted: true })
    assert.deepInclude(at(80_000), { status: "completed", ended: true, charged_minor: 600, doing: undefined })
  })

  it("knows what is set aside for the call and for its legs", () => {
    assert.deepStrictEqual(
      heldSteps(entries, call_id, began_at).map(({ call_minor, legs_minor }) => [call_minor, legs_minor]),
      [
        [300, 0],
        [300, 500],
        [600, 500],
        [0, 500]
      ]
    )
  })
})

describe("the places of marks", () => {
  const place = (marks: ReadonlyArray<ReturnType<typeof entry>>, width: number) => {
    const model = timelineModel(marks)
    const scale = timeScale([], model.last, false)
    const nameOf = (id: string) => id
    return placeLanes({ model, scale, width, last: model.last, call_id, nameOf, max_legs: 3 })
  }
  const progress = (count: number) =>
    Array.from({ length: count }, (_, index) => entry(index * 10, "call.progress", { step: String(index) }))

  it("keep points apart, and count those that have no room", () => {
    const [lane] = place([...progress(400), entry(10_000, "call.completed")], 600)
    const xs = lane?.marks.map(({ x }) => x) ?? []
    for (const [index, x] of xs.entries()) assert.isAtLeast(x - (xs[index - 1] ?? -13), 13 - 1e-9)
    const drawn = lane?.marks.reduce((sum, { group }) => sum + group.length, 0)
    assert.strictEqual(drawn, 401)
    assert.isTrue(lane?.marks.some(({ group }) => group.length > 1))
  })

  it("are true where there is room", () => {
    const [lane] = place([entry(0, "call.ringing"), entry(500, "call.answered"), entry(1_000, "call.completed")], 1_000)
    assert.deepStrictEqual(
      lane?.marks.map(({ x }) => x),
      [0, 500, 1_000]
    )
  })

  it("leave out lanes in which nothing happened", () => {
    assert.deepStrictEqual(
      place([entry(0, "call.ringing"), entry(10, "hold.placed", { amount_minor: 1 })], 500).map(({ lane }) => lane),
      ["pbx", "money"]
    )
  })
})
