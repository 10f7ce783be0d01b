// A tracer that exports only attributes known to hold no secrets and no phone numbers.
import { Cause, Data, Exit, Predicate, Tracer } from "effect"

/**
 * Attributes that are exported. No URL, path, query or header: callbacks, signed links and provider webhooks carry
 * secrets in them. A route holds only parameter names, and a statement only placeholders.
 */
const exportedAttributes: ReadonlySet<string> = new Set([
  "db.query.text",
  "db.system.name",
  "error.type",
  "http.request.method",
  "http.response.status_code",
  "http.route",
  "server.address",
  "server.port",
  "trunkline.actor.id",
  "trunkline.actor.type",
  "trunkline.journal.entries",
  "trunkline.workspace.id",
  "url.scheme"
])

/** Limit on exported statement text. */
const max_text = 500

/** Exports the kind of a failure only. Its message may contain an address or a row. */
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

/** Wraps `tracer`. Also adds the route to the name of a request span. */
export const redacting = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    span: (options) => {
      const span = tracer.span(options)
      const attribute = span.attribute.bind(span)
      const end = span.end.bind(span)
      return Object.assign(span, {
        attribute: (key: string, value: unknown) => {
          if (!exportedAttributes.has(key)) return
          if (key === "http.route") Object.assign(span, { name: `${options.name} ${String(value)}` })
          attribute(key, typeof value === "string" ? value.slice(0, max_text) : value)
        },
        event: () => {},
        end: (at: bigint, exit: Exit.Exit<unknown, unknown>) => end(at, discreetExit(exit))
      })
    }
  })
