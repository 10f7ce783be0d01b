// What a decision of a call writes: its row, its public events, and the audit log. And what the live stream is sent.
import type { Change } from "../../Decision.ts"
import { auditRow } from "../../access/Origin.ts"
import type { AuditRow, EventRow } from "../../journal/Rows.ts"
import { billOf } from "../state/Bill.ts"
import { type Call, isPlaced, type PlacedCall, statusOf } from "../state/Call.ts"
import { type CallEvent, publicKind } from "../state/CallEvent.ts"
import type { StreamNotice } from "../views/CallNotice.ts"
import { callPayload } from "../views/CallPayload.ts"
import { wallTime } from "../state/CallTime.ts"
import { recordTrail } from "./RecordTrail.ts"
import { stateOfCall } from "../state/StoredCall.ts"
import { isoInstant } from "../../kit/Instants.ts"

/** Kinds that go to the log and the live stream only. All others go to webhooks too. */
const streamOnly = new Set(["call.progress", "call.bridged", "call.answer_ignored", "transcript.turn"])

/** When it happened by the wall clock. */
const occurredAt = (call: PlacedCall, event: CallEvent, now: number): number => {
  if (event._tag === "Originated" || event._tag === "Received") return event.facts.created_at
  return "at" in event ? wallTime(call, event.at) : now
}

type CallChange = Change<Call, CallEvent>

interface PublicFact {
  readonly kind: string
  readonly event: CallEvent
  readonly call: PlacedCall
}

const publicFacts = ({ after, before, steps }: CallChange): ReadonlyArray<PublicFact> =>
  before.sequence === after.sequence
    ? []
    : steps.flatMap(({ after, event }) => {
        const kind = publicKind(event)
        return kind === undefined || !isPlaced(after) ? [] : [{ kind, event, call: after }]
      })

const lateEvents: ReadonlySet<CallEvent["_tag"]> = new Set(["AnswerIgnored", "ArrivedLate", "StartedLate"])

const row = ({ call, event, kind }: PublicFact, now: number, uuid: () => string): EventRow => ({
  id: uuid(),
  workspace_id: call.facts.workspace_id,
  subject_id: call.id,
  sequence: call.sequence,
  kind,
  occurred_at: occurredAt(call, event, now),
  late: lateEvents.has(event._tag),
  payload: JSON.stringify(callPayload(kind, call, event)),
  number_id: call.facts.number_id,
  fan_out: !streamOnly.has(kind),
  ...(call.facts.events_subscription_id !== undefined && { subscription_id: call.facts.events_subscription_id })
})

/** Which customer ended the call. */
const audited = (before: Call, after: PlacedCall, events: ReadonlyArray<CallEvent>): ReadonlyArray<AuditRow> =>
  events.flatMap((event) =>
    event._tag !== "TerminationRequested"
      ? []
      : [
          auditRow(event.origin, {
            workspace_id: after.facts.workspace_id,
            action_kind: "call.terminated",
            target: { type: "call", id: after.id },
            before: { status: statusOf(before) },
            after: { status: statusOf(after), reason: event.reason },
            at: wallTime(after, event.at)
          })
        ]
  )

/**
 * Whether a call begins for which the wallet holds money. Legs that share a hold get one of their own when they are
 * answered.
 */
const hasHold = (event: CallEvent): boolean => event._tag === "Originated" && event.facts.shared_hold_id === undefined

/** What the journal writes. */
export const recordCall = (change: CallChange) => {
  const { after, before, events, now, uuid } = change
  // No event makes a call absent, and a decision without events is not recorded.
  if (!isPlaced(after)) throw new Error(`There is nothing to record of the absent call ${after.id}.`)
  const { facts } = after
  const trail = recordTrail(change)
  const bill = after.phase === "ended" && after.answered_at !== null ? billOf(after) : undefined
  return {
    workspace_id: facts.workspace_id,
    state: stateOfCall(after),
    columns: {
      workspace_id: facts.workspace_id,
      session_id: facts.session_id,
      parent_call_id: facts.parent_call_id,
      number_id: facts.number_id,
      status: statusOf(after),
      direction: facts.direction,
      from_e164: facts.from,
      to_e164: facts.to,
      client_reference: facts.client_reference,
      created_at: facts.created_at,
      answered_at: after.answered_at,
      cost_minor: after.phase === "ended" ? after.cost_minor : null,
      country: facts.country ?? null,
      duration_seconds: bill?.duration_seconds ?? null,
      billed_seconds: bill?.billed_seconds ?? null
    },
    ...(trail.length > 0 && { trail }),
    events: publicFacts(change).map((fact) => row(fact, now, uuid)),
    ...(events.some(hasHold) && { needs_hold: after.id }),
    audit: audited(before, after, events)
  }
}

/** What the live stream is sent, in order. */
export const callNotices = (change: CallChange): ReadonlyArray<StreamNotice> => [
  ...change.events.flatMap((event) => (event._tag === "TranscriptDeltaAdded" ? [event.notice] : [])),
  ...publicFacts(change).map(({ call, event, kind }) => {
    if (event._tag === "TranscriptTurnAdded") return { said: event.said, order: event.order, sequence: call.sequence }
    return {
      kind,
      call_id: call.id,
      sequence: call.sequence,
      status: statusOf(call),
      occurred_at: isoInstant(occurredAt(call, event, change.now)),
      late: lateEvents.has(event._tag),
      payload: { ...callPayload(kind, call, event) }
    }
  })
]
