// Logs an error as its message and stack only. A database error also carries the values of its statement, which may be
// secret.
import { Cause, Logger } from "effect"

const redactedPart = (part: unknown): unknown => {
  if (part instanceof Error) return Cause.pretty(Cause.fail(part))
  return Cause.isCause(part) ? Cause.pretty(part) : part
}

/** Wraps a logger so that errors are logged as text. */
export const redacting = <A>(logger: Logger.Logger<unknown, A>): Logger.Logger<unknown, A> =>
  Logger.make((line) =>
    logger.log({
      ...line,
      message: Array.isArray(line.message) ? line.message.map(redactedPart) : redactedPart(line.message)
    })
  )
