/** What is true whatever happens, as a question whose answer is every row that breaks it. */
export interface Invariant {
  readonly name: string
  /** Selects what breaks it. */
  readonly breaches: string
}

/** The statuses of calls that are over. */
export const terminal = "('completed', 'no_answer', 'busy', 'failed', 'canceled')"

/** Whether something will bring the actor back: work that a crash cut short is no breach while an alarm stands for it. */
export const hasAlarm = (type: string, id: string): string =>
  `EXISTS (SELECT FROM alarms a WHERE a.actor_type = '${type}' AND a.actor_id = ${id}::text)`
