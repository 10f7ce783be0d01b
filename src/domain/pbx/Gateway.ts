// The actor that stands for one PBX gateway: which connection is current, and which commands the gateway has not
// acknowledged. Only the number of connections (the epoch) is stored. Callers repeat a command until it is
// acknowledged, so an actor that has moved or restarted receives the rest again.
import { HashMap, Option, Result } from "effect"
import type { Capability } from "./Capabilities.ts"
import { decideBy, type Rules } from "../Command.ts"
import { deadline, task, type Work } from "../Decision.ts"
import { ServiceUnavailable } from "../errors/GeneralErrors.ts"
import type { DispatchReply, GatewayCommands, GatewayMessage, GatewayNotice } from "./GatewayCommand.ts"
import {
  emptyOutbox,
  hasUnsent,
  isQueued,
  type Outbox,
  queue,
  resendBefore,
  settle,
  sizeOf,
  supersededBy,
  takeUnsent,
  withoutStale
} from "./Outbox.ts"
import { noRecentIds, type RecentIds, remember, seen, seenAt } from "./RecentIds.ts"
import type { DownCommand } from "./TenantCommand.ts"

/** A command without an acknowledgement is sent again after one to two times this. */
export const resend_ms = 2000
/** The most commands in one batch, whether new or sent again. */
export const batchMax = 1000
/** The most commands kept for an absent or stuck gateway. Beyond it, `Dispatch` fails and callers retry. */
export const outboxMax = 50_000
const rememberedMin = 10_000
const refusalsMax = 1000

export interface GatewayState {
  readonly epoch: number
  /** What the gateway can do. */
  readonly capabilities: ReadonlyArray<Capability>
  readonly connection_id: string | null
  /** Since when it has been connected, or away. Null until this actor has looked. Epoch milliseconds. */
  readonly since: number | null
  readonly outbox: Outbox
  /** A batch is with the connection, which has not yet asked for the next one. New commands collect meanwhile. */
  readonly sending: boolean
  /** Batches sent so far. It tells the plan's flushes apart. */
  readonly batches: number
  /** Since when commands have been waiting for the next batch. Epoch milliseconds. */
  readonly unsent_since: number
  /** A resend round: when it began (epoch milliseconds), and the order below which its commands lie. */
  readonly round: { readonly began_at: number; readonly before_order: number } | null
  readonly acknowledged: RecentIds
  /** Reasons by the ids of refused commands. */
  readonly refused: HashMap.HashMap<string, string>
  /** The connection for which all tenants were notified that the gateway may have lost its state. */
  readonly resynced_epoch: number
}

/** Tell the tenants that their gateway is back. It may have forgotten their registrations and trunks. */
export interface GatewayWork {
  readonly _tag: "ResyncTenants"
  readonly epoch: number
}

export type GatewayEvent =
  | {
      readonly _tag: "Attached"
      readonly connection_id: string
      readonly capabilities: ReadonlyArray<Capability>
      readonly epoch: number
      readonly at: number
    }
  | { readonly _tag: "Detached"; readonly at: number }
  /** The actor, which has just come into memory, has found no connection. */
  | { readonly _tag: "FoundAway"; readonly at: number }
  | { readonly _tag: "Readied"; readonly at: number }
  | { readonly _tag: "Queued"; readonly command: DownCommand; readonly at: number }
  | { readonly _tag: "Sent"; readonly commands: ReadonlyArray<DownCommand>; readonly outbox: Outbox }
  | { readonly _tag: "Acknowledged"; readonly command_ids: ReadonlyArray<string>; readonly at: number }
  | { readonly _tag: "Refused"; readonly command_id: string; readonly reason: string }
  | { readonly _tag: "Resynced"; readonly epoch: number }
  | { readonly _tag: "RoundEnded"; readonly at: number }

type GatewayRules = Rules<GatewayState, GatewayCommands, GatewayEvent>

export const initialGateway = (epoch: number, capabilities: ReadonlyArray<Capability> = []): GatewayState => ({
  epoch,
  capabilities,
  connection_id: null,
  since: null,
  outbox: emptyOutbox,
  sending: false,
  batches: 0,
  unsent_since: 0,
  round: null,
  acknowledged: noRecentIds,
  refused: HashMap.empty(),
  resynced_epoch: 0
})

const unchanged = <Reply>(reply: Reply) => Result.succeed({ events: [], reply })
const done = unchanged(undefined)

/** An event that is kept in memory alone. */
const inMemory = <Reply>(event: GatewayEvent, reply: Reply) =>
  Result.succeed({ events: [event], reply, volatile: true as const })

const attach: GatewayRules["Attach"] = (state, { capabilities = [], connection_id }, at) => {
  const epoch = state.epoch + 1
  return Result.succeed({ events: [{ _tag: "Attached", connection_id, capabilities, epoch, at }], reply: { epoch } })
}

/** The stored epoch decides, so this works for an actor that has forgotten everything else. */
const renew: GatewayRules["Renew"] = (state, { connection_id, epoch }, at) => {
  const { capabilities } = state
  if (state.epoch !== epoch) return unchanged("replaced" as const)
  if (state.connection_id !== connection_id)
    return inMemory({ _tag: "Attached", connection_id, capabilities, epoch, at }, "attached" as const)
  return state.sending ? inMemory({ _tag: "Readied", at }, "attached" as const) : unchanged("attached" as const)
}

const detach: GatewayRules["Detach"] = (state, { connection_id }, at) =>
  state.connection_id === connection_id ? inMemory({ _tag: "Detached", at }, undefined) : done

const getPresence: GatewayRules["GetPresence"] = ({ connection_id, epoch, since }, _, at) => {
  const presence = { connected: connection_id !== null, epoch, since: since ?? at }
  return since === null ? inMemory({ _tag: "FoundAway", at }, presence) : unchanged(presence)
}

const ready: GatewayRules["Ready"] = (state, { connection_id }, at) =>
  state.connection_id === connection_id && state.sending ? inMemory({ _tag: "Readied", at }, undefined) : done

const dispatch: GatewayRules["Dispatch"] = (state, { command }, at) => {
  const waiting: DispatchReply = { status: state.connection_id === null ? "offline" : "queued" }
  if (isQueued(state.outbox, command.id)) return unchanged(waiting)
  if (seen(state.acknowledged, command.id)) return unchanged({ status: "acknowledged" as const })
  const reason = Option.getOrUndefined(HashMap.get(state.refused, command.id))
  if (reason !== undefined) return unchanged({ status: "refused" as const, reason })
  if (sizeOf(state.outbox) >= outboxMax) return Result.fail(new ServiceUnavailable({ reason: "gateway_outbox_full" }))
  return inMemory({ _tag: "Queued", command, at }, waiting)
}

const acknowledge: GatewayRules["Acknowledge"] = (state, command, at) => {
  const command_ids = command.command_ids.filter((id) => isQueued(state.outbox, id))
  return command_ids.length === 0 ? done : inMemory({ _tag: "Acknowledged", command_ids, at }, undefined)
}

const refuse: GatewayRules["Refuse"] = (state, { command_id, reason }) =>
  isQueued(state.outbox, command_id) ? inMemory({ _tag: "Refused", command_id, reason }, undefined) : done

const getAcknowledgements: GatewayRules["GetAcknowledgements"] = ({ acknowledged }, { command_ids }) =>
  unchanged(
    Object.fromEntries(
      command_ids.flatMap((id) => {
        const at = seenAt(acknowledged, id)
        return at === undefined ? [] : [[id, at] as const]
      })
    )
  )

const flush: GatewayRules["Flush"] = (state) =>
  mayFlush(state) ? inMemory({ _tag: "Sent", ...takeUnsent(state.outbox, batchMax) }, undefined) : done

const rules: GatewayRules = {
  Attach: attach,
  Renew: renew,
  Detach: detach,
  Ready: ready,
  Dispatch: dispatch,
  Acknowledge: acknowledge,
  Refuse: refuse,
  GetAcknowledgements: getAcknowledgements,
  GetCapabilities: ({ capabilities }) => unchanged(capabilities),
  GetPresence: getPresence,
  FinishResync: (_, { epoch }) => inMemory({ _tag: "Resynced", epoch }, undefined),
  Flush: flush,
  Resend: (state, _, at) => (state.round === null ? done : inMemory({ _tag: "RoundEnded", at }, undefined))
}

export const decideGateway = decideBy<GatewayState, GatewayCommands, GatewayEvent>(() => rules)

const mayFlush = ({ connection_id, outbox, sending }: GatewayState): boolean =>
  connection_id !== null && !sending && hasUnsent(outbox)

const roundOf = (outbox: Outbox, at: number): GatewayState["round"] =>
  sizeOf(outbox) === 0 ? null : { began_at: at, before_order: outbox.next_order }

const withRefusal = ({ refused }: GatewayState, command_id: string, reason: string): GatewayState["refused"] =>
  HashMap.set(HashMap.size(refused) < refusalsMax ? refused : HashMap.empty<string, string>(), command_id, reason)

const queued = (state: GatewayState, command: DownCommand, at: number): GatewayState => {
  const outbox = queue(state.outbox, command, at)
  const superseded = supersededBy(state.outbox, command)
  return {
    ...state,
    outbox,
    refused: superseded === undefined ? state.refused : withRefusal(state, superseded, "superseded"),
    unsent_since: hasUnsent(state.outbox) ? state.unsent_since : at,
    round: state.round ?? roundOf(outbox, at)
  }
}

/** Commands are sent again only when the gateway has been given everything: a batch on its way is not late. */
const roundEnded = (state: GatewayState, at: number): GatewayState => {
  const resend = state.round !== null && !state.sending && !hasUnsent(state.outbox)
  const outbox = resend ? resendBefore(state.outbox, state.round.before_order, batchMax) : state.outbox
  return { ...state, outbox, unsent_since: resend ? at : state.unsent_since, round: roundOf(outbox, at) }
}

export const evolveGateway = (state: GatewayState, event: GatewayEvent): GatewayState => {
  switch (event._tag) {
    case "Attached": {
      const { _tag: _, at, ...connection } = event
      const outbox = resendBefore(withoutStale(state.outbox, at), state.outbox.next_order)
      const since = state.connection_id === event.connection_id ? state.since : at
      const round = roundOf(outbox, at)
      return { ...state, ...connection, since, outbox, sending: false, unsent_since: at, round }
    }
    case "Detached":
      return { ...state, connection_id: null, since: event.at, sending: false, round: null }
    case "FoundAway":
      return { ...state, since: event.at }
    case "Readied":
      return { ...state, sending: false, unsent_since: event.at }
    case "Queued":
      return queued(state, event.command, event.at)
    case "Sent":
      return { ...state, outbox: event.outbox, sending: event.commands.length > 0, batches: state.batches + 1 }
    case "Acknowledged":
      return {
        ...state,
        outbox: settle(state.outbox, event.command_ids),
        acknowledged: remember(state.acknowledged, event.command_ids, event.at, rememberedMin)
      }
    case "Refused":
      return {
        ...state,
        outbox: settle(state.outbox, [event.command_id]),
        refused: withRefusal(state, event.command_id, event.reason)
      }
    case "Resynced":
      return { ...state, resynced_epoch: event.epoch }
    case "RoundEnded":
      return roundEnded(state, event.at)
  }
}

/** Commands collect until the connection is ready for them, so under load many share a frame. */
export const planGateway = (state: GatewayState): ReadonlyArray<Work<GatewayMessage, GatewayWork>> => {
  if (state.connection_id === null) return []
  const { epoch } = state
  const work: Array<Work<GatewayMessage, GatewayWork>> = []
  if (mayFlush(state)) work.push(deadline(`flush:${state.batches}`, state.unsent_since, { _tag: "Flush" }))
  if (state.round !== null) {
    const { before_order, began_at } = state.round
    work.push(deadline(`resend:${before_order}:${began_at}`, began_at + resend_ms, { _tag: "Resend" }))
  }
  if (state.resynced_epoch !== epoch) work.push(task(`resync_tenants:${epoch}`, { _tag: "ResyncTenants", epoch }))
  return work
}

/** What the connection is sent because of one event. `before` is the state that the event met. */
export const noticesOf = (before: GatewayState, event: GatewayEvent): ReadonlyArray<GatewayNotice> => {
  const { connection_id } = before
  if (connection_id === null) return []
  if (event._tag === "Attached" && event.connection_id !== connection_id) return [{ _tag: "Replaced", connection_id }]
  if (event._tag !== "Sent" || event.commands.length === 0) return []
  return [{ _tag: "Send", connection_id, commands: event.commands }]
}
