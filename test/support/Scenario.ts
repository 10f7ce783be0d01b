// Helpers for scenarios: whole calls on the engine in memory.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Calls } from "../../src/actors/calls/Calls.ts"
import type { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import type { OriginateRequest } from "../../src/domain/calls/verbs/OriginateRequest.ts"
import { CallReads } from "../../src/domain/ports/calls/CallReads.ts"
import { engine, type EngineOptions, type PbxSimulator, TestEngine, workspace } from "../../src/testing.ts"
import { type CallId, toCallId } from "../../src/domain/BrandedIds.ts"

export const place = (to: string, fields: Partial<OriginateRequest> = {}) =>
  Effect.flatMap(Calls, (calls) =>
    calls.originate(workspace.id, {
      to,
      from: workspace.number,
      voice_callback_url: "https://app.test/voice",
      ...fields
    })
  )

export const look = (id: string) =>
  Effect.flatMap(TestEngine, ({ call }) => Effect.map(call(toCallId(id)), (record) => record!))

export const kinds = (id: CallId) =>
  Effect.flatMap(CallReads, (reads) =>
    Effect.map(reads.events(workspace.id, id, 0, 200), (events) => events.map(({ kind }) => kind))
  )

export const charges = Effect.map(TestEngine, ({ journal }) =>
  journal.tables.ledger.filter(({ kind }) => kind === "call_charge")
)

export const pass = (seconds: number) => Effect.flatMap(TestEngine, (engine) => engine.pass(seconds))

/** Asserts what holds whenever no call is live. */
export const booksAreRight = Effect.gen(function* () {
  const { balance_minor, held_minor, journal } = yield* TestEngine
  const { events, holds, ledger } = journal.tables
  const open = [...holds.values()].filter(({ status }) => status === "open")
  assert.strictEqual(
    yield* held_minor,
    open.reduce((sum, hold) => sum + hold.amount_minor, 0)
  )
  assert.strictEqual(
    yield* balance_minor,
    ledger.reduce((sum, entry) => sum + entry.amount_minor, 0)
  )
  assert.isAtLeast(yield* balance_minor, 0)
  for (const { lines } of ledger)
    assert.strictEqual(
      lines.reduce((sum, line) => sum + line.amount_minor, 0),
      0
    )
  const terminal = events.filter(
    ({ kind, late }) =>
      /completed|no_answer|busy|failed|canceled/.test(kind) && !late && kind !== "call.callback_failed"
  )
  assert.strictEqual(new Set(terminal.map(({ subject_id }) => subject_id)).size, terminal.length)
})

export const scenario = (
  name: string,
  options: EngineOptions & { readonly money?: number },
  body: Effect.Effect<void, unknown, Calls | CallReads | ActorSystem | TestEngine | PbxSimulator>
) =>
  it.effect(name, () =>
    Effect.gen(function* () {
      yield* Effect.flatMap(TestEngine, ({ credit }) => credit(options.money ?? 100_000))
      yield* body
      yield* booksAreRight
    }).pipe(Effect.provide(engine(options)))
  )

export const ended = (record: CallRecord, expected: Partial<CallRecord>) => {
  for (const [key, value] of Object.entries(expected))
    assert.deepStrictEqual(record[key as keyof CallRecord], value, key)
}
