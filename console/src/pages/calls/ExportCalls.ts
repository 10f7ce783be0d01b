import { type Query, requestPage } from "../../api/Request.ts"
import type { CallRecord } from "../../api/Types.ts"
import { csvOf, saveFile } from "../../ui/Csv.ts"

/** What a file holds at most, so that no export runs for ever. */
const max_rows = 50_000

const columns = [
  "id",
  "created_at",
  "direction",
  "kind",
  "status",
  "from",
  "to",
  "attestation",
  "answered_at",
  "ended_at",
  "duration_seconds",
  "billed_seconds",
  "rate_per_min_minor",
  "cost_minor",
  "currency",
  "hangup_cause",
  "hangup_source",
  "client_reference",
  "parent_call_id"
] as const

/** Reads all calls of a query and saves them as a CSV file. */
export const exportCalls = async (query: Query): Promise<void> => {
  const calls: Array<CallRecord> = []
  let cursor: string | undefined
  do {
    const page = await requestPage<CallRecord>("/v1/calls", { ...query, limit: 200, cursor })
    calls.push(...page.items)
    cursor = page.next
  } while (cursor !== undefined && calls.length < max_rows)
  saveFile(`calls-${new Date().toISOString().slice(0, 10)}.csv`, csvOf(columns, calls))
}
