// What a subscription listens to: `events` as the customer wrote it, and the literal kinds that it stands for.
import { Result } from "effect"
import { WebhookEventUnsupported } from "../errors/WebhookErrors.ts"
import { type EventKind, eventKinds, families } from "./EventKinds.ts"

export interface Selectors {
  /** As written, without duplicates. */
  readonly events: ReadonlyArray<string>
  /** Sorted, without duplicates. */
  readonly kinds: ReadonlyArray<EventKind>
}

const wildcard = (selector: string): ReadonlyArray<EventKind> =>
  selector === "*" ? eventKinds : eventKinds.filter((kind) => kind.startsWith(selector.slice(0, -1)))

const kindsOf = (selector: string): ReadonlyArray<EventKind> => {
  if (selector === "*" || /^[a-z_]+\.\*$/.test(selector)) return wildcard(selector)
  if (Object.hasOwn(families, selector)) return families[selector]!
  return eventKinds.filter((kind) => kind === selector)
}

export const selectors = (events: ReadonlyArray<string>): Result.Result<Selectors, WebhookEventUnsupported> => {
  const unknown = events.flatMap((selector, index) =>
    kindsOf(selector).length > 0
      ? []
      : [
          {
            field: `/events/${index}`,
            code: "unsupported",
            message: "Neither an event kind, nor a wildcard, nor a family."
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
