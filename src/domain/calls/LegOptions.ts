// What can be asked of a leg beside where it goes: kept with the call and told to the PBX as it was asked. A member that
// was not given is absent all the way.
import { Schema } from "effect"
import { RecordValue } from "../recordings/RecordMode.ts"

const optional = Schema.optionalKey

export const MachineDetection = Schema.Literals(["off", "detect", "detect_message_end"])

export const LegOptions = Schema.Struct({
  /** Shown beside the number. */
  caller_name: optional(Schema.String),
  /** Pressed when the leg is answered. */
  send_digits: optional(Schema.String),
  record: optional(RecordValue),
  machine_detection: optional(MachineDetection),
  machine_detection_timeout_seconds: optional(Schema.Int),
  /** The subscription that sends the events of this one call to its `events_url`, whatever else it listens to. */
  events_subscription_id: optional(Schema.String),
  /** Of a leg that is dialled: as its action has them. */
  sequential: optional(Schema.Boolean),
  first_answer_wins: optional(Schema.Boolean),
  ringback_url: optional(Schema.String),
  sip_headers: optional(Schema.Record(Schema.String, Schema.String))
})
export type LegOptions = typeof LegOptions.Type
