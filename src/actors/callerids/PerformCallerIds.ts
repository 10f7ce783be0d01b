// Places the calls that speak codes, until each is placed, refused or too late.
import { Clock, Effect, Layer } from "effect"
import type { CallerIdsCommands } from "../../domain/callerids/CallerIdCommand.ts"
import type { CallerIds } from "../../domain/callerids/CallerIds.ts"
import type { SpeakCode } from "../../domain/callerids/PlanCallerIds.ts"
import { traced } from "../../domain/Traced.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Perform, Self } from "../runtime/Definition.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { CallerIdsActor } from "./CallerIdsActor.ts"
import { CodeCalls } from "./CodeCalls.ts"

/** These may pass: the call is tried again while its code would be valid. */
const passing: ReadonlySet<string> = new Set(["NotCommitted", "calls.gateway_unavailable", "service_unavailable"])

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const system = yield* ActorSystem
    const calls = yield* CodeCalls

    const speak = traced("PerformCallerIds.speak")(function* (
      { call_id, id, number, until }: SpeakCode,
      self: Self<CallerIds, CallerIdsCommands>
    ) {
      const outcome = yield* Effect.result(calls.speak(call_id, number))
      if (outcome._tag === "Success") return yield* self.tell({ _tag: "ConfirmCall", id, call_id })
      const { failure } = outcome
      const isLate = (yield* Clock.currentTimeMillis) >= until
      if (passing.has(failure._tag) && !isLate) return yield* Effect.fail(failure)
      const code = failure._tag === "NotCommitted" ? "service_unavailable" : failure._tag
      yield* self.tell({ _tag: "FailCall", id, call_id, failure: code })
    })

    const perform: Perform<CallerIds, CallerIdsCommands, SpeakCode> = (work, self) =>
      retryWithBackoff(speak(work, self))

    yield* system.register(CallerIdsActor, perform)
  })
)
