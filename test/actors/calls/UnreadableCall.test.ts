import { assert, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { CallActor } from "../../../src/actors/calls/CallActor.ts"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import * as LocalSystem from "../../../src/actors/runtime/LocalSystem.ts"
import { CallCommands } from "../../../src/domain/calls/state/CallCommand.ts"
import { stateOfCall } from "../../../src/domain/calls/state/StoredCall.ts"
import { Unreadable } from "../../../src/domain/state/StoredState.ts"
import * as SystemIds from "../../../src/layers/ids/SystemIds.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { call_id, facts, ringing } from "../../domain/calls/Fixtures.ts"
import { journalWith } from "../runtime/Toy.ts"

/** Matches the schema of a stored call, but an answered call has an instant of its answer. */
const inconsistent = stateOfCall(ringing).replace('"phase":"ringing"', '"phase":"answered"')

it.effect("stops a call whose stored members contradict its phase, reads it once and logs one line", () =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const snapshot = { version: 3, state: inconsistent, columns: {} }
    const { workspace_id } = facts
    memory.tables.write({ actor_type: "Call", actor_id: call_id, workspace_id, snapshot, alarm: 0 }, 0)
    let loads = 0
    const journal = journalWith(memory, ({ load }) => ({ load: (type, id) => (loads++, load(type, id)) }))
    const lines: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => void lines.push(`${logLevel} ${String(message)}`))

    yield* Effect.gen(function* () {
      const system = yield* ActorSystem
      yield* system.register(CallActor, () => Effect.never)
      yield* system.start
      // Long enough for its alarm to ring again and again.
      yield* TestClock.adjust("10 minutes")
      const exit = yield* Effect.exit(system.ask(CallCommands.RecentTranscript, call_id, {}))
      const error = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
      assert.instanceOf(error, Unreadable)
      assert.include(String(error), `Call ${call_id} is stopped. The stored call lacks a member`)
      assert.deepStrictEqual(yield* system.stopped, [`Call/${call_id}`])
    }).pipe(
      Effect.provide(LocalSystem.layer.pipe(Layer.provide([journal, SystemIds.layer]))),
      Effect.provide(Logger.layer([logger]))
    )
    assert.strictEqual(loads, 1)
    assert.strictEqual(memory.tables.snapshot("Call", call_id)?.state, inconsistent)
    assert.deepStrictEqual(
      lines.filter((line) => !line.startsWith("Debug")).map((line) => line.split(",")[0]),
      ["Error An actor is stopped: its stored state is unreadable"]
    )
  })
)
