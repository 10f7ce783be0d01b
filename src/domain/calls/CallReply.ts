import { Schema } from "effect"
import { CallRecord } from "./CallRecord.ts"
import { TranscriptNotice } from "./Transcript.ts"
import { tagged } from "../Tagged.ts"

export const Termination = Schema.Literals(["requested", "already_requested", "already_ended"])
export type Termination = typeof Termination.Type

export const CallReply = Schema.Union([
  tagged("Placed", { record: CallRecord }),
  tagged("Terminated", { record: CallRecord, termination: Termination }),
  tagged("Updated", { record: CallRecord }),
  tagged("Reported", { outcome: Schema.Literals(["accepted", "duplicate", "ignored_late"]) }),
  /** Whether the leg that was picked up is taken. */
  tagged("Claimed", { won: Schema.Boolean }),
  tagged("Said", { notices: Schema.Array(TranscriptNotice) }),
  tagged("Noted", {})
])
export type CallReply = typeof CallReply.Type
