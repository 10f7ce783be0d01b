// The commands of a conference. Instants are epoch milliseconds.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { CallId, GatewayId, SessionId, WorkspaceId } from "../BrandedIds.ts"
import { commandsOf, type Message, type Rules, type Tag } from "../Command.ts"
import { ConferenceEnded, ConferenceNotFound, ParticipantNotFound } from "../errors/ConferenceErrors.ts"
import { IdempotentRequest } from "../idempotency/IdempotentRequest.ts"
import type { Conference, PresentConference } from "./Conference.ts"
import { ConferenceAction, ConferenceName, ConferenceResult, KnownCallId } from "./ConferenceAction.ts"
import type { ConferenceEvent } from "./ConferenceEvent.ts"
import { ConferenceRecord, ParticipantRecord } from "./ConferenceRecord.ts"
import { AnnouncementMedia } from "./ParticipantSettings.ts"
import { optional } from "../kit/Fields.ts"

/** What is changed of a participant. A member left out stays. */
export const ParticipantChange = Schema.Struct({
  muted: optional(Schema.Boolean),
  deaf: optional(Schema.Boolean),
  hold: optional(Schema.Boolean).annotate({
    description: "Whether it hears music instead of the others, and they do not hear it."
  }),
  /** The call id of the participant who alone hears this one; null: all hear it. */
  coach: optional(Schema.NullOr(KnownCallId))
}).annotate({ identifier: "ConferenceParticipantChange" })
export type ParticipantChange = typeof ParticipantChange.Type

/** `gone`: the conference has ended. Its name is free, or a newer conference has it. */
const Joining = Schema.Literals(["joined", "full", "other_gateway", "gone"])

export const ConferenceCommands = commandsOf("Conference", {
  /** Creates the conference. */
  Begin: { payload: { workspace_id: WorkspaceId, name: ConferenceName } },
  /** Lets a call in. Its settings follow by `ConferenceChanged` of the call. */
  Join: {
    payload: {
      workspace_id: WorkspaceId,
      call_id: CallId,
      session_id: SessionId,
      gateway_id: GatewayId,
      step: Schema.Int,
      action: ConferenceAction
    },
    reply: Joining
  },
  /** The call is out. */
  Leave: { payload: { call_id: CallId, step: Schema.Int, result: ConferenceResult } },
  /** The call knows this version of its settings. `present`: it is still in. */
  SettingsKnown: {
    payload: { call_id: CallId, step: Schema.Int, version: Schema.Int, present: Schema.Boolean }
  },
  /** The call knows that it is out. */
  ExpulsionKnown: { payload: { call_id: CallId, step: Schema.Int } },
  /** The name of the conference is free. */
  RoomClosed: {},
  Get: { reply: ConferenceRecord, errors: [ConferenceNotFound] },
  /** Commands of customers. They refuse a conference of another workspace. */
  Change: {
    payload: { workspace_id: WorkspaceId, call_id: CallId, change: ParticipantChange },
    reply: ParticipantRecord,
    errors: [ConferenceNotFound, ConferenceEnded, ParticipantNotFound]
  },
  Remove: {
    payload: { workspace_id: WorkspaceId, call_id: CallId, origin: optional(Origin) },
    errors: [ConferenceNotFound, ConferenceEnded, ParticipantNotFound]
  },
  /** Without `call_id` everybody hears it. */
  Announce: {
    payload: {
      workspace_id: WorkspaceId,
      media: AnnouncementMedia,
      call_id: optional(CallId),
      idempotency: optional(IdempotentRequest)
    },
    errors: [ConferenceNotFound, ConferenceEnded, ParticipantNotFound]
  },
  End: {
    payload: {
      workspace_id: WorkspaceId,
      origin: optional(Origin),
      idempotency: optional(IdempotentRequest)
    },
    reply: ConferenceRecord,
    errors: [ConferenceNotFound]
  },
  /** A deadline: nobody has come. */
  NobodyCame: {}
})
export type ConferenceCommands = typeof ConferenceCommands
export type ConferenceMessage<T extends Tag<ConferenceCommands> = Tag<ConferenceCommands>> = Message<
  ConferenceCommands,
  T
>
export type ConferenceRules<State extends Conference = PresentConference> = Rules<
  State,
  ConferenceCommands,
  ConferenceEvent
>
