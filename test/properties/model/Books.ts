// What is on disk: as the tables of the journal, with their unique keys.
import type { EventRow, HoldRow, LedgerEntryRow, Stored } from "../../../src/domain/journal/Rows.ts"
import type { Recorded } from "../../../src/actors/runtime/Definition.ts"
import type { CallId } from "../../../src/domain/BrandedIds.ts"
import { callId } from "../../support/Ids.ts"

interface Row {
  readonly state: string
  readonly status: unknown
}

export class Books {
  readonly rows = new Map<string, Row>()
  readonly holds = new Map<string, HoldRow>()
  readonly ledger: Array<LedgerEntryRow> = []
  readonly events = new Map<string, Array<EventRow>>()
  private readonly charges = new Map<string, LedgerEntryRow>()

  /** False where a unique key refuses it: nothing is written then. */
  write(id: string, { columns, events = [], holds = [], ledger = [], state }: Recorded): boolean {
    const charged = ledger.filter(({ kind }) => kind === "call_charge")
    if (charged.some(({ reference_id }) => this.charges.has(reference_id))) return false
    this.rows.set(id, { state, status: columns["status"] })
    for (const hold of holds) this.holds.set(hold.id, hold)
    for (const event of events) this.eventsOf(callId(event.subject_id)).push(event)
    this.ledger.push(...ledger)
    for (const entry of charged) this.charges.set(entry.reference_id, entry)
    return true
  }

  read(id: string): Stored | undefined {
    const row = this.rows.get(id)
    if (row === undefined) return undefined
    const holds = [...this.holds.values()].filter(
      ({ status, workspace_id }) => status === "open" && workspace_id === id
    )
    return { version: 1, workspace_id: null, state: row.state, alarm: null, holds }
  }

  eventsOf(call_id: CallId): Array<EventRow> {
    let events = this.events.get(call_id)
    if (events === undefined) this.events.set(call_id, (events = []))
    return events
  }

  chargeOf(call_id: CallId): LedgerEntryRow | undefined {
    return this.charges.get(call_id)
  }

  orphanedHolds(placed_before: number) {
    const orphans = [...this.holds.values()]
      .filter(({ placed_at, status }) => status === "open" && placed_at < placed_before)
      .filter(({ call_id }) => {
        const status = this.rows.get(call_id)?.status
        return status !== "ringing" && status !== "answered"
      })
    return {
      orphaned_hold_ids: orphans.map(({ id }) => id),
      unused_hold_ids: orphans.flatMap(({ call_id, id }) => (this.rows.has(call_id) ? [] : [id]))
    }
  }
}
