// A tracer that passes on what is known to be free of secrets and of numbers that people called, and nothing else.
import { Cause, Data, Exit, Predicate, Tracer } from "effect"

/**
 * What spans may tell. No URL, path or query: callbacks, signed links and the doors of providers hold secrets in them. No
 * header. A route has its parameters' names, and a statement has placeholders.
 */
const told: ReadonlySet<string> = new Set([
  "db.query.text",
  "db.system.name",
  "error.type",
  "http.request.method",
  "http.response.status_code",
  "http.route",
  "server.address",
  "server.port",
  "url.scheme"
])

/** Statements that write many rows at once are long. */
const max_text = 500

/** Tells what kind of failure it was: what is said of it may have an address or a row in it. */
class Failure extends Data.Error<{ readonly name: string }> {
  override get stack() {
    return this.name
  }
}

const kindOf = (error: unknown): string => {
  if (Predicate.hasProperty(error, "_tag") && typeof error._tag === "string") return error._tag
  return error instanceof Error ? error.name : "Error"
}

const discreetExit = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> =>
  Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)
    ? exit
    : Exit.fail(new Failure({ name: kindOf(Cause.squash(exit.cause)) }))

/** `tracer`, of whose spans less is known. A span of a request is named by its route as well. */
export const redacting = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    span: (options) => {
      const span = tracer.span(options)
      const attribute = span.attribute.bind(span)
      const end = span.end.bind(span)
      return Object.assign(span, {
        attribute: (key: string, value: unknown) => {
          if (!told.has(key)) return
          if (key === "http.route") Object.assign(span, { name: `${options.name} ${String(value)}` })
          attribute(key, typeof value === "string" ? value.slice(0, max_text) : value)
        },
        event: () => {},
        end: (at: bigint, exit: Exit.Exit<unknown, unknown>) => end(at, discreetExit(exit))
      })
    }
  })
