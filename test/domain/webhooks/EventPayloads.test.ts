import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Calls } from "../../../src/actors/Calls.ts"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import type { EventKind } from "../../../src/domain/webhooks/EventKinds.ts"
import { eventKinds } from "../../../src/domain/webhooks/EventKinds.ts"
import { eventPayloads } from "../../../src/domain/webhooks/EventPayloads.ts"
import { CallbackFailure, engine, TestEngine, workspace } from "../../../src/testing.ts"

/** Undefined where the payload is what is promised of its kind. */
const complaint = (kind: string, payload: unknown): string | undefined => {
  const schema = eventPayloads[kind as EventKind] as Schema.Codec<unknown> | undefined
  if (schema === undefined) return `no kind ${kind}`
  const decoded = Schema.decodeUnknownResult(schema)(payload)
  return Result.isSuccess(decoded) ? undefined : `${kind}: ${decoded.failure.message}`
}

it("there is one of every kind", () => {
  assert.deepStrictEqual(Object.keys(eventPayloads).toSorted(), eventKinds.toSorted())
})

describe("what an engine tells of its calls and its money", () => {
  it.effect("is what is promised of each kind", () =>
    Effect.gen(function*() {
      const calls = yield* Calls
      const { drain } = yield* ActorSystem
      const { credit, journal } = yield* TestEngine
      yield* credit(1_800)
      const place = (to: string, path = "voice") =>
        calls.originate(workspace.id, {
          to, from: workspace.number, voice_callback_url: `https://app.test/${path}`, metadata: { order: "4711" }, client_reference: "r"
        })
      yield* place("+99900000001")
      for (const to of ["+99900000002", "+99900000003", "+99900000004"]) yield* place(to)
      yield* place("+254711000001", "broken")
      const { id } = yield* place("+99900000003")
      yield* calls.terminate(workspace.id, id)
      yield* drain
      for (let second = 0; second < 140; second++) yield* Effect.andThen(TestClock.adjust("1 second"), drain)

      const told = journal.tables.events.filter(({ fan_out }) => fan_out)
      for (const { kind, payload } of told) assert.isUndefined(complaint(kind, JSON.parse(payload)))
      assert.includeMembers([...new Set(told.map(({ kind }) => kind))], [
        "call.ringing", "call.answered", "call.completed", "call.no_answer", "call.busy", "call.failed", "call.canceled",
        "call.callback_failed"
      ])
      const [ringing] = told.filter(({ kind }) => kind === "call.ringing")
      const { status: _, ...without } = JSON.parse(ringing!.payload)
      assert.include(complaint("call.ringing", without), "status")
    }).pipe(Effect.provide(engine({
      callback: ({ url }) =>
        url.endsWith("broken")
          ? Effect.fail(new CallbackFailure({ cause: "voice_action_invalid", http_status: 200, pointer: "/actions", detail: "no" }))
          : Effect.succeed([{ say: { text: "x".repeat(3_000) } }])
    }))))
})
