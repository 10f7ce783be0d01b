// What a live stream reads from the log of a call.
import { Effect } from "effect"
import type { CallRecord } from "../../domain/calls/state/CallRecord.ts"
import { isTerminal } from "../../domain/calls/views/NoticeOfEvent.ts"
import { maxReplayed, type TranscriptNotice } from "../../domain/calls/state/Transcript.ts"
import type { CallReads } from "../../domain/ports/calls/CallReads.ts"
import type { CallId, CallRef, WorkspaceId } from "../../domain/BrandedIds.ts"
import type { StreamText } from "./StreamText.ts"

/** How many stored events are read at a time. */
const page = 500

export interface CallLogSources {
  readonly reads: CallReads["Service"]
  /** The latest pieces of the transcript. */
  readonly recentTranscript: (call_id: CallId) => Effect.Effect<ReadonlyArray<TranscriptNotice>>
}

/** One for all streams: each says whose call it reads, and what its client has. */
export const makeCallLog = ({ reads, recentTranscript }: CallLogSources) => {
  const find = (workspace_id: WorkspaceId, ref: CallRef) => reads.find(workspace_id, ref)

  const newestSequence = (workspace_id: WorkspaceId, record: CallRecord) =>
    Effect.map(reads.latestEvents(workspace_id, record.id, 1, "all"), ([newest]) => newest?.sequence ?? 0)

  /** The present state, all of it as one look at the log has it: the subscription continues there without a gap. */
  const present = Effect.fnUntraced(function* (workspace_id: WorkspaceId, record: CallRecord, text: StreamText) {
    const latest = yield* reads.latestEvents(workspace_id, record.id, maxReplayed + 1, "all")
    const first = latest[0]?.sequence
    const newest =
      latest.findLast(({ kind }) => kind !== "transcript.turn") ??
      (yield* reads.latestEvents(workspace_id, record.id, 1, "lifecycle", first)).at(-1)
    const last = latest.at(-1)
    if (newest === undefined || last === undefined) return []
    if (isTerminal(record.status)) return text.present({ newest, last: last.sequence, turns: [], said: [] })
    const turns = yield* reads.latestEvents(workspace_id, record.id, maxReplayed, "turns", last.sequence + 1)
    const said = record.answered_at === null ? [] : yield* recentTranscript(record.id)
    return text.present({ newest, last: last.sequence, turns, said })
  })

  /** The next events that the client does not have. `isLast`: it has all that are logged. */
  const nextPage = Effect.fnUntraced(function* (workspace_id: WorkspaceId, record: CallRecord, text: StreamText) {
    const events = yield* reads.events(workspace_id, record.id, text.since, page, "all")
    return { lines: text.missed(record.id, events), isLast: events.length < page }
  })

  return { find, newestSequence, nextPage, present }
}

export type CallLog = ReturnType<typeof makeCallLog>
