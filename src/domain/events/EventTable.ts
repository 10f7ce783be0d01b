/**
 * Every event that a webhook can carry, one row per kind: its families, the schema of its payload and an example. The
 * selectors of subscriptions, the OpenAPI section `webhooks` and the types of the emitting actors derive from it.
 *
 * Payloads may gain members at any time; the members named here stay.
 */
import { callerIdEvents } from "./CallerIdEvents.ts"
import { callEvents } from "./CallEvents.ts"
import { conferenceEvents } from "./ConferenceEvents.ts"
import { connectivityEvents } from "./ConnectivityEvents.ts"
import { moneyEvents } from "./MoneyEvents.ts"
import { numberEvents } from "./NumberEvents.ts"
import { securityEvents } from "./SecurityEvents.ts"
import type { EventFamily } from "./WebhookEvent.ts"

/** In the order of the API reference. */
export const eventTable = [
  ...callEvents,
  ...conferenceEvents,
  ...numberEvents,
  ...callerIdEvents,
  ...moneyEvents,
  ...connectivityEvents,
  ...securityEvents
] as const

export type EventKind = (typeof eventTable)[number]["kind"]

export const eventKinds: ReadonlyArray<EventKind> = eventTable.map(({ kind }) => kind)

/** The kinds that the selector `call.*` stands for. */
export const callKinds: ReadonlyArray<EventKind> = callEvents.map(({ kind }) => kind)

const familyOf = (family: EventFamily): ReadonlyArray<EventKind> =>
  eventTable.filter(({ families }) => families.includes(family)).map(({ kind }) => kind)

/** The kinds of each family. */
export const families: Readonly<Record<EventFamily, ReadonlyArray<EventKind>>> = {
  call_lifecycle: familyOf("call_lifecycle"),
  call_media: familyOf("call_media"),
  billing: familyOf("billing"),
  numbers: familyOf("numbers"),
  connectivity: familyOf("connectivity"),
  security: familyOf("security")
}
