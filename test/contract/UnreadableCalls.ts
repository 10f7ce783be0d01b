// What every implementation of the reads of calls does with a row whose stored state is unreadable.
import { assert, layer as provided } from "@effect/vitest"
import { Cause, Effect, Exit, type Layer, Logger } from "effect"
import { randomUUID } from "node:crypto"
import { type CallId, toWorkspaceId, type WorkspaceId } from "../../src/domain/BrandedIds.ts"
import { sessionOfCall } from "../../src/domain/pbx/Session.ts"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import { stateOfCall } from "../../src/domain/calls/state/StoredCall.ts"
import { CallReads } from "../../src/domain/ports/calls/CallReads.ts"
import { Journal } from "../../src/domain/ports/engine/Journal.ts"
import { Unreadable } from "../../src/domain/state/StoredState.ts"
import { UnreadableRows } from "../../src/layers/state/UnreadableRows.ts"
import { facts, ringing } from "../domain/calls/Fixtures.ts"
import { callId } from "../support/Ids.ts"

const t0 = Date.UTC(2026, 0, 1)
const minute_ms = 60_000

const damages = {
  inconsistent: (state: string) => state.replace('"phase":"ringing"', '"phase":"answered"'),
  newer: (state: string) => state.replace('"v":0', '"v":999'),
  "without its facts": (state: string) => state.replace('"facts":', '"fact":')
} as const

const unreadable = Object.entries(damages)

/** Stores a call that began so many minutes after the others, and returns its id. */
const store = (workspace_id: WorkspaceId, minute: number, damage: (state: string) => string = (state) => state) =>
  Effect.gen(function* () {
    const { append } = yield* Journal
    const id: CallId = callId(randomUUID())
    const session_id = sessionOfCall(id)
    const created_at = t0 + minute * minute_ms
    const state = stateOfCall({ ...ringing, id, facts: { ...facts, workspace_id, session_id, created_at } })
    const damaged = damage(state)
    yield* Effect.callback<void>((resume) =>
      append(
        {
          actor_type: "Call",
          actor_id: id,
          workspace_id,
          snapshot: {
            version: 1,
            state: damaged,
            columns: {
              workspace_id,
              session_id,
              parent_call_id: null,
              number_id: null,
              status: "ringing",
              direction: facts.direction,
              from_e164: facts.from,
              to_e164: facts.to,
              client_reference: facts.client_reference,
              created_at,
              answered_at: null,
              cost_minor: null,
              country: null,
              duration_seconds: null,
              billed_seconds: null
            }
          }
        },
        (outcome) => resume(outcome.ok ? Effect.void : Effect.die(outcome.error))
      )
    )
    return id
  })

const idsOf = (calls: ReadonlyArray<CallRecord>) => calls.map(({ id }) => id)

/** Each page, read until one is not full, as a list endpoint does. */
const pages = Effect.fnUntraced(function* (workspace_id: WorkspaceId, limit: number) {
  const reads = yield* CallReads
  const read: Array<ReadonlyArray<string>> = []
  let after: { readonly at: number; readonly id: string } | undefined
  for (;;) {
    const calls: ReadonlyArray<CallRecord> = yield* reads.list(workspace_id, {}, after, limit)
    if (calls.length > 0) read.push(idsOf(calls))
    const last = calls.at(-1)
    if (calls.length < limit || last === undefined) return read
    after = { at: Date.parse(last.created_at), id: last.id }
  }
})

export const unreadableCallsContract = (name: string, services: Layer.Layer<Journal | CallReads, unknown>) =>
  provided(services)(name, (it) => {
    it.effect.each(unreadable)("lists leave out a call that is %s, and show every other call", ([, damage]) =>
      Effect.gen(function* () {
        const workspace_id = toWorkspaceId(randomUUID())
        const reads = yield* CallReads
        const first = yield* store(workspace_id, 1)
        const damaged = yield* store(workspace_id, 2, damage)
        const last = yield* store(workspace_id, 3)
        const shown = yield* reads.list(workspace_id, {}, undefined, 50)
        assert.deepStrictEqual(idsOf(shown), [last, first])
        assert.deepStrictEqual(idsOf(yield* reads.list(workspace_id, { status: "ringing" }, undefined, 50)), [
          last,
          first
        ])
        assert.notInclude(idsOf(shown), damaged)
      })
    )

    it.effect("fills a page despite unreadable calls, so that the next page is not lost", () =>
      Effect.gen(function* () {
        const workspace_id = toWorkspaceId(randomUUID())
        const ids: Array<string> = []
        for (let minute = 0; minute < 12; minute++) {
          const isDamaged = minute >= 4 && minute < 9
          const id = yield* store(workspace_id, minute, isDamaged ? damages.inconsistent : undefined)
          if (!isDamaged) ids.unshift(id)
        }
        assert.deepStrictEqual(yield* pages(workspace_id, 2), [
          ids.slice(0, 2),
          ids.slice(2, 4),
          ids.slice(4, 6),
          ids.slice(6)
        ])
      })
    )

    it.effect("logs and counts an unreadable call once, however often it is read", () =>
      Effect.gen(function* () {
        const workspace_id = toWorkspaceId(randomUUID())
        const damaged = yield* store(workspace_id, 1, damages.inconsistent)
        const reads = yield* CallReads
        const lines: Array<unknown> = []
        const logger = Logger.make(({ logLevel, message }) => void lines.push([logLevel, message].flat()))
        const rows = new UnreadableRows()
        yield* Effect.repeat(reads.list(workspace_id, {}, undefined, 50), { times: 2 }).pipe(
          Effect.provideService(UnreadableRows.Current, rows),
          Effect.provide(Logger.layer([logger]))
        )
        assert.lengthOf(lines, 1)
        const [level, message] = lines[0] as [string, string]
        assert.strictEqual(level, "Warn")
        assert.include(message, `Call ${damaged} of workspace ${workspace_id}`)
        assert.deepStrictEqual([...rows.actors], [`Call/${damaged}`])
      })
    )

    it.effect.each(unreadable)("a read of one call that is %s fails as its actor does", ([, damage]) =>
      Effect.gen(function* () {
        const workspace_id = toWorkspaceId(randomUUID())
        const damaged = yield* store(workspace_id, 1, damage)
        const reads = yield* CallReads
        const exit = yield* Effect.exit(reads.find(workspace_id, damaged))
        const cause = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
        assert.instanceOf(cause, Unreadable)
        assert.include(String(cause), `Call ${damaged} is unreadable`)
        const healthy = yield* store(workspace_id, 2)
        assert.strictEqual((yield* reads.find(workspace_id, healthy))?.id, healthy)
      })
    )
  })
