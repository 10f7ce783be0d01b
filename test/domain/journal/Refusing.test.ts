import { assert, describe, it } from "@effect/vitest"
import { Refusing } from "../../../src/domain/journal/Refusing.ts"
import { type Backlogs, callsFrom, fullFrom, readsFrom } from "../../../src/domain/journal/Shedding.ts"
import { toWorkspaceId } from "../../../src/domain/BrandedIds.ts"
import type { Cause } from "../../../src/domain/overload/Pressure.ts"

const one = toWorkspaceId("01900000-0000-7000-8000-000000000001")
const other = toWorkspaceId("01900000-0000-7000-8000-000000000002")
const calm: Readonly<Record<Cause, number>> = { journal: 0, event_loop: 0, database: 0, requests: 0 }
const waiting = (entries: number): Backlogs => ({
  all: { entries, characters: 0 },
  of: new Map([[one, { entries, characters: 0 }]])
})

/** Looks for half a second at the same signals. */
const made = (backlogs: Backlogs, found: Readonly<Record<Cause, number>> = calm) => {
  let now = 0
  const refusing = new Refusing({ max_requests: 40, event_loop_ms: 50 }, () => now)
  for (; now <= 500; now += 50) refusing.learn(backlogs, found, { now, wait_ms: 0 })
  return refusing
}

describe("what the engine refuses", () => {
  const rows = [
    { what: "nothing waits", refusing: made(waiting(0)), report: { shedding: "nothing" } },
    {
      what: "decisions wait for the journal",
      refusing: made(waiting(readsFrom.entries)),
      report: { shedding: "reads", because: "journal" }
    },
    {
      what: "many decisions wait",
      refusing: made(waiting(callsFrom.entries)),
      report: { shedding: "calls", because: "journal" }
    },
    {
      what: "a signal is far above its limit",
      refusing: made(waiting(0), { ...calm, event_loop: 3 }),
      report: { shedding: "calls", because: "event_loop" }
    },
    {
      what: "the backlog is longer than a signal says",
      refusing: made(waiting(callsFrom.entries), { ...calm, database: 1 }),
      report: { shedding: "calls" }
    }
  ] as const
  for (const { refusing, report, what } of rows)
    it(`is ${report.shedding} when ${what}`, () => {
      assert.deepInclude(refusing.report(), report)
      assert.strictEqual(refusing.isRefusing(), report.shedding !== "nothing")
    })

  it("is first refused to the workspace whose decisions wait", () => {
    const refusing = made(waiting(readsFrom.entries))
    assert.isTrue(refusing.refuses(one, "reads"))
    assert.isFalse(refusing.refuses(other, "reads"))
    assert.isFalse(refusing.refuses(one, "calls"))
  })

  it("is everything but what ends work when the backlog is full, or so many requests are in work", () => {
    assert.isTrue(made(waiting(fullFrom.entries)).isFull())
    const refusing = made(waiting(0))
    for (let nth = 0; nth < 40; nth++) refusing.began()
    assert.isTrue(refusing.isFull())
    refusing.ended()
    assert.isFalse(refusing.isFull())
  })

  it("is a kind to the workspace that has a quarter of all requests in work", () => {
    const refusing = made(waiting(0))
    for (let nth = 0; nth < 10; nth++) refusing.admitted(one, "reads")
    assert.isTrue(refusing.refuses(one, "reads"))
    assert.isFalse(refusing.refuses(one, "calls"))
    refusing.finished(one, "reads")
    assert.isFalse(refusing.refuses(one, "reads"))
    assert.isFalse(refusing.isRefusing())
  })
})
