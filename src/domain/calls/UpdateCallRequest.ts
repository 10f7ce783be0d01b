// The body of `POST /v1/calls/{id}/update` (docs/calls.md). What the actions say is read by ParseVoiceActions.ts,
// strictly.
import { Schema } from "effect"
import { Metadata } from "./Metadata.ts"

export const UpdateCallRequest = Schema.Struct({
  actions: Schema.optionalKey(Schema.Array(Schema.Unknown)).annotate({
    description:
      "Carried out from now on, instead of what is under way: actions as a voice callback answers, see GET /v1/voice-actions/schema."
  }),
  mute: Schema.optionalKey(Schema.Boolean).annotate({ description: "Whether the remote party is not heard." }),
  hold: Schema.optionalKey(Schema.Boolean).annotate({
    description: "Whether the remote party hears music instead of the call."
  }),
  metadata: Schema.optionalKey(Metadata).annotate({
    description: "Put over the values that the call has; at most 16 in all."
  })
}).annotate({ identifier: "UpdateCallRequest" })
export type UpdateCallRequest = typeof UpdateCallRequest.Type
