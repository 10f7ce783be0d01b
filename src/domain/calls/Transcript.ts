// What is said on a call, as an agent of the PBX writes it down: whole turns, which are kept, and the pieces of a turn that
// is still being spoken, which only the live stream carries (docs/transcripts.md).
import { Schema } from "effect"
import type { PbxEvent } from "../pbx/PbxEvent.ts"

export const TranscriptRole = Schema.Literals(["user", "agent", "system", "tool"])

const common = {
  call_id: Schema.String,
  seq: Schema.Int.annotate({ description: "Counts the turns of the call, from 1; a piece has that of its turn." }),
  role: TranscriptRole,
  final: Schema.Boolean.annotate({ description: "Nothing of the turn follows." }),
  occurred_at: Schema.String
}

export const TranscriptTurn = Schema.Struct({
  kind: Schema.Literal("transcript.turn"),
  ...common,
  text: Schema.String
}).annotate({ identifier: "TranscriptTurn" })
export type TranscriptTurn = typeof TranscriptTurn.Type

export const TranscriptDelta = Schema.Struct({
  kind: Schema.Literal("transcript.delta"),
  ...common,
  delta: Schema.String
}).annotate({ identifier: "TranscriptDelta" })

/** What the live stream is told. */
export const TranscriptNotice = Schema.Struct({
  said: Schema.Union([TranscriptTurn, TranscriptDelta]),
  /** The order in which the PBX told them. */
  order: Schema.Int,
  /** Of a turn, its place in the log of the call. */
  sequence: Schema.NullOr(Schema.Int)
})
export type TranscriptNotice = typeof TranscriptNotice.Type

/** Whoever joins late hears so many of the last ones. */
export const replayed_max = 20

export const isTranscript = ({ type }: PbxEvent): boolean => type === "transcript.turn" || type === "transcript.delta"

/** What an event says, or undefined where it says nothing. */
export const saidBy = (call_id: string, { data, type }: PbxEvent, at: number): TranscriptNotice["said"] | undefined => {
  const { delta, final, role, text, turn } = data
  if (role === undefined || turn === undefined) return undefined
  const common = { call_id, seq: turn, role, occurred_at: new Date(at).toISOString() }
  if (type === "transcript.turn")
    return text === undefined ? undefined : { kind: type, ...common, text, final: final ?? true }
  return delta === undefined ? undefined : { kind: "transcript.delta", ...common, delta, final: final ?? false }
}

export const isTurn = ({ said }: TranscriptNotice): boolean => said.kind === "transcript.turn"
