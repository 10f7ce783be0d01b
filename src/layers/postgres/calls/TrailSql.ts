// The queries for a part of the timeline of calls. Each makes the same places of its rows as TimelinePlace.ts, so that
// PostgreSQL finds where a part begins. $1: workspace, $2: calls, $3 and $4: the instant and the tie of the last entry
// before, $5: the last instant, $6: how many rows.
import {
  lineOrder,
  numberInKey,
  sequence_digits,
  step_digits,
  tiePrefix
} from "../../../domain/calls/views/TimelinePlace.ts"
import { deliveryId } from "../journal/JournalWrites.ts"
import { attemptsOf } from "../journal/ListedAttempts.ts"

/** A part ends with the row with which it reaches so many bytes. */
const bytes_max = 1_024 * 1_024

/** More lines before a part are not searched for causes. */
const earlier_max = 2_000

/** The database keeps microseconds, and the engine milliseconds. */
const toMillisecond = (instant: string): string => `date_trunc('milliseconds', ${instant})`

/**
 * The rows after a place. `rows` has their `instant` and their `tie`. `wide`: the column that has most of the bytes.
 * Each row has `found`, the number of rows there are, up to the limit.
 */
const following = (columns: string, wide: string, rows: string): string => `
  SELECT ${columns}, instant, tie, found FROM (
    SELECT *, (count(*) OVER ())::int AS found, (sum(octet_length(${wide}::text)) OVER (
      ORDER BY instant, tie COLLATE "C" ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))::int8 AS bytes_before
    FROM (
      SELECT * FROM (${rows}) AS placed
      WHERE (instant, tie COLLATE "C") > ($3::timestamptz, $4::text) AND instant <= $5::timestamptz
      ORDER BY instant, tie COLLATE "C" LIMIT $6
    ) AS first
  ) AS sized WHERE coalesce(bytes_before, 0) < ${bytes_max} ORDER BY instant, tie COLLATE "C"`

const eventColumns = "id, subject_id AS call_id, kind, sequence, instant AS occurred_at, late, payload"

const events = `
  SELECT *, ${toMillisecond("occurred_at")} AS instant,
    '${tiePrefix.event}' || lpad(sequence::text, ${sequence_digits}, '0') || id::text AS tie
  FROM events WHERE subject_id = ANY ($2::uuid[]) AND workspace_id = $1`

export const eventsAfter = following(eventColumns, "payload", events)

const linePrefix = `CASE kind WHEN 'hold.extended' THEN '${tiePrefix.extendedHold}' ELSE '${tiePrefix.line}' END`
const stepText = `lpad(coalesce(substring(key from '${numberInKey.source}'), '0'), ${step_digits}, '0')`
const lineOrderText = `(coalesce(array_position(ARRAY['${lineOrder.join("','")}'], kind), ${lineOrder.length + 1}) - 1)::text`

const lines = `
  SELECT *, ${toMillisecond("at")} AS instant,
    ${linePrefix} || call_id::text || ${stepText} || ${lineOrderText} || key AS tie
  FROM call_trail WHERE call_id = ANY ($2::uuid[]) AND workspace_id = $1`

export const linesAfter = following("call_id, key, kind, instant AS at, detail", "detail", lines)

/**
 * The id of a delivery is derived from its event and its subscription. A workspace may have thousands of numbers, each
 * with a subscription: those of other numbers got none of the call's events. Row security lets an index find only what
 * is compared by operators that tell nothing, as those of text do, and those of arrays do not.
 */
export const webhooksAfter = `
  WITH called AS MATERIALIZED (
    SELECT DISTINCT number_id::text AS number_id FROM calls WHERE id = ANY ($2::uuid[]) AND workspace_id = $1
  ), subscribed AS (
    SELECT id FROM webhook_subscriptions WHERE workspace_id = $1 AND source IS DISTINCT FROM 'number_routing'
    UNION ALL
    SELECT s.id FROM called JOIN webhook_subscriptions s ON s.number_ids[1] = called.number_id
    WHERE s.workspace_id = $1 AND s.source = 'number_routing'
  ), d AS MATERIALIZED (
    SELECT d.id, d.subject_id AS call_id, d.subscription_id, d.event_id, d.event_kind, d.status, d.attempt_log,
      ${toMillisecond("e.occurred_at")} AS event_at, ${toMillisecond("d.created_at")} AS created_at
    FROM events e CROSS JOIN subscribed s
    JOIN deliveries d ON d.id = ${deliveryId("e.id", "s.id")}
    WHERE e.subject_id = ANY ($2::uuid[]) AND e.workspace_id = $1
  ), entries AS (
    SELECT d.*, NULL::json AS attempt, created_at AS instant, '${tiePrefix.queued}' || id::text AS tie FROM d
    UNION ALL
    SELECT d.*, listed, ${toMillisecond("(listed ->> 'at')::timestamptz")},
      '${tiePrefix.attempt}' || id::text || (listed ->> 'at')
    FROM d CROSS JOIN LATERAL (${attemptsOf("d.attempt_log")}) AS a (listed) WHERE d.created_at <= $5
  )
  ${following(
    "id, call_id, subscription_id, event_id, event_kind, event_at, status, created_at, attempt",
    "attempt",
    "SELECT * FROM entries"
  )}`

const until = `WHERE (instant, tie COLLATE "C") <= ($3::timestamptz, $4::text)`

/** A payload may have a NUL, for which PostgreSQL reads no member of JSON. */
const isCause = `(kind IN ('call.ringing', 'call.answered', 'call.callback_failed')
  OR kind = 'call.progress' AND payload::text LIKE '%"dial_refused"%')`

export const causeEventsUntil = `
  SELECT ${eventColumns} FROM (${events} AND ${isCause}) AS placed ${until}
  ORDER BY instant DESC, tie COLLATE "C" DESC LIMIT ${earlier_max}`

export const linesUntil = `
  SELECT call_id, key, kind, instant AS at,
    CASE kind WHEN 'action.started' THEN substring(detail::text from '"verb"\\s*:\\s*"(\\w+)"') END AS verb
  FROM (${lines}) AS placed ${until}
  ORDER BY instant DESC, tie COLLATE "C" DESC LIMIT ${earlier_max}`

/** $3: the instant. */
export const latestEvents = `
  SELECT DISTINCT ON (subject_id) ${eventColumns} FROM (${events} AND kind <> 'transcript.turn') AS placed
  WHERE instant <= $3 ORDER BY subject_id, instant DESC, tie COLLATE "C" DESC`
