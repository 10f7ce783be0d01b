import { assert, describe, it } from "@effect/vitest"
import type { Outcome } from "../../../src/domain/webhooks/DeliveryRecord.ts"
import { notSent, secretUnset } from "../../../src/domain/webhooks/Settlement.ts"
import type { PresentSubscription, SubscriptionEvent } from "../../../src/domain/webhooks/Subscription.ts"
import { after, decide, due, finished, load, loaded, outcome, poked } from "../../support/Subscriptions.ts"

describe("attempts that end together", () => {
  const day = 86_400_000
  const ends: ReadonlyArray<Outcome> = [
    outcome(200),
    outcome(500),
    outcome(410),
    outcome(null, notSent),
    outcome(null, secretUnset)
  ]
  const failing = after(loaded, finished("b", 4, outcome(500)), day)
  const starts = [
    load(
      poked,
      ["a", "b", "c"].map((id) => due(id))
    ),
    load(
      failing,
      ["a", "b", "c"].map((id) => due(id)),
      { revision: 99 }
    )
  ]

  it.each(["a b c", "c a b", "a z b", "a a b"])("are decided as if each had been told alone: %s", (order) => {
    const ids = order.split(" ")
    for (const start of starts)
      for (const one of ends)
        for (const two of ends)
          for (const three of ends) {
            const told = [one, two, three].map((ended, n) => finished(ids[n]!, 1, ended))
            const alone = told.reduce<{ events: ReadonlyArray<SubscriptionEvent>; state: PresentSubscription }>(
              ({ events, state }, command) => {
                const next = decide(state, command, 7 * day)
                return { events: [...events, ...next.events], state: next.state }
              },
              { events: [], state: start }
            )
            const attempts = told.flatMap((command) => command.attempts)
            const { events, state, volatile } = decide(start, { _tag: "AttemptsFinished", attempts }, 7 * day)
            assert.deepStrictEqual({ events, state }, alone)
            assert.strictEqual(volatile, events.length > 0 && events.every(({ _tag }) => _tag === "DeliveryReturned"))
          }
  })
})
