// What every implementation of the log of events must do.
import { assert, layer as provided } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import type { WorkspaceId } from "../../src/domain/BrandedIds.ts"
import { EventLog } from "../../src/domain/ports/webhooks/EventLog.ts"
import { Journal } from "../../src/domain/ports/engine/Journal.ts"
import { type EventPosition, positionBefore } from "../../src/domain/webhooks/EventPosition.ts"
import { workspaceId } from "../support/Ids.ts"
import { storeEvent } from "../support/StoredEvents.ts"
import { t0 } from "./WebhookEntries.ts"
import { until } from "../support/Until.ts"

const start = positionBefore(0n)

/** Reads until the log has so many events: one can only be read once every transaction before its own has ended. */
export const readAll = (workspace_id: WorkspaceId, count: number, place: EventPosition = start) =>
  Effect.gen(function* () {
    const log = yield* EventLog
    const read = log.after(workspace_id, place, ["call.busy"], 50)
    return yield* until(`log with ${count} events`, read, (events) => events.length >= count)
  })

export const eventLogContract = (name: string, services: Layer.Layer<Journal | EventLog, unknown>) =>
  provided(services)(name, (it) => {
    const ids = <A extends ReadonlyArray<{ readonly position: EventPosition }>>(events: A) =>
      events.map(({ position }) => position.id)

    it.effect("reads each event once, in the order in which it was stored, and only those of the workspace", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(t0)
        const log = yield* EventLog
        const journal = yield* Journal
        const [mine, other] = [workspaceId(randomUUID()), workspaceId(randomUUID())]
        const stored: Array<string> = []
        for (let n = 0; n < 5; n++) {
          stored.push(yield* storeEvent(journal, mine, "call.busy", `{"n":${n}}`))
          yield* storeEvent(journal, other, "call.busy", `{"other":${n}}`)
        }
        const events = yield* readAll(mine, 5)
        assert.deepStrictEqual(ids(events), stored)
        assert.deepStrictEqual(
          events.map(({ payload }) => payload),
          ['{"n":0}', '{"n":1}', '{"n":2}', '{"n":3}', '{"n":4}']
        )
        assert.deepStrictEqual([events[0]!.kind, events[0]!.recorded_at], ["call.busy", t0])
        const rest = yield* log.after(mine, events[1]!.position, ["call.busy"], 2)
        assert.deepStrictEqual(ids(rest), stored.slice(2, 4))
        assert.deepStrictEqual(ids(yield* log.after(mine, yield* log.end, [], 50)), [])
      })
    )

    it.effect("gives no payload of kinds that were not asked for", () =>
      Effect.gen(function* () {
        const journal = yield* Journal
        const mine = workspaceId(randomUUID())
        yield* storeEvent(journal, mine, "call.busy", `{"a":1}`)
        yield* storeEvent(journal, mine, "wallet.negative", `{"b":2}`)
        const events = yield* readAll(mine, 2)
        assert.deepStrictEqual(
          events.map(({ kind, payload }) => [kind, payload]),
          [
            ["call.busy", `{"a":1}`],
            ["wallet.negative", null]
          ]
        )
        const log = yield* EventLog
        assert.deepStrictEqual(
          (yield* log.after(mine, start, [], 50)).map(({ payload }) => payload),
          [null, null]
        )
      })
    )

    it.effect("finds the place of an instant", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const journal = yield* Journal
        const mine = workspaceId(randomUUID())
        const stored: Array<string> = []
        for (let n = 0; n < 4; n++) {
          yield* TestClock.setTime(t0 + n * 1_000)
          stored.push(yield* storeEvent(journal, mine, "call.busy"))
        }
        yield* readAll(mine, 4)
        for (const [at, expected] of [
          [t0 - 1, stored],
          [t0, stored],
          [t0 + 1_500, stored.slice(2)],
          [t0 + 2_000, stored.slice(2)],
          [t0 + 9_000, []]
        ] as const) {
          const place = yield* log.placeOf(mine, at)
          assert.deepStrictEqual(ids(yield* log.after(mine, place, [], 50)), expected, String(at - t0))
        }
      })
    )

    it.effect("says which workspaces have new events", () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const journal = yield* Journal
        const [busy, quiet] = [workspaceId(randomUUID()), workspaceId(randomUUID())]
        const before = yield* log.end
        assert.deepStrictEqual((yield* log.changed([busy, quiet], before)).workspace_ids, [])
        yield* storeEvent(journal, busy, "call.busy")
        yield* readAll(busy, 1)
        const changed = yield* log.changed([busy, quiet], before)
        assert.deepStrictEqual(changed.workspace_ids, [busy])
        assert.isTrue(changed.end.order > before.order)
        assert.deepStrictEqual((yield* log.changed([busy, quiet], changed.end)).workspace_ids, [])
      })
    )
  })
