/** A statement that always holds, with the query that finds the rows breaking it. */
export interface Invariant {
  readonly name: string
  /** SQL that selects the breaking rows. */
  readonly breaches: string
}

/** Statuses of calls that have ended, as an SQL list. */
export const terminal = "('completed', 'no_answer', 'busy', 'failed', 'canceled')"

/** SQL: whether the actor has an alarm. Work that a crash interrupted is no breach while an alarm will resume it. */
export const hasAlarm = (type: string, id: string): string =>
  `EXISTS (SELECT FROM alarms a WHERE a.actor_type = '${type}' AND a.actor_id = ${id}::text)`
