// Which events of a workspace a principal may follow live: a key or a member gets the events of what it may read.
import { Result } from "effect"
import { authorize, type Principal } from "../access/Principal.ts"
import { auditReader } from "../access/Role.ts"
import type { Scope } from "../access/Scope.ts"
import type { DeliveryWithBody } from "./DeliveryRecord.ts"
import { type EventKind, eventKinds } from "../events/EventTable.ts"

type Prefix<Kind extends string> = Kind extends `${infer P}.${string}` ? P : never

/** The scope that a key needs for the events whose kinds begin with this word. */
const scopes: Readonly<Record<Prefix<EventKind>, Scope>> = {
  call: "calls.read",
  conference: "calls.read",
  number: "numbers.read",
  caller_id: "numbers.read",
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

/**
 * Whether the principal may follow an event. Events that a key needs `audit.read` for are for those members who may
 * read the audit log.
 */
export const judgeFollowing = (principal: Principal, kind: EventKind): ReturnType<typeof authorize> => {
  const scope = scopeOfEvent(kind)
  return authorize(principal, { scope, role: scope === "audit.read" ? auditReader : "viewer", mutates: false })
}

export const mayFollow = (principal: Principal, kind: EventKind): boolean =>
  Result.isSuccess(judgeFollowing(principal, kind))

/** The events that the principal may follow. */
export const readableKinds = (principal: Principal): ReadonlyArray<EventKind> =>
  eventKinds.filter((kind) => mayFollow(principal, kind))

/** The delivery of an event as the principal sees it: without the body, unless it may follow the event. */
export const shownDelivery = (principal: Principal, delivery: DeliveryWithBody): DeliveryWithBody =>
  readableKinds(principal).some((kind) => kind === delivery.event_kind) ? delivery : { ...delivery, body: null }
