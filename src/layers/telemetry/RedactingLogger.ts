// Logs an error as its message and stack only, wherever it is: in a message or in an annotation. A database error also
// carries the values of its statement, which may be secret.
import { Cause, type Fiber, Logger, References } from "effect"
import { annotatedFiber, type Annotations } from "./AnnotatedFiber.ts"

/** Deeper members are left out. */
const maxDepth = 4

const isPlain = (part: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(part)
  return prototype === Object.prototype || prototype === null
}

const redactedPart = (part: unknown, depth = 0): unknown => {
  if (part instanceof Error) return Cause.pretty(Cause.fail(part))
  if (Cause.isCause(part)) return Cause.pretty(part)
  if (typeof part !== "object" || part === null) return part
  if (!Array.isArray(part) && !isPlain(part)) return part
  if (depth === maxDepth) return "…"
  return Array.isArray(part)
    ? part.map((each) => redactedPart(each, depth + 1))
    : Object.fromEntries(Object.entries(part).map(([name, value]) => [name, redactedPart(value, depth + 1)]))
}

/** The fiber with its annotations redacted. */
const redactedFiber = (fiber: Fiber.Fiber<unknown, unknown>): Fiber.Fiber<unknown, unknown> => {
  const annotations = fiber.getRef(References.CurrentLogAnnotations)
  return Object.keys(annotations).length === 0 ? fiber : annotatedFiber(fiber, redactedPart(annotations) as Annotations)
}

/** Wraps a logger so that errors are logged as text. */
export const redacting = <A>(logger: Logger.Logger<unknown, A>): Logger.Logger<unknown, A> =>
  Logger.make((line) =>
    logger.log({
      ...line,
      fiber: redactedFiber(line.fiber),
      message: Array.isArray(line.message) ? line.message.map((part) => redactedPart(part)) : redactedPart(line.message)
    })
  )
