// One entry of a call's event log, as `GET /v1/calls/{id}/events` lists it.
import { Schema } from "effect"

export const CallEventRecord = Schema.Struct({
  id: Schema.String.annotate({ description: "Also the `id` of the webhook event." }),
  kind: Schema.String.annotate({ description: "What happened, such as `call.answered`." }),
  sequence: Schema.Int.annotate({ description: "The position among the events of the call, from 1." }),
  occurred_at: Schema.String,
  late: Schema.Boolean.annotate({ description: "Whether it arrived after the end of the call and changed nothing." }),
  payload: Schema.Unknown.annotate({ description: "The call at that time, with the members that the event adds." })
}).annotate({ identifier: "CallEvent" })
export type CallEventRecord = typeof CallEventRecord.Type

/** Which entries of a call's log: its events, the turns of its transcript, or both. */
export type LoggedWhat = "lifecycle" | "turns" | "all"
