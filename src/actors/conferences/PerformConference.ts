// Carries out the tasks of a conference. Each may be done twice: its version or step travels with it.
import { Effect, Layer } from "effect"
import { CallCommands } from "../../domain/calls/state/CallCommand.ts"
import type { Conference } from "../../domain/conferences/Conference.ts"
import type { ConferenceCommands } from "../../domain/conferences/ConferenceCommand.ts"
import { RoomCommands } from "../../domain/conferences/ConferenceRooms.ts"
import type { ConferenceWork } from "../../domain/conferences/PlanConference.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { CallNotFound } from "../../domain/errors/CallErrors.ts"
import { traced } from "../../domain/Traced.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { Perform, Self } from "../runtime/Definition.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { ConferenceActor } from "./ConferenceActor.ts"

type ConferenceSelf = Self<Conference, ConferenceCommands>
type WorkOf<Tag extends ConferenceWork["_tag"]> = Extract<ConferenceWork, { readonly _tag: Tag }>
type Done = Effect.Effect<void, NotCommitted>

/** A call that does not exist is in no conference. */
const orGone =
  <A>(gone: A) =>
  <E, R>(asked: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, CallNotFound>, R> =>
    Effect.catchIf(
      asked,
      (error): error is Extract<E, CallNotFound> => error instanceof CallNotFound,
      () => Effect.succeed(gone)
    ) as Effect.Effect<A, Exclude<E, CallNotFound>, R>

export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const system = yield* ActorSystem

    const tellSettings = traced("Conference.tellSettings")(function* (
      { _tag, call_id, ...told }: WorkOf<"TellSettings">,
      self: ConferenceSelf
    ) {
      const present = yield* orGone(false)(
        system.ask(CallCommands.ConferenceSettings, call_id, { conference_id: self.id, ...told })
      )
      const { step, version } = told
      yield* self.tell({ _tag: "SettingsKnown", call_id, step, version, present })
    })

    const tellExpulsion = traced("Conference.tellExpulsion")(function* (
      { call_id, result, step }: WorkOf<"TellExpulsion">,
      self: ConferenceSelf
    ) {
      yield* orGone<void>(undefined)(system.ask(CallCommands.ConferenceExpelled, call_id, { step, result }))
      yield* self.tell({ _tag: "ExpulsionKnown", call_id, step })
    })

    const closeRoom = traced("Conference.closeRoom")(function* (
      { conference_id, workspace_id }: WorkOf<"CloseRoom">,
      self: ConferenceSelf
    ) {
      yield* system.ask(RoomCommands.Close, workspace_id, { conference_id })
      yield* self.tell({ _tag: "RoomClosed" })
    })

    const done = (work: ConferenceWork, self: ConferenceSelf): Done => {
      switch (work._tag) {
        case "TellSettings":
          return tellSettings(work, self)
        case "TellExpulsion":
          return tellExpulsion(work, self)
        case "CloseRoom":
          return closeRoom(work, self)
      }
    }

    const perform: Perform<Conference, ConferenceCommands, ConferenceWork> = (work, self) =>
      retryWithBackoff(done(work, self))
    yield* system.register(ConferenceActor, perform)
  })
)
