// Options of a leg. They are stored with the call and sent to the PBX as given; members that were not given stay
// absent.
import { Schema } from "effect"
import { RecordValue } from "../../recordings/RecordMode.ts"
import { SubscriptionId } from "../../BrandedIds.ts"
import { optional } from "../../kit/Fields.ts"

export const MachineDetection = Schema.Literals(["off", "detect", "detect_message_end"])

export const LegOptions = Schema.Struct({
  /** Shown beside the number. */
  caller_name: optional(Schema.String),
  /** DTMF digits to send when the leg is answered. */
  send_digits: optional(Schema.String),
  record: optional(RecordValue),
  machine_detection: optional(MachineDetection),
  machine_detection_timeout_seconds: optional(Schema.Int),
  /** The subscription that sends the events of this call to its `events_url`. */
  events_subscription_id: optional(SubscriptionId),
  /** For a dialled leg: the members of its `dial` action. */
  sequential: optional(Schema.Boolean),
  first_answer_wins: optional(Schema.Boolean),
  ringback_url: optional(Schema.String),
  sip_headers: optional(Schema.Record(Schema.String, Schema.String))
})
export type LegOptions = typeof LegOptions.Type
