import { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import {
  type CallCourse,
  type EarlierLine,
  type LoggedEvent,
  type TrailLine,
  trailOfCourses,
  type WebhookTrail,
  type Place
} from "../../../domain/calls/views/CallTrail.ts"
import { earliest } from "../../../domain/calls/views/TimelinePlace.ts"
import type { ChargeEntry, RateProof } from "../../../domain/calls/views/ChargeBreakdown.ts"
import { CallHistory } from "../../../domain/ports/calls/CallHistory.ts"
import type { HoldRow } from "../../../domain/journal/Rows.ts"
import { ReadFailed } from "../../../domain/errors/ReadFailed.ts"
import { causeEventsUntil, eventsAfter, latestEvents, linesAfter, linesUntil, webhooksAfter } from "./TrailSql.ts"
import type { CallId, WorkspaceId } from "../../../domain/BrandedIds.ts"

/** After everything that a call can have: the year 9999. */
const endOfTime = Date.UTC(9999, 0)

/** A row of a part of the trail. */
interface Placed {
  readonly instant: Date
  readonly tie: string
  /** How many rows there are, up to one more than the limit. */
  readonly found: number
}

/** The place of the last row, if there are more. */
const horizonOf = (rows: ReadonlyArray<Placed>, limit: number): Place | undefined => {
  const last = rows.at(-1)
  if (last === undefined || (rows.length === last.found && rows.length <= limit)) return undefined
  return { at: last.instant.getTime(), tie: last.tie }
}

interface StoredHold extends Omit<HoldRow, "amount_minor" | "captured_minor" | "placed_at" | "closed_at"> {
  readonly amount_minor: bigint
  readonly captured_minor: bigint
  readonly placed_at: Date
  readonly closed_at: Date | null
}

interface StoredCharge extends Omit<ChargeEntry, "amount_minor" | "balance_after_minor" | "created_at"> {
  readonly amount_minor: bigint
  readonly balance_after_minor: bigint
  readonly created_at: Date
}

type StoredEvent = Omit<LoggedEvent, "occurred_at"> & { readonly occurred_at: Date }
type StoredLine = Omit<TrailLine, "at"> & { readonly at: Date }
type StoredEarlierLine = Omit<EarlierLine, "at"> & { readonly at: Date }
type StoredWebhook = Omit<WebhookTrail, "created_at" | "event_at"> & {
  readonly created_at: Date
  readonly event_at: Date
}

const eventOf = ({ call_id, id, kind, late, occurred_at, payload, sequence }: StoredEvent): LoggedEvent => ({
  id,
  call_id,
  kind,
  sequence,
  occurred_at: occurred_at.toISOString(),
  late,
  payload
})

const lineOf = ({ at, call_id, detail, key, kind }: StoredLine): TrailLine => ({
  call_id,
  key,
  kind,
  at: at.getTime(),
  detail
})

const webhookOf = ({ created_at, event_at, ...row }: StoredWebhook & Placed): WebhookTrail => {
  const { found: _, instant: __, tie: ___, ...webhook } = row
  return { ...webhook, created_at: created_at.getTime(), event_at: event_at.getTime() }
}

interface StoredRate extends Omit<RateProof, "per_min_minor" | "effective_from" | "effective_to"> {
  readonly per_min_minor: bigint
  readonly effective_from: Date
  readonly effective_to: Date | null
}

const holdsOf = `
  SELECT id, workspace_id, call_id, amount_minor, status, captured_minor, placed_at, closed_at, trunk_legs, legs,
    high_risk_legs
  FROM holds
  WHERE call_id = ANY ($2::uuid[]) AND workspace_id = $1 ORDER BY placed_at, id`

const chargesOf = `
  SELECT e.id, e.reference_id AS call_id, e.amount_minor, e.balance_after_minor, e.created_at,
    (SELECT json_agg(json_build_object('account', account, 'amount_minor', amount_minor) ORDER BY account)
      FROM ledger_lines WHERE entry_id = e.id) AS lines
  FROM ledger_entries e
  WHERE e.kind = 'call_charge' AND e.reference_id = ANY ($2::text[]) AND e.workspace_id = $1 ORDER BY e.created_at, e.id`

const coursesOf = `
  SELECT id AS call_id, state -> 'facts' ->> 'gateway_id' AS gateway_id, state -> 'consulted' AS consulted,
    state -> 'commands' AS commands, state -> 'watches' AS watches FROM calls WHERE id = ANY ($2::uuid[]) AND workspace_id = $1`

const rateOf = `
  SELECT id, prefix, country, description, class, per_min_minor, effective_from, effective_to FROM rates
  WHERE currency = $1 AND direction = $2 AND prefix = $3 AND effective_from <= $4 AND (effective_to IS NULL OR effective_to > $4)
  ORDER BY effective_from DESC LIMIT 1`

const balanceAt = `
  SELECT balance_after_minor FROM ledger_entries WHERE workspace_id = $1 AND created_at <= $2
  ORDER BY created_at DESC, sequence DESC LIMIT 1`

const holdOf = (row: StoredHold): HoldRow => ({
  ...row,
  amount_minor: Number(row.amount_minor),
  captured_minor: Number(row.captured_minor),
  placed_at: row.placed_at.getTime(),
  closed_at: row.closed_at?.getTime() ?? null
})

const chargeOf = (row: StoredCharge): ChargeEntry => ({
  ...row,
  amount_minor: Number(row.amount_minor),
  balance_after_minor: Number(row.balance_after_minor),
  created_at: row.created_at.getTime()
})

const proofOf = (row: StoredRate): RateProof => ({
  ...row,
  per_min_minor: Number(row.per_min_minor),
  effective_from: row.effective_from.getTime(),
  effective_to: row.effective_to?.getTime() ?? null
})

export const layer = Layer.effect(
  CallHistory,
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const failed = Effect.mapError((cause: unknown) => new ReadFailed({ cause }))

    const money = (workspace_id: WorkspaceId, call_ids: ReadonlyArray<CallId>) =>
      Effect.all({
        holds: Effect.map(sql.unsafe<StoredHold>(holdsOf, [workspace_id, call_ids]), (rows) => rows.map(holdOf)),
        charges: Effect.map(sql.unsafe<StoredCharge>(chargesOf, [workspace_id, call_ids]), (rows) => rows.map(chargeOf))
      }).pipe(failed)

    const earlier = (workspace_id: WorkspaceId, call_ids: ReadonlyArray<CallId>, after: Place | undefined) => {
      if (after === undefined) return Effect.succeed({ events: [], lines: [] })
      const place = [workspace_id, call_ids, new Date(after.at), after.tie]
      return Effect.all({
        events: Effect.map(sql.unsafe<StoredEvent>(causeEventsUntil, place), (rows) => rows.map(eventOf)),
        lines: Effect.map(sql.unsafe<StoredEarlierLine>(linesUntil, place), (rows) =>
          rows.map((row): EarlierLine => ({ ...row, at: row.at.getTime() }))
        )
      })
    }

    const trail: CallHistory["Service"]["trail"] = (workspace_id, call_ids, { after, limit, until }) => {
      const { at, tie } = after ?? { at: 0, tie: "" }
      const part = [workspace_id, call_ids, new Date(at), tie, new Date(until ?? endOfTime), limit + 1]
      return Effect.all({
        money: money(workspace_id, call_ids),
        events: sql.unsafe<StoredEvent & Placed>(eventsAfter, part),
        lines: sql.unsafe<StoredLine & Placed>(linesAfter, part),
        webhooks: sql.unsafe<StoredWebhook & Placed>(webhooksAfter, part),
        earlier: earlier(workspace_id, call_ids, after),
        courses: Effect.map(sql.unsafe<CallCourse>(coursesOf, [workspace_id, call_ids]), trailOfCourses)
      }).pipe(
        Effect.map(({ courses, earlier, events, lines, money, webhooks }) => ({
          ...money,
          ...courses,
          earlier,
          events: events.map(eventOf),
          lines: lines.map(lineOf),
          webhooks: webhooks.map(webhookOf),
          horizon: earliest([events, lines, webhooks].map((rows) => horizonOf(rows, limit)))
        })),
        failed
      )
    }

    return CallHistory.of({
      money,
      trail,
      latest: (workspace_id, call_ids, at) =>
        sql.unsafe<StoredEvent>(latestEvents, [workspace_id, call_ids, new Date(at)]).pipe(
          Effect.map((rows) => rows.map(eventOf)),
          failed
        ),
      rate: (currency, direction, prefix, at) =>
        sql.unsafe<StoredRate>(rateOf, [currency, direction, prefix, new Date(at)]).pipe(
          Effect.map(([row]) => row && proofOf(row)),
          failed
        ),
      balance: (workspace_id, at) =>
        sql.unsafe<{ readonly balance_after_minor: bigint }>(balanceAt, [workspace_id, new Date(at)]).pipe(
          Effect.map(([row]) => row && Number(row.balance_after_minor)),
          failed
        )
    })
  })
)
