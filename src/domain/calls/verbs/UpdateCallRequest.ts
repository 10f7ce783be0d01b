// The body of `POST /v1/calls/{id}/update` (docs/calls.md). What the actions say is read by ParseVoiceActions.ts,
// strictly.
import { Schema } from "effect"
import { AnyJson } from "../../json/AnyJson.ts"
import { Metadata } from "../../kit/Metadata.ts"

export const UpdateCallRequest = Schema.Struct({
  actions: Schema.optionalKey(Schema.Array(AnyJson)).annotate({
    description:
      "Replaces the current actions of the call. Same format as the response of a voice callback; see GET /v1/voice-actions/schema."
  }),
  mute: Schema.optionalKey(Schema.Boolean).annotate({ description: "True: the remote party cannot be heard." }),
  hold: Schema.optionalKey(Schema.Boolean).annotate({
    description: "True: the remote party hears music instead of the call."
  }),
  metadata: Schema.optionalKey(Metadata).annotate({
    description: "Values to add to those of the call or to replace; at most 16 in total."
  })
}).annotate({ identifier: "UpdateCallRequest" })
export type UpdateCallRequest = typeof UpdateCallRequest.Type
