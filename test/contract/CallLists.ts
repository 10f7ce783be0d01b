// Which calls every implementation of the reads of calls lists.
import { assert, layer as provided } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { randomUUID } from "node:crypto"
import { type CallId, toWorkspaceId, type WorkspaceId } from "../../src/domain/BrandedIds.ts"
import { recordCall } from "../../src/domain/calls/decide/RecordCall.ts"
import type { CallFacts } from "../../src/domain/calls/state/CallFacts.ts"
import type { CallFilter } from "../../src/domain/calls/views/CallFilter.ts"
import { sessionOfCall } from "../../src/domain/pbx/Session.ts"
import { CallReads } from "../../src/domain/ports/calls/CallReads.ts"
import { Journal } from "../../src/domain/ports/engine/Journal.ts"
import { facts, ringing } from "../domain/calls/Fixtures.ts"
import { callId, numberId } from "../support/Ids.ts"

const t0 = Date.UTC(2026, 0, 1)

/** Stores a ringing call with these facts, and returns its id. */
const store = (workspace_id: WorkspaceId, change: Partial<CallFacts>) =>
  Effect.gen(function* () {
    const { append } = yield* Journal
    const id: CallId = callId(randomUUID())
    const call = { ...ringing, id, facts: { ...facts, workspace_id, session_id: sessionOfCall(id), ...change } }
    const { columns, state } = recordCall({
      id,
      before: call,
      after: call,
      events: [],
      steps: [],
      now: t0,
      uuid: randomUUID
    })
    const snapshot = { version: 1, state, columns }
    yield* Effect.callback<void>((resume) =>
      append({ actor_type: "Call", actor_id: id, workspace_id, snapshot }, (outcome) =>
        resume(outcome.ok ? Effect.void : Effect.die(outcome.error))
      )
    )
    return id
  })

const other = numberId("01890a5d-ac96-774b-bcce-b302099a00ff")

/** What differs between the two calls, and the filter that shows the second alone. */
const rows: ReadonlyArray<readonly [string, Partial<CallFacts>, CallFilter]> = [
  ["direction", { direction: "inbound" }, { direction: "inbound" }],
  ["from", { from: "+254700000077" }, { from: "+254700000077" }],
  ["to", { to: "+254700000088" }, { to: "+254700000088" }],
  ["number_id", { number_id: other }, { number_id: other }],
  ["client_reference", { client_reference: "another" }, { client_reference: "another" }],
  ["created_after", { created_at: t0 + 1_000 }, { created_after: t0 + 1_000 }],
  ["created_before", { created_at: t0 - 1_000 }, { created_before: t0 }],
  ["two filters", { to: "+254700000088", direction: "inbound" }, { to: "+254700000088", direction: "inbound" }]
]

export const callListsContract = (name: string, services: Layer.Layer<Journal | CallReads, unknown>) =>
  provided(services)(name, (it) => {
    const list = (workspace_id: WorkspaceId, filter: CallFilter) =>
      Effect.flatMap(CallReads, (reads) => reads.list(workspace_id, filter, undefined, 50)).pipe(
        Effect.map((calls) => calls.map(({ id }) => id))
      )

    it.effect.each(rows)("are filtered by %s", ([, change, filter]) =>
      Effect.gen(function* () {
        const workspace_id = toWorkspaceId(randomUUID())
        const first = yield* store(workspace_id, { created_at: t0 })
        const second = yield* store(workspace_id, { created_at: t0, ...change })
        yield* store(toWorkspaceId(randomUUID()), { created_at: t0, ...change })
        assert.deepStrictEqual(yield* list(workspace_id, filter), [second])
        assert.sameMembers(yield* list(workspace_id, { status: "ringing" }), [first, second])
        assert.deepStrictEqual(yield* list(workspace_id, { ...filter, status: "completed" }), [])
      })
    )

    it.effect("are read page by page, also if several calls began in one millisecond", () =>
      Effect.gen(function* () {
        const workspace_id = toWorkspaceId(randomUUID())
        const stored: Array<string> = []
        for (let n = 0; n < 5; n++) stored.push(yield* store(workspace_id, { created_at: t0 }))
        const reads = yield* CallReads
        const first = yield* reads.list(workspace_id, {}, undefined, 3)
        const rest = yield* reads.list(workspace_id, {}, { at: t0, id: first.at(-1)?.id ?? "" }, 3)
        assert.deepStrictEqual(
          [...first, ...rest].map(({ id }) => id),
          stored.toSorted().toReversed()
        )
      })
    )
  })
