// The actor that stands for one PBX gateway: which connection is its present one, and which commands it still owes an
// acknowledgement. Only the count of connections outlives the actor: whoever wants a command carried out repeats it
// until it is acknowledged, so a gateway actor that has moved or restarted is told again what it forgot.
import { HashMap, Option, Result } from "effect"
import { deadline, type Decided, task, type Work } from "../Decision.ts"
import { ServiceUnavailable } from "../errors/GeneralErrors.ts"
import type { GatewayCommand, GatewayNotice, GatewayReply } from "./GatewayCommand.ts"
import {
  emptyOutbox,
  hasUnsent,
  isQueued,
  olderThan,
  type Outbox,
  queue,
  sendAgain,
  settle,
  sizeOf,
  takeUnsent,
  withoutStale
} from "./Outbox.ts"
import { nothingSeen, type Recent, remember, seen, seenAt } from "./Recent.ts"
import type { DownCommand } from "./TenantCommand.ts"

/** A command without acknowledgement is sent again after this long, at most twice as long. */
export const resend_ms = 2000
/** Commands that are handed to a connection at a time, and sent again at a time. */
export const batchMax = 1000
/** What an absent or stuck gateway may owe; past it, commands are refused for now and their callers ask again. */
export const outboxMax = 50_000
const rememberedMin = 10_000
const refusalsMax = 1000

export interface GatewayState {
  readonly epoch: number
  readonly connection_id: string | null
  readonly outbox: Outbox
  /** The connection has not yet said that it is ready for more: commands collect meanwhile. */
  readonly sending: boolean
  /** Batches sent so far, and since when commands have been waiting for the next. */
  readonly batches: number
  readonly unsent_since: number
  /** A round of resending: since when it is, and which commands it is about: those asked before. */
  readonly round: { readonly began_at: number; readonly before_order: number } | null
  readonly acknowledged: Recent
  /** Commands that the gateway has refused, and why. */
  readonly refused: HashMap.HashMap<string, string>
  /** The connection of which everybody was told whose things the gateway may have forgotten. */
  readonly returned_epoch: number
}

/** Telling tenants that their gateway is back: it may have forgotten who may register and which trunks there are. */
export interface GatewayWork {
  readonly _tag: "TellTenants"
  readonly epoch: number
}

export type GatewayEvent =
  | { readonly _tag: "Attached"; readonly connection_id: string; readonly epoch: number; readonly at: number }
  | { readonly _tag: "Detached" }
  | { readonly _tag: "Readied"; readonly at: number }
  | { readonly _tag: "Queued"; readonly command: DownCommand; readonly at: number }
  | { readonly _tag: "Sent"; readonly commands: ReadonlyArray<DownCommand>; readonly left: Outbox }
  | { readonly _tag: "Settled"; readonly command_ids: ReadonlyArray<string>; readonly at: number }
  | { readonly _tag: "Refused"; readonly command_id: string; readonly reason: string }
  | { readonly _tag: "Returned"; readonly epoch: number }
  | { readonly _tag: "RoundEnded"; readonly at: number }

type Decision = Decided<GatewayEvent, GatewayReply>

export const initialGateway = (epoch: number): GatewayState => ({
  epoch,
  connection_id: null,
  outbox: emptyOutbox,
  sending: false,
  batches: 0,
  unsent_since: 0,
  round: null,
  acknowledged: nothingSeen,
  refused: HashMap.empty(),
  returned_epoch: 0
})

const reply = (state: GatewayState, status: GatewayReply["status"]): Decision =>
  Result.succeed({ events: [], reply: { status, epoch: state.epoch } })

const remembered = (state: GatewayState, status: GatewayReply["status"], event: GatewayEvent): Decision =>
  Result.succeed({ events: [event], reply: { status, epoch: state.epoch }, volatile: true })

const dispatch = (state: GatewayState, command: DownCommand, at: number): Decision => {
  const status = state.connection_id === null ? "offline" : "queued"
  if (isQueued(state.outbox, command.id)) return reply(state, status)
  if (seen(state.acknowledged, command.id)) return reply(state, "acknowledged")
  const reason = Option.getOrUndefined(HashMap.get(state.refused, command.id))
  if (reason !== undefined)
    return Result.succeed({ events: [], reply: { status: "refused", epoch: state.epoch, reason } })
  if (sizeOf(state.outbox) >= outboxMax) return Result.fail(new ServiceUnavailable({ reason: "gateway_outbox_full" }))
  return remembered(state, status, { _tag: "Queued", command, at })
}

const attach = (state: GatewayState, connection_id: string, at: number): Decision => {
  const epoch = state.epoch + 1
  const event: GatewayEvent = { _tag: "Attached", connection_id, epoch, at }
  return Result.succeed({ events: [event], reply: { status: "attached", epoch } })
}

/** The number of the connection decides: it is on disk, so it holds for an actor that has forgotten all else. */
const renew = (state: GatewayState, connection_id: string, epoch: number, at: number): Decision => {
  if (state.epoch !== epoch) return reply(state, "replaced")
  if (state.connection_id !== connection_id) {
    return remembered(state, "attached", { _tag: "Attached", connection_id, epoch, at })
  }
  return state.sending ? remembered(state, "attached", { _tag: "Readied", at }) : reply(state, "attached")
}

/** When the gateway has taken these on, as far as that is remembered. */
const acknowledgedOf = (
  { acknowledged }: GatewayState,
  command_ids: ReadonlyArray<string>
): Readonly<Record<string, number>> =>
  Object.fromEntries(
    command_ids.flatMap((id) => {
      const at = seenAt(acknowledged, id)
      return at === undefined ? [] : [[id, at] as const]
    })
  )

export const decideGateway = (state: GatewayState, command: GatewayCommand, now: number): Decision => {
  switch (command._tag) {
    case "Attach":
      return attach(state, command.connection_id, now)
    case "Renew":
      return renew(state, command.connection_id, command.epoch, now)
    case "Detach":
      return state.connection_id === command.connection_id
        ? remembered(state, "done", { _tag: "Detached" })
        : reply(state, "done")
    case "Ready":
      return state.connection_id === command.connection_id && state.sending
        ? remembered(state, "done", { _tag: "Readied", at: now })
        : reply(state, "done")
    case "Dispatch":
      return dispatch(state, command.command, now)
    case "Acknowledged": {
      const command_ids = command.command_ids.filter((id) => isQueued(state.outbox, id))
      return command_ids.length === 0
        ? reply(state, "done")
        : remembered(state, "done", { _tag: "Settled", command_ids, at: now })
    }
    case "Refused":
      return isQueued(state.outbox, command.command_id) ? remembered(state, "done", command) : reply(state, "done")
    case "AskAcknowledged":
      return Result.succeed({
        events: [],
        reply: { status: "done", epoch: state.epoch, acknowledged: acknowledgedOf(state, command.command_ids) }
      })
    case "AskPresence":
      return reply(state, state.connection_id === null ? "offline" : "attached")
    case "Returned":
      return remembered(state, "done", command)
    case "Flush":
      return mayFlush(state)
        ? remembered(state, "done", { _tag: "Sent", ...takeUnsent(state.outbox, batchMax) })
        : reply(state, "done")
    case "Resend":
      return state.round === null ? reply(state, "done") : remembered(state, "done", { _tag: "RoundEnded", at: now })
  }
}

const mayFlush = ({ connection_id, outbox, sending }: GatewayState): boolean =>
  connection_id !== null && !sending && hasUnsent(outbox)

const roundOf = (outbox: Outbox, at: number): GatewayState["round"] =>
  sizeOf(outbox) === 0 ? null : { began_at: at, before_order: outbox.next_order }

const withRefusal = ({ refused }: GatewayState, command_id: string, reason: string): GatewayState["refused"] =>
  HashMap.set(HashMap.size(refused) < refusalsMax ? refused : HashMap.empty<string, string>(), command_id, reason)

const queued = (state: GatewayState, command: DownCommand, at: number): GatewayState => {
  const outbox = queue(state.outbox, command, at)
  const older = olderThan(state.outbox, command)
  return {
    ...state,
    outbox,
    refused: older === undefined ? state.refused : withRefusal(state, older, "superseded"),
    unsent_since: hasUnsent(state.outbox) ? state.unsent_since : at,
    round: state.round ?? roundOf(outbox, at)
  }
}

/** What is on its way or waits for it is not old: only a gateway that was given everything is told again. */
const roundEnded = (state: GatewayState, at: number): GatewayState => {
  const again = state.round !== null && !state.sending && !hasUnsent(state.outbox)
  const outbox = again ? sendAgain(state.outbox, state.round.before_order, batchMax) : state.outbox
  return { ...state, outbox, unsent_since: again ? at : state.unsent_since, round: roundOf(outbox, at) }
}

export const evolveGateway = (state: GatewayState, event: GatewayEvent): GatewayState => {
  switch (event._tag) {
    case "Attached": {
      const { at, connection_id, epoch } = event
      const outbox = sendAgain(withoutStale(state.outbox, at), state.outbox.next_order)
      return { ...state, connection_id, epoch, outbox, sending: false, unsent_since: at, round: roundOf(outbox, at) }
    }
    case "Detached":
      return { ...state, connection_id: null, sending: false, round: null }
    case "Readied":
      return { ...state, sending: false, unsent_since: event.at }
    case "Queued":
      return queued(state, event.command, event.at)
    case "Sent":
      return { ...state, outbox: event.left, sending: event.commands.length > 0, batches: state.batches + 1 }
    case "Settled":
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
    case "Returned":
      return { ...state, returned_epoch: event.epoch }
    case "RoundEnded":
      return roundEnded(state, event.at)
  }
}

/** Commands collect until the connection is ready for them: under load many share a frame. */
export const planGateway = (state: GatewayState): ReadonlyArray<Work<GatewayCommand, GatewayWork>> => {
  if (state.connection_id === null) return []
  const { epoch } = state
  const work: Array<Work<GatewayCommand, GatewayWork>> = []
  if (mayFlush(state)) work.push(deadline(`flush:${state.batches}`, state.unsent_since, { _tag: "Flush" }))
  if (state.round !== null) {
    const { before_order, began_at } = state.round
    work.push(deadline(`resend:${before_order}:${began_at}`, began_at + resend_ms, { _tag: "Resend" }))
  }
  if (state.returned_epoch !== epoch) work.push(task(`tell_tenants:${epoch}`, { _tag: "TellTenants", epoch }))
  return work
}

/** What goes down the wire because of one event. */
export const noticesOf = (before: GatewayState, event: GatewayEvent): ReadonlyArray<GatewayNotice> => {
  const { connection_id } = before
  if (connection_id === null) return []
  if (event._tag === "Attached" && event.connection_id !== connection_id) return [{ _tag: "Replaced", connection_id }]
  if (event._tag !== "Sent" || event.commands.length === 0) return []
  return [{ _tag: "Send", connection_id, commands: event.commands }]
}
