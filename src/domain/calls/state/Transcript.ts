// The transcript of a call, as an agent of the PBX reports it: whole turns, which are logged, and pieces of a turn that
// is still being spoken, which go to the live stream only (docs/transcripts.md).
import { Schema } from "effect"
import type { PbxEvent } from "../../pbx/PbxEvent.ts"
import { CallId } from "../../BrandedIds.ts"
import { isoInstant } from "../../kit/Instants.ts"

export const TranscriptRole = Schema.Literals(["user", "agent", "system", "tool"])

const common = {
  call_id: CallId,
  seq: Schema.Int.annotate({ description: "The number of the turn within the call, from 1." }),
  role: TranscriptRole,
  final: Schema.Boolean.annotate({ description: "Whether the turn is complete." }),
  occurred_at: Schema.String
}

export const TranscriptTurn = Schema.Struct({
  kind: Schema.Literal("transcript.turn").annotate({ description: "The kind of the event." }),
  ...common,
  text: Schema.String.annotate({ description: "What was said." })
}).annotate({ identifier: "TranscriptTurn" })
export type TranscriptTurn = typeof TranscriptTurn.Type

export const TranscriptDelta = Schema.Struct({
  kind: Schema.Literal("transcript.delta").annotate({ description: "The kind of the event." }),
  ...common,
  delta: Schema.String.annotate({ description: "What was said since the previous part of this turn." })
}).annotate({ identifier: "TranscriptDelta" })

/** What the live stream is sent. */
export const TranscriptNotice = Schema.Struct({
  said: Schema.Union([TranscriptTurn, TranscriptDelta]),
  /** The PBX event's `seq`: the order of turns and pieces. */
  order: Schema.Int,
  /** The place of a turn in the log of the call; null for a piece. */
  sequence: Schema.NullOr(Schema.Int)
})
export type TranscriptNotice = typeof TranscriptNotice.Type

/** How many of the latest turns and pieces a client gets that joins late. */
export const maxReplayed = 20

export const isTranscript = ({ type }: PbxEvent): boolean => type === "transcript.turn" || type === "transcript.delta"

/** The turn or piece that the event reports; undefined if it reports none. `at`: epoch milliseconds. */
export const transcriptPieceOf = (
  call_id: CallId,
  { data, type }: PbxEvent,
  at: number
): TranscriptNotice["said"] | undefined => {
  const { delta, final, role, text, turn } = data
  if (role === undefined || turn === undefined) return undefined
  const common = { call_id, seq: turn, role, occurred_at: isoInstant(at) }
  if (type === "transcript.turn")
    return text === undefined ? undefined : { kind: type, ...common, text, final: final ?? true }
  return delta === undefined ? undefined : { kind: "transcript.delta", ...common, delta, final: final ?? false }
}

export const isTurn = ({ said }: TranscriptNotice): boolean => said.kind === "transcript.turn"
