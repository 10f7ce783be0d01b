// What is logged of a failure is what it is and where it came about. An error of the database's carries the values of its
// statement as well: those stay out.
import { Cause, Logger } from "effect"

const told = (part: unknown): unknown => {
  if (part instanceof Error) return Cause.pretty(Cause.fail(part))
  return Cause.isCause(part) ? Cause.pretty(part) : part
}

/** The logger, to which errors are but their text. */
export const redacting = <A>(logger: Logger.Logger<unknown, A>): Logger.Logger<unknown, A> =>
  Logger.make((line) =>
    logger.log({ ...line, message: Array.isArray(line.message) ? line.message.map(told) : told(line.message) })
  )
