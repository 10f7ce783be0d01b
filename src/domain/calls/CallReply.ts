import { Schema } from "effect"
import { CallRecord } from "./CallRecord.ts"

const tagged = <const Tag extends string, const Fields extends Schema.Struct.Fields>(tag: Tag, fields: Fields) =>
  Schema.Struct({ _tag: Schema.Literal(tag), ...fields })

export const Termination = Schema.Literals(["requested", "already_requested", "already_ended"])
export type Termination = typeof Termination.Type

export const CallReply = Schema.Union([
  tagged("Placed", { record: CallRecord }),
  tagged("Terminated", { record: CallRecord, termination: Termination }),
  tagged("Reported", { outcome: Schema.Literals(["accepted", "duplicate", "ignored_late"]) }),
  tagged("Noted", {})
])
export type CallReply = typeof CallReply.Type
