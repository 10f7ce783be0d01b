// Many stored calls of a workspace in one statement, of mixed kinds.
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { absentCall, type Call } from "../../src/domain/calls/state/Call.ts"
import { toSessionId, type WorkspaceId } from "../../src/domain/BrandedIds.ts"
import { callId, gatewayId, workspaceId } from "./Ids.ts"

const template: Call = {
  ...absentCall(callId("00000000-0000-7000-8000-000000000000")),
  phase: "ringing",
  facts: {
    session_id: toSessionId("HD_"),
    workspace_id: workspaceId(""),
    tenant_pbx_id: "t",
    gateway_id: gatewayId("g"),
    number_id: null,
    parent_call_id: null,
    parent_session_id: null,
    direction: "outbound",
    kind: "api",
    from: "",
    to: "",
    country: "KE",
    caller_id: "",
    created_at: 0,
    currency: "KES",
    rate_per_min_minor: 300,
    matched_prefix: "254",
    timeout_seconds: 30,
    max_duration_seconds: 14_400,
    voice_callback_url: null,
    voice_fallback_url: null,
    metadata: {},
    client_reference: null
  }
}

export const newWorkspace = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const id = randomUUID() as string
  yield* sql`INSERT INTO workspaces ${sql.insert({
    id,
    name: "One",
    tenant_pbx_id: id,
    gateway_id: "g",
    voice_secret: "",
    created_at: new Date(0)
  })}`
  return id
})

export interface ManyCalls {
  readonly calls: number
  readonly from: number
  readonly step_ms: number
  /** How many calls share a timestamp. */
  readonly together?: number
  readonly status?: (n: number) => string
}

const numbers = ["+254700000001", "+254700000002"] as const
const destinations = ["+254711000001", "+254711000002"] as const
const ids = ["00000000-0000-8000-8000-00000000000a", "00000000-0000-8000-8000-00000000000b"] as const
export const oneCanceledIn = 3_001

/**
 * The calls of two numbers with different destinations and callers of all kinds. Few calls match a search for both.
 */
const kindOf = (n: number) => {
  const own = n % 4 < 2 ? 0 : 1
  const outbound = n % 2 === 0
  const other = `+2547990000${String(n % 97).padStart(2, "0")}`
  return {
    number_id: ids[own],
    direction: outbound ? "outbound" : "inbound",
    from: outbound ? numbers[own] : other,
    to: outbound ? (n % 8 < 4 ? destinations[own] : other) : numbers[own],
    client_reference: n % 4 === 0 ? "campaign" : n % 4 === 2 ? `ref-${n}` : null
  } as const
}

const statusOf = (n: number): string =>
  n % oneCanceledIn === 5 ? "canceled" : n % 500 === 3 ? "answered" : n % 10 === 1 ? "busy" : "completed"

/** The state of a finished call has its ending, so that it is shown as stored. */
const endingOf = (status: string): Partial<Call> =>
  status === "answered"
    ? { phase: "answered", answered_at: 1 }
    : {
        phase: "ended",
        ended_at: 2,
        cost_minor: status === "completed" ? 300 : 0,
        ending: {
          status: status as "busy",
          cause: "normal_clearing",
          source: "callee",
          sip_code: null,
          q850_cause: null
        },
        ...(status === "completed" && { answered_at: 1 })
      }

export const fillCalls = Effect.fnUntraced(function* (
  workspace_id: WorkspaceId,
  { calls, from, status = statusOf, step_ms, together = 1 }: ManyCalls
) {
  const sql = yield* PgClient.PgClient
  const rows = Array.from({ length: calls }, (_, n) => {
    const id = randomUUID() as string
    const kind = kindOf(n)
    const at = from + Math.floor(n / together) * together * step_ms
    const state = {
      ...template,
      id,
      ...endingOf(status(n)),
      facts: { ...template.facts!, ...kind, workspace_id, created_at: at }
    }
    return { ...kind, id, at, status: status(n), state: JSON.stringify(state) }
  })
  yield* sql`
    INSERT INTO calls (id, workspace_id, session_id, number_id, version, state, status, direction, from_e164, to_e164,
      client_reference, created_at, answered_at, cost_minor)
    SELECT id, ${workspace_id}, id::text, number_id, 1, state::json, status, direction, "from", "to", client_reference,
      timestamptz 'epoch' + at * interval '1 millisecond',
      CASE WHEN status IN ('answered', 'completed') THEN now() END,
      CASE status WHEN 'answered' THEN NULL WHEN 'completed' THEN 300 ELSE 0 END
    FROM json_to_recordset(${JSON.stringify(rows)}::text::json) AS r (id uuid, number_id uuid, state text, status text, direction text,
      "from" text, "to" text, client_reference text, at int8)`
})
