// Helpers for contract tests of the journal: reads of stored rows, and entries to store.
import { Context, Effect } from "effect"
import { randomUUID } from "node:crypto"
import { Journal } from "../../src/domain/ports/engine/Journal.ts"
import type {
  CallTrailRow,
  Committed,
  DeliveryRow,
  Entry,
  EventRow,
  HoldRow,
  LedgerEntryRow
} from "../../src/domain/journal/Rows.ts"
import type { NotCommitted } from "../../src/domain/errors/NotCommitted.ts"
import type { CallId, NumberId, SubscriptionId, WorkspaceId } from "../../src/domain/BrandedIds.ts"
import { callId } from "../support/Ids.ts"

export interface DeliverySeen {
  readonly id: string
  readonly event_id: string
  readonly event_kind: string
  readonly sequence: number
  readonly status: DeliveryRow["status"]
  readonly attempts: number
  readonly next_attempt_at: number | null
  readonly created_at: number
  readonly attempt_log: string
}

/** Reads stored rows without the journal. */
export class JournalProbe extends Context.Service<
  JournalProbe,
  {
    /** The stored sequences of a subject, ascending, and when they were recorded. */
    readonly events: (
      subject_id: string
    ) => Effect.Effect<ReadonlyArray<{ readonly sequence: number; readonly recorded_at: number }>>
    readonly deliveries: (subscription_id: SubscriptionId) => Effect.Effect<ReadonlyArray<DeliverySeen>>
    readonly hold: (
      id: string
    ) => Effect.Effect<Pick<HoldRow, "amount_minor" | "captured_minor" | "status"> | undefined>
    /** The lines of all ledger entries of a workspace: account and amount. */
    readonly lines: (
      workspace_id: WorkspaceId
    ) => Effect.Effect<ReadonlyArray<readonly [account: string, amount_minor: number]>>
    /** The lines of a call's timeline, by key. */
    readonly trail: (
      call_id: CallId
    ) => Effect.Effect<ReadonlyArray<Pick<CallTrailRow, "key" | "kind" | "at" | "detail">>>
    readonly answers: (
      workspace_id: WorkspaceId
    ) => Effect.Effect<ReadonlyArray<{ readonly key: string; readonly body: string }>>
  }
>()("trunkline/test/JournalProbe") {}

/** Appends all entries at once and waits for all. */
export const commitAll = (entries: ReadonlyArray<Entry>): Effect.Effect<ReadonlyArray<Committed>, never, Journal> =>
  Effect.flatMap(Journal, (journal) =>
    Effect.callback((resume) => {
      const outcomes: Array<Committed> = []
      let open = entries.length
      entries.forEach((entry, index) =>
        journal.append(entry, (outcome) => {
          outcomes[index] = outcome
          if (--open === 0) resume(Effect.succeed(outcomes))
        })
      )
    })
  )

/** For each entry "ok" or the reason of its refusal. */
export const outcomesOf = (entries: ReadonlyArray<Entry>) =>
  Effect.map(commitAll(entries), (outcomes) => outcomes.map((outcome) => (outcome.ok ? "ok" : outcome.error.reason)))

export const commit = (entry: Entry): Effect.Effect<void, NotCommitted, Journal> =>
  Effect.flatMap(commitAll([entry]), ([outcome]) => (outcome!.ok ? Effect.void : Effect.fail(outcome!.error)))

/** An entry of a counter, whose state is in the table `actors`. */
export const counter = (actor_id: string, version: number, more: Partial<Entry> = {}): Entry => ({
  actor_type: "Counter",
  actor_id,
  workspace_id: null,
  snapshot: { version, state: JSON.stringify({ count: version }), columns: {} },
  ...more
})

export const event = (
  workspace_id: WorkspaceId,
  subject_id: string,
  sequence: number,
  more: Partial<EventRow> = {}
): EventRow => ({
  id: randomUUID(),
  workspace_id,
  subject_id,
  sequence,
  kind: "call.ringing",
  occurred_at: 1_000,
  late: false,
  payload: JSON.stringify({ sequence, text: 'café "quoted" \\ \u2028' }),
  number_id: null,
  fan_out: false,
  ...more
})

export const call = (
  workspace_id: WorkspaceId,
  actor_id: string,
  version: number,
  more: Partial<Entry> = {}
): Entry => ({
  actor_type: "Call",
  actor_id,
  workspace_id,
  snapshot: {
    version,
    state: JSON.stringify({ id: actor_id, version }),
    columns: {
      session_id: `HD_${actor_id}`,
      parent_call_id: null,
      number_id: null,
      status: version === 1 ? "ringing" : "answered",
      direction: "outbound",
      from_e164: "+254700000001",
      to_e164: "+254711000001",
      client_reference: null,
      created_at: 1_000,
      answered_at: version === 1 ? null : 2_000,
      cost_minor: null
    }
  },
  ...more
})

export const wallet = (workspace_id: WorkspaceId, version: number, more: Partial<Entry> = {}): Entry => ({
  actor_type: "Wallet",
  actor_id: workspace_id,
  workspace_id,
  snapshot: {
    version,
    state: JSON.stringify({ version }),
    columns: { currency: "KES", balance_minor: 1_000, held_minor: 0, low_balance_threshold_minor: 0, updated_at: 1_000 }
  },
  ...more
})

export const hold = (workspace_id: WorkspaceId, more: Partial<HoldRow> = {}): HoldRow => ({
  id: randomUUID(),
  workspace_id,
  call_id: callId(randomUUID()),
  amount_minor: 120,
  status: "open",
  captured_minor: 0,
  trunk_legs: 2,
  legs: 3,
  high_risk_legs: 1,
  placed_at: 1_000,
  closed_at: null,
  ...more
})

export const charge = (workspace_id: WorkspaceId, call_id: CallId): LedgerEntryRow => ({
  id: randomUUID(),
  workspace_id,
  sequence: 1,
  kind: "call_charge",
  amount_minor: -60,
  balance_after_minor: 940,
  currency: "KES",
  reference_type: "call",
  reference_id: call_id,
  description: "Call",
  created_at: 1_000,
  actor: '{"type":"system"}',
  metadata: "{}",
  lines: [
    { account: `workspace:${workspace_id}:cash`, amount_minor: -60 },
    { account: "revenue:calls", amount_minor: 60 }
  ]
})

export const subscription = (
  workspace_id: WorkspaceId,
  actor_id: string,
  version: number,
  columns: {
    readonly status?: string
    readonly kinds?: ReadonlyArray<string>
    readonly number_ids?: ReadonlyArray<NumberId>
  } = {},
  more: Partial<Entry> = {}
): Entry => ({
  actor_type: "Subscription",
  actor_id,
  workspace_id,
  snapshot: {
    version,
    state: JSON.stringify({ version }),
    columns: {
      status: "active",
      kinds: ["call.ringing", "call.answered"],
      number_ids: [],
      created_at: 1_000,
      ...columns
    }
  },
  ...more
})
