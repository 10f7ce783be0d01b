// Every promise of the interface that can be seen from outside, in the order in which they are checked.
import { actions, dial } from "./areas/Actions.ts"
import { callbacks, silent as silentCallback } from "./areas/Callbacks.ts"
import { callRecords, calls, refusedCalls } from "./areas/Calls.ts"
import { chatapp } from "./areas/ChatApp.ts"
import { destinations } from "./areas/Destinations.ts"
import { callEvents, stream } from "./areas/Events.ts"
import { errors, idempotency, requests } from "./areas/Http.ts"
import { accounts, audit, keys } from "./areas/Keys.ts"
import { callStatistics, lists, pages } from "./areas/Lists.ts"
import { money } from "./areas/Money.ts"
import { inventoryOffers, numbers, routing } from "./areas/Numbers.ts"
import { sipCredentials, trunk, webrtc } from "./areas/Sip.ts"
import { recordings, storageTier } from "./areas/Storage.ts"
import { topups } from "./areas/TopUps.ts"
import { wallet } from "./areas/Wallet.ts"
import { webhookDeliveries, webhooks, webhookSignatures } from "./areas/Webhooks.ts"
import type { Kept } from "./Kept.ts"
import { silent } from "./PlacedCalls.ts"
import type { World } from "./World.ts"

export interface InterfacePromise extends Kept {
  /** The area and the number in it: `money.3`. */
  readonly id: string
  readonly area: string
}

const areas = [
  keys,
  accounts,
  errors,
  requests,
  actions,
  dial,
  destinations,
  refusedCalls,
  calls,
  callRecords,
  callEvents,
  stream,
  callbacks,
  money,
  wallet,
  topups,
  lists,
  pages,
  callStatistics,
  idempotency,
  inventoryOffers,
  numbers,
  routing,
  sipCredentials,
  webrtc,
  trunk,
  chatapp,
  storageTier,
  recordings,
  webhooks,
  webhookDeliveries,
  webhookSignatures,
  audit
]

export const promises: ReadonlyArray<InterfacePromise> = areas.flatMap(({ name, promises: ofArea }) =>
  ofArea.map((kept, index) => ({ ...kept, area: name, id: `${name}.${index + 1}` }))
)

/** What takes long by itself, by the areas that need it. It begins with the run. */
export const slow: ReadonlyArray<readonly [areas: ReadonlyArray<string>, begin: (world: World) => Promise<unknown>]> = [
  [["callbacks"], silentCallback],
  [["calls", "money", "lists", "paging", "statistics"], silent]
]
