// Which events of a workspace a principal may follow live: a key reads the events of what it may read.
import type { Principal } from "../access/Principal.ts"
import type { Scope } from "../access/Scope.ts"
import { type EventKind, eventKinds } from "./EventTable.ts"

type Prefix<Kind extends string> = Kind extends `${infer P}.${string}` ? P : never

/** The scope that a key needs for the events whose kinds begin with this word. */
const scopes: Readonly<Record<Prefix<EventKind>, Scope>> = {
  call: "calls.read",
  conference: "calls.read",
  number: "numbers.read",
  topup: "wallet.read",
  wallet: "wallet.read",
  storage: "storage.read",
  sip_trunk: "sip_trunk.read",
  sip_credential: "sip_credentials.read",
  chatapp: "chatapp.read",
  security: "audit.read",
  workspace: "audit.read",
  webhook: "webhooks.read"
}

export const scopeOfEvent = (kind: EventKind): Scope => scopes[kind.slice(0, kind.indexOf(".")) as Prefix<EventKind>]

/** Members may follow every event. */
export const mayFollow = (principal: Principal, kind: EventKind): boolean =>
  principal.kind === "session" || principal.scopes.includes(scopeOfEvent(kind))

/** The events that the principal may follow. */
export const readableKinds = (principal: Principal): ReadonlyArray<EventKind> =>
  eventKinds.filter((kind) => mayFollow(principal, kind))
