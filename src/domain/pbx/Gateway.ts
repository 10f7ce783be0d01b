// The actor that stands for one PBX gateway: which connection is its present one, and which commands it still owes an
// acknowledgement. Only the count of connections outlives the actor: whoever wants a command carried out repeats it
// until it is acknowledged, so a gateway actor that has moved or restarted is told again what it forgot.
import { Result } from "effect"
import { deadline, type Decided, type Work } from "../Decision.ts"
import { ServiceUnavailable } from "../errors/GeneralErrors.ts"
import type { GatewayCommand, GatewayNotice, GatewayReply } from "./GatewayCommand.ts"
import {
  allSent,
  askedBefore,
  emptyOutbox,
  isQueued,
  type Outbox,
  queue,
  settle,
  sizeOf,
  unsentOf,
  withoutStale
} from "./Outbox.ts"
import type { PbxCommand } from "./PbxCommand.ts"
import { nothingSeen, type Recent, remember, seen } from "./Recent.ts"

/** A command without acknowledgement is sent again after this long, at most twice as long. */
export const resend_ms = 2000
/** The most commands that are sent again at once: a gateway that has fallen behind is not buried. */
export const resendMax = 1000
/** What an absent or stuck gateway may owe; past it, commands are refused for now and their callers ask again. */
export const outboxMax = 50_000
const rememberedMin = 10_000

export interface GatewayState {
  readonly epoch: number
  readonly connection_id: string | null
  readonly outbox: Outbox
  readonly acknowledged: Recent
  /** Whether a round of resending is due, since when it is, and which commands it is about: those asked before. */
  readonly round: { readonly began_at: number; readonly before_order: number } | null
}

export type GatewayEvent =
  | { readonly _tag: "Attached"; readonly connection_id: string; readonly epoch: number; readonly at: number }
  | { readonly _tag: "Detached" }
  | { readonly _tag: "Queued"; readonly command: PbxCommand; readonly at: number }
  | { readonly _tag: "Settled"; readonly command_ids: ReadonlyArray<string> }
  | { readonly _tag: "Flushed" }
  | { readonly _tag: "Resent"; readonly at: number }

type Decision = Decided<GatewayEvent, GatewayReply>

export const initialGateway = (epoch: number): GatewayState => ({
  epoch,
  connection_id: null,
  outbox: emptyOutbox,
  acknowledged: nothingSeen,
  round: null
})

const reply = (state: GatewayState, status: GatewayReply["status"]): Decision =>
  Result.succeed({ events: [], reply: { status, epoch: state.epoch } })

const remembered = (state: GatewayState, status: GatewayReply["status"], event: GatewayEvent): Decision =>
  Result.succeed({ events: [event], reply: { status, epoch: state.epoch }, volatile: true })

const dispatch = (state: GatewayState, command: PbxCommand, at: number): Decision => {
  const status = state.connection_id === null ? "offline" : "queued"
  if (isQueued(state.outbox, command.id)) return reply(state, status)
  if (seen(state.acknowledged, command.id)) return reply(state, "acknowledged")
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
  if (state.connection_id === connection_id) return reply(state, "attached")
  return remembered(state, "attached", { _tag: "Attached", connection_id, epoch, at })
}

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
    case "Dispatch":
      return dispatch(state, command.command, now)
    case "Acknowledged": {
      const command_ids = command.command_ids.filter((id) => isQueued(state.outbox, id))
      return command_ids.length === 0
        ? reply(state, "done")
        : remembered(state, "done", { _tag: "Settled", command_ids })
    }
    case "Flush":
      return state.connection_id === null || state.outbox.unsent === null
        ? reply(state, "done")
        : remembered(state, "done", { _tag: "Flushed" })
    case "Resend":
      return state.round === null ? reply(state, "done") : remembered(state, "done", { _tag: "Resent", at: now })
  }
}

const roundOf = (outbox: Outbox, at: number): GatewayState["round"] =>
  sizeOf(outbox) === 0 ? null : { began_at: at, before_order: outbox.next_order }

export const evolveGateway = (state: GatewayState, event: GatewayEvent): GatewayState => {
  switch (event._tag) {
    case "Attached": {
      const outbox = allSent(withoutStale(state.outbox, event.at))
      const { connection_id, epoch } = event
      return { ...state, connection_id, epoch, outbox, round: roundOf(outbox, event.at) }
    }
    case "Detached":
      return { ...state, connection_id: null, round: null }
    case "Queued": {
      const outbox = queue(state.outbox, event.command, event.at)
      return { ...state, outbox, round: state.round ?? { began_at: event.at, before_order: outbox.next_order } }
    }
    case "Settled":
      return {
        ...state,
        outbox: settle(state.outbox, event.command_ids),
        acknowledged: remember(state.acknowledged, event.command_ids, rememberedMin)
      }
    case "Flushed":
      return { ...state, outbox: allSent(state.outbox) }
    case "Resent":
      return { ...state, round: roundOf(state.outbox, event.at) }
  }
}

/** Commands are collected for a moment and sent together: under load many of them share a frame. */
export const planGateway = (state: GatewayState): ReadonlyArray<Work<GatewayCommand, never>> => {
  if (state.connection_id === null) return []
  const { outbox, round } = state
  const work: Array<Work<GatewayCommand, never>> = []
  if (outbox.unsent !== null) work.push(deadline(`flush:${outbox.unsent_from}`, outbox.unsent_since, { _tag: "Flush" }))
  if (round !== null) {
    const { before_order, began_at } = round
    work.push(deadline(`resend:${before_order}:${began_at}`, began_at + resend_ms, { _tag: "Resend" }))
  }
  return work
}

/** What goes down the wire because of one event. A new connection is sent everything that is owed. */
export const noticesOf = (
  before: GatewayState,
  after: GatewayState,
  event: GatewayEvent
): ReadonlyArray<GatewayNotice> => {
  const send = (commands: ReadonlyArray<PbxCommand>): ReadonlyArray<GatewayNotice> =>
    after.connection_id === null || commands.length === 0
      ? []
      : [{ _tag: "Send", connection_id: after.connection_id, commands }]
  switch (event._tag) {
    case "Attached":
      return [
        ...(before.connection_id === null || before.connection_id === event.connection_id
          ? []
          : [{ _tag: "Replaced" as const, connection_id: before.connection_id }]),
        ...send(askedBefore(after.outbox, after.outbox.next_order))
      ]
    case "Flushed":
      return send(unsentOf(before.outbox))
    case "Resent":
      return before.round === null ? [] : send(askedBefore(before.outbox, before.round.before_order, resendMax))
    case "Detached":
    case "Queued":
    case "Settled":
      return []
  }
}
