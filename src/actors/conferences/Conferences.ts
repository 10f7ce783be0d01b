// A workspace's conferences, for HTTP and the library.
import { Context, Effect, Layer } from "effect"
import type { Origin } from "../../domain/access/Origin.ts"
import type { CallId, ConferenceId, WorkspaceId } from "../../domain/BrandedIds.ts"
import type { CallRecord } from "../../domain/calls/state/CallRecord.ts"
import { ConferenceCommands, type ParticipantChange } from "../../domain/conferences/ConferenceCommand.ts"
import type { ConferenceRecord, ParticipantRecord } from "../../domain/conferences/ConferenceRecord.ts"
import type { AnnouncementRequest, ParticipantRequest } from "../../domain/conferences/ConferenceRequests.ts"
import { mediaOf } from "../../domain/conferences/ConferenceRequests.ts"
import { ConferenceEnded, ConferenceNotFound, type ParticipantNotFound } from "../../domain/errors/ConferenceErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import type { IdempotentRequest } from "../../domain/idempotency/IdempotentRequest.ts"
import { ConferenceReads } from "../../domain/ports/calls/ConferenceReads.ts"
import { traced } from "../../domain/Traced.ts"
import { Calls, type OriginateRefusal } from "../calls/Calls.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { RequestContext } from "../shared/RequestContext.ts"

type Refusal = ConferenceNotFound | ConferenceEnded | ParticipantNotFound | NotCommitted

interface Of {
  readonly workspace_id: WorkspaceId
  readonly id: ConferenceId
}
interface OfParticipant extends Of {
  readonly call_id: CallId
}

export class Conferences extends Context.Service<
  Conferences,
  {
    readonly get: (of: Of) => Effect.Effect<ConferenceRecord, ConferenceNotFound | ReadFailed>
    /** Calls somebody, who joins when the call is answered. Returns the call. */
    readonly dialIn: (
      of: Of,
      request: ParticipantRequest,
      idempotency?: IdempotentRequest
    ) => Effect.Effect<CallRecord, OriginateRefusal | ConferenceNotFound | ConferenceEnded | ReadFailed>
    readonly change: (of: OfParticipant, change: ParticipantChange) => Effect.Effect<ParticipantRecord, Refusal>
    /** The participant's call goes on with its next action. */
    readonly remove: (of: OfParticipant, origin: Origin) => Effect.Effect<void, Refusal>
    readonly announce: (
      of: Of,
      request: AnnouncementRequest,
      idempotency?: IdempotentRequest
    ) => Effect.Effect<void, Refusal>
    /** Ends the conference. One that has ended stays as it is. */
    readonly end: (
      of: Of,
      context: RequestContext
    ) => Effect.Effect<ConferenceRecord, ConferenceNotFound | NotCommitted>
  }
>()("trunkline/actors/Conferences") {
  static readonly layer = Layer.suspend(() => Layer.effect(Conferences, make))
}

const make = Effect.gen(function* () {
  const system = yield* ActorSystem
  const reads = yield* ConferenceReads
  const calls = yield* Calls

  const get = traced("Conferences.get")(function* ({ id, workspace_id }: Of) {
    return (yield* reads.find(workspace_id, id)) ?? (yield* new ConferenceNotFound())
  })

  return Conferences.of({
    get,
    dialIn: traced("Conferences.dialIn")(function* (of, { conference = {}, ...request }, idempotency) {
      const { name, status } = yield* get(of)
      if (status === "ended") return yield* new ConferenceEnded()
      const actions = [{ conference: { ...conference, name } }]
      return yield* calls.originate(of.workspace_id, { ...request, actions }, idempotency)
    }),
    change: traced("Conferences.change")(({ call_id, id, workspace_id }, change) =>
      system.ask(ConferenceCommands.Change, id, { workspace_id, call_id, change })
    ),
    remove: traced("Conferences.remove")(({ call_id, id, workspace_id }, origin) =>
      system.ask(ConferenceCommands.Remove, id, { workspace_id, call_id, origin })
    ),
    announce: traced("Conferences.announce")(({ id, workspace_id }, request, idempotency) =>
      system.ask(ConferenceCommands.Announce, id, {
        workspace_id,
        media: mediaOf(request),
        ...(idempotency && { idempotency }),
        ...(request.call_id !== undefined && { call_id: request.call_id })
      })
    ),
    end: traced("Conferences.end")(({ id, workspace_id }, context) =>
      system.ask(ConferenceCommands.End, id, { workspace_id, ...context })
    )
  })
})
