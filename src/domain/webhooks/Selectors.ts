// What a subscription listens to: `events` as the customer wrote it, and the kinds that it stands for.
import { Result } from "effect"
import { WebhookEventUnsupported } from "../errors/WebhookErrors.ts"
import { type EventKind, eventKinds, families } from "../events/EventTable.ts"

export interface Selectors {
  /** As written, without duplicates. */
  readonly events: ReadonlyArray<string>
  /** Sorted, without duplicates. */
  readonly kinds: ReadonlyArray<EventKind>
}

const kindsByFamily: ReadonlyMap<string, ReadonlyArray<EventKind>> = new Map(Object.entries(families))

const kindsOf = (selector: string): ReadonlyArray<EventKind> => {
  if (selector === "*") return eventKinds
  if (/^[a-z_]+\.\*$/.test(selector)) return eventKinds.filter((kind) => kind.startsWith(selector.slice(0, -1)))
  return kindsByFamily.get(selector) ?? eventKinds.filter((kind) => kind === selector)
}

/** Reads the `events` of a request: kinds, wildcards (`*`, `call.*`) and families. At least one is needed. */
export const selectors = (events: ReadonlyArray<string>): Result.Result<Selectors, WebhookEventUnsupported> => {
  const unknown = events.flatMap((selector, index) =>
    kindsOf(selector).length > 0
      ? []
      : [
          {
            field: `/events/${index}`,
            code: "unsupported",
            message: "Not an event kind, a wildcard or a family."
          }
        ]
  )
  if (unknown.length > 0) return Result.fail(new WebhookEventUnsupported({ details: unknown }))
  if (events.length === 0) {
    return Result.fail(
      new WebhookEventUnsupported({
        details: [{ field: "/events", code: "empty", message: "Name at least one event." }]
      })
    )
  }
  return Result.succeed({
    events: [...new Set(events)],
    kinds: [...new Set(events.flatMap(kindsOf))].toSorted()
  })
}
