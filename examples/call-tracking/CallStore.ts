// Where the tracked calls are: an SQLite file. One transaction takes a delivery in, so a crash loses none.
import { DatabaseSync } from "node:sqlite"

/** The body of a webhook delivery, as far as this program reads it. docs/webhooks.md has every member. */
export interface CallEvent {
  /** The same for every delivery of this event. */
  readonly id: string
  readonly event_kind: string
  /** Counts the events of one call from 1. Deliveries may arrive in any order. */
  readonly sequence: number
  readonly payload: {
    readonly id: string
    readonly status: string
    readonly to: string
    readonly client_reference: string | null
    readonly cost_minor?: number
  }
}

export interface TrackedCall {
  readonly id: string
  readonly campaign: string | null
  readonly callee: string
  readonly status: string
  readonly cost_minor: number
}

export class CallStore {
  private readonly database: DatabaseSync

  constructor(file: string) {
    this.database = new DatabaseSync(file, { timeout: 5_000 })
    this.database.exec(`
      CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS seen_events (id TEXT PRIMARY KEY);
      CREATE TABLE IF NOT EXISTS calls (
        id TEXT PRIMARY KEY, campaign TEXT, callee TEXT NOT NULL, status TEXT NOT NULL, cost_minor INTEGER NOT NULL,
        sequence INTEGER NOT NULL
      )`)
  }

  setting(name: string): string | undefined {
    const row = this.database.prepare("SELECT value FROM settings WHERE name = ?").get(name)
    return row === undefined ? undefined : String(row["value"])
  }

  setSetting(name: string, value: string): void {
    this.database.prepare("INSERT OR REPLACE INTO settings VALUES (?, ?)").run(name, value)
  }

  /**
   * Stores an event. Returns "duplicate" for one that is stored already: deliveries are repeated until they are
   * acknowledged, so each may come more than once. An event that is older than what is known of its call changes
   * nothing.
   */
  take({ id, payload, sequence }: CallEvent): "stored" | "duplicate" {
    this.database.exec("BEGIN")
    try {
      const isNew = this.database.prepare("INSERT OR IGNORE INTO seen_events VALUES (?)").run(id).changes === 1
      if (isNew) {
        this.database
          .prepare(
            `INSERT INTO calls VALUES (?, ?, ?, ?, ?, ?)
             ON CONFLICT (id) DO UPDATE SET
               status = excluded.status, cost_minor = excluded.cost_minor, sequence = excluded.sequence
             WHERE excluded.sequence > calls.sequence`
          )
          .run(payload.id, payload.client_reference, payload.to, payload.status, payload.cost_minor ?? 0, sequence)
      }
      this.database.exec("COMMIT")
      return isNew ? "stored" : "duplicate"
    } catch (error) {
      this.database.exec("ROLLBACK")
      throw error
    }
  }

  calls(): ReadonlyArray<TrackedCall> {
    return this.database
      .prepare("SELECT id, campaign, callee, status, cost_minor FROM calls ORDER BY id")
      .all() as unknown as ReadonlyArray<TrackedCall>
  }
}
