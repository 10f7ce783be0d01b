// The cards and their money: an SQLite file. A card pays for one call at a time, and a call is charged once.
import { createHash } from "node:crypto"
import { DatabaseSync } from "node:sqlite"

export interface Card {
  readonly id: number
  readonly balance_minor: number
}

/** PINs are long and random, so that a hash without salt is enough to look them up by. */
const hashOf = (pin: string): string => createHash("sha256").update(pin).digest("hex")

export class Cards {
  private readonly database: DatabaseSync

  constructor(file: string) {
    this.database = new DatabaseSync(file, { timeout: 5_000 })
    this.database.exec(`
      CREATE TABLE IF NOT EXISTS cards (
        id INTEGER PRIMARY KEY, pin_hash TEXT NOT NULL UNIQUE, balance_minor INTEGER NOT NULL
      );
      CREATE TABLE IF NOT EXISTS uses (
        call_id TEXT PRIMARY KEY, card_id INTEGER NOT NULL REFERENCES cards, dialled INTEGER NOT NULL DEFAULT 0,
        over INTEGER NOT NULL DEFAULT 0
      );
      CREATE UNIQUE INDEX IF NOT EXISTS one_use_at_a_time ON uses (card_id) WHERE NOT over;
      CREATE TABLE IF NOT EXISTS charges (
        leg_id TEXT PRIMARY KEY, card_id INTEGER NOT NULL REFERENCES cards, amount_minor INTEGER NOT NULL
      )`)
  }

  issue(pin: string, balance_minor: number): void {
    this.database.prepare("INSERT INTO cards (pin_hash, balance_minor) VALUES (?, ?)").run(hashOf(pin), balance_minor)
  }

  find(pin: string): Card | undefined {
    return this.card("pin_hash = ?", hashOf(pin))
  }

  /** False if the card pays for another call. */
  use(call_id: string, { id }: Card): boolean {
    return (
      this.database.prepare("INSERT OR IGNORE INTO uses (call_id, card_id) VALUES (?, ?)").run(call_id, id).changes ===
      1
    )
  }

  /** The card that pays for a call. */
  of(call_id: string): Card | undefined {
    return this.card("id = (SELECT card_id FROM uses WHERE call_id = ?)", call_id)
  }

  dials(call_id: string): void {
    this.database.prepare("UPDATE uses SET dialled = 1 WHERE call_id = ?").run(call_id)
  }

  hasDialled(call_id: string): boolean {
    return this.database.prepare("SELECT 1 FROM uses WHERE call_id = ? AND dialled").get(call_id) !== undefined
  }

  /** Charges a leg of a call, however often it is told, and lets the card go. */
  charge(call_id: string, leg_id: string, amount_minor: number): void {
    const card = this.of(call_id)
    if (card === undefined) return
    this.database.exec("BEGIN")
    try {
      const { changes } = this.database
        .prepare("INSERT OR IGNORE INTO charges VALUES (?, ?, ?)")
        .run(leg_id, card.id, amount_minor)
      if (changes === 1)
        this.database
          .prepare("UPDATE cards SET balance_minor = balance_minor - ? WHERE id = ?")
          .run(amount_minor, card.id)
      this.release(call_id)
      this.database.exec("COMMIT")
    } catch (error) {
      this.database.exec("ROLLBACK")
      throw error
    }
  }

  release(call_id: string): void {
    this.database.prepare("UPDATE uses SET over = 1 WHERE call_id = ?").run(call_id)
  }

  private card(condition: string, value: string): Card | undefined {
    const row = this.database.prepare(`SELECT id, balance_minor FROM cards WHERE ${condition}`).get(value)
    return row as unknown as Card | undefined
  }
}
