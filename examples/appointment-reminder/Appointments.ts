// The appointments: an SQLite file, so that a restart forgets nothing and calls nobody twice.
import { DatabaseSync } from "node:sqlite"

/**
 * `waiting`: to be called. `calling`: a call is under way. `confirmed` and `moved`: the person pressed 1 or 2.
 * `reminded`: the message was heard and no key was pressed. `unreached`: we gave up.
 */
export type Status = "waiting" | "calling" | "confirmed" | "moved" | "reminded" | "unreached"

export interface Appointment {
  readonly id: string
  readonly phone: string
  /** Epoch milliseconds. */
  readonly at: number
  readonly status: Status
  /** The calls that were placed. */
  readonly calls: number
  /** Not before this time. Epoch milliseconds. */
  readonly call_at: number
}

export class Appointments {
  private readonly database: DatabaseSync

  constructor(file: string) {
    this.database = new DatabaseSync(file, { timeout: 5_000 })
    this.database.exec(`CREATE TABLE IF NOT EXISTS appointments (
      id TEXT PRIMARY KEY, phone TEXT NOT NULL, at INTEGER NOT NULL, status TEXT NOT NULL DEFAULT 'waiting',
      calls INTEGER NOT NULL DEFAULT 0, call_at INTEGER NOT NULL
    )`)
  }

  add({ at, call_at, id, phone }: Pick<Appointment, "id" | "phone" | "at" | "call_at">): void {
    this.database
      .prepare("INSERT OR IGNORE INTO appointments (id, phone, at, call_at) VALUES (?, ?, ?, ?)")
      .run(id, phone, at, call_at)
  }

  due(now: number): ReadonlyArray<Appointment> {
    return this.read("WHERE status = 'waiting' AND call_at <= ? AND at > ? ORDER BY at", now, now)
  }

  get(id: string): Appointment | undefined {
    return this.read("WHERE id = ?", id)[0]
  }

  all(): ReadonlyArray<Appointment> {
    return this.read("ORDER BY at")
  }

  called(id: string): void {
    this.database.prepare("UPDATE appointments SET status = 'calling', calls = calls + 1 WHERE id = ?").run(id)
  }

  /** Only a call under way ends, so that a webhook that comes twice or late changes nothing. */
  ended(id: string, status: Status, call_at: number): void {
    this.database
      .prepare("UPDATE appointments SET status = ?, call_at = ? WHERE id = ? AND status = 'calling'")
      .run(status, call_at, id)
  }

  set(id: string, status: Status): void {
    this.database.prepare("UPDATE appointments SET status = ? WHERE id = ?").run(status, id)
  }

  private read(condition: string, ...values: ReadonlyArray<string | number>): ReadonlyArray<Appointment> {
    const rows = this.database.prepare(`SELECT * FROM appointments ${condition}`).all(...values)
    return rows as unknown as ReadonlyArray<Appointment>
  }
}
