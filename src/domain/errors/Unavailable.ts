// Tells a database that cannot be used at the moment from one that refuses a statement.

/**
 * SQLSTATE classes and codes (PostgreSQL manual, appendix A) that say nothing about the statement: no connection,
 * read-only, rolled back, out of resources, locked, stopped by an operator or a time limit, failed storage.
 */
const transientStates = /^(?:08|25006|40|53|55P03|57|58)/

/** The kinds of errors of `effect/sql`, and those of the engine's own layers, that mean the same. */
const transientKinds = new Set([
  "ConnectionError",
  "DeadlockError",
  "LockTimeoutError",
  "SerializationError",
  "SessionFailure",
  "StatementTimeoutError",
  "TimeoutError"
])

/** Causes nest: the read that failed, the error of the driver, its reason, the message of the server. */
const depth_max = 8

const member = (value: object, name: string): unknown => (value as Readonly<Record<string, unknown>>)[name]

/** Whether an error, or what caused it, says that the database cannot be used at the moment. Trying again may help. */
export const isUnavailable = (error: unknown, depth = depth_max): boolean => {
  if (typeof error !== "object" || error === null || depth === 0) return false
  const kind = member(error, "_tag")
  if (typeof kind === "string" && (transientKinds.has(kind) || kind === "service_unavailable")) return true
  const state = member(error, "code")
  if (typeof state === "string" && /^[0-9A-Z]{5}$/.test(state)) return transientStates.test(state)
  return isUnavailable(member(error, "reason"), depth - 1) || isUnavailable(member(error, "cause"), depth - 1)
}

/** Whether an error, or what caused it, says that the session may not write (SQLSTATE 25006). */
export const isReadOnly = (error: unknown, depth = depth_max): boolean =>
  typeof error === "object" &&
  error !== null &&
  depth > 0 &&
  (member(error, "code") === "25006" ||
    isReadOnly(member(error, "reason"), depth - 1) ||
    isReadOnly(member(error, "cause"), depth - 1))
