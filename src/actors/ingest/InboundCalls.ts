// Sessions that a PBX sets up by itself: the id of the call of each session, and the facts of an inbound call.
import { Clock, Context, Effect, Layer } from "effect"
import type { CallMessage } from "../../domain/calls/state/CallCommand.ts"
import type { CallFacts, Forward } from "../../domain/calls/state/CallFacts.ts"
import { newFacts } from "../../domain/calls/state/NewFacts.ts"
import { cameInAt, ringLimit_seconds } from "../../domain/calls/state/InboundSetup.ts"
import type { ForwardTo } from "../../domain/numbers/Routing.ts"
import { anonymous, calledNumbers, callerOf } from "../../domain/numbers/SipParty.ts"
import type { PbxEvent } from "../../domain/pbx/PbxEvent.ts"
import { callOfSession } from "../../domain/pbx/Session.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import type { OwnedNumber } from "../../domain/numbers/OwnedNumber.ts"
import { isPaying, type PayingWorkspace } from "../../domain/workspace/Workspace.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { NumberPlan } from "../../domain/ports/numbers/NumberPlan.ts"
import { traced } from "../../domain/Traced.ts"
import { makeGatewayCapabilities } from "../pbx/GatewayCapabilities.ts"
import { makeChatAppReception, obeying } from "./ChatAppCalls.ts"
import { makeDeviceCall } from "./DeviceCalls.ts"
import { type CallId, type SessionId, toCallId, type WorkspaceId } from "../../domain/BrandedIds.ts"

type Incoming = Extract<CallMessage, { readonly _tag: "Incoming" }>

/** The first event of a session that the PBX set up by itself, for a caller or for a device that dials. */
export interface FirstEvent extends PbxEvent {
  readonly session_id: SessionId
  readonly direction: "inbound" | "outbound"
}

export const beginsCall = (event: PbxEvent): event is FirstEvent =>
  event.type === "session.created" &&
  event.session_id !== undefined &&
  event.direction !== undefined &&
  (event.direction === "inbound" || callOfSession(event.session_id) === undefined)

/** Returns the command that creates the call of the event; undefined if the event does not begin a call. */
export type Receive = (event: PbxEvent) => Effect.Effect<Incoming | undefined>

/** The called number, where it forwards, and what its gateway can do. */
interface CalledNumber {
  readonly to: string
  readonly gateway: Pick<CallFacts, "capabilities">
  readonly number: OwnedNumber | undefined
  readonly forward: Forward | null
}

/** As many as a `dial` action may have. */
const maxDestinations = 10

const extensionUri = (extension: string): string => `sip:${extension}@extensions`

const listOf = (value: ForwardTo["value"]): ReadonlyArray<string> =>
  typeof value === "string" ? [value] : (value ?? [])

/** A number that the workspace does not have has no price and no route. */
const makeFacts = (directory: Directory["Service"], plan: NumberPlan["Service"]) => {
  const priceOf = Effect.fnUntraced(function* (workspace: PayingWorkspace, number: OwnedNumber, at: number) {
    if (number.inbound_per_min_minor !== null)
      return { rate_per_min_minor: number.inbound_per_min_minor, matched_prefix: null }
    const rate = yield* directory.rate(workspace.currency, "inbound", number.number.slice(1), at, number.source)
    return { rate_per_min_minor: rate?.per_min_minor ?? 0, matched_prefix: rate?.prefix ?? null }
  })

  const countryOf = (party: string): string | undefined => {
    const read = plan.read(party, { strict: true, allow_test: true })
    return read.ok ? (read.country ?? undefined) : undefined
  }

  return Effect.fnUntraced(function* (
    workspace: PayingWorkspace,
    event: FirstEvent,
    { forward, gateway, number, to }: CalledNumber
  ) {
    const now = yield* Clock.currentTimeMillis
    const created_at = cameInAt(event.occurred_at, now)
    const from = callerOf(event.from ?? anonymous, number?.country, plan.read)
    const country = countryOf(from)
    const isChatApp = event.data.network === "chatapp"
    const trunk = number?.source === "byo" && !isChatApp ? yield* directory.trunk(workspace.id) : undefined
    const { record = "do-not-record", voice_fallback_url = null, voice_url = null } = number?.routing ?? {}
    const { session_id } = event
    return newFacts(
      { session_id, workspace, number, created_at, ...gateway },
      {
        direction: "inbound",
        kind: isChatApp ? "chatapp" : "sip",
        from,
        to,
        ...(country !== undefined && { country }),
        caller_id: from,
        // A user of the chat app has proved the number to the chat app, not to the telephone network.
        ...(event.data.attestation !== undefined && !isChatApp && { attestation: event.data.attestation }),
        ...(number === undefined
          ? { rate_per_min_minor: 0, matched_prefix: null }
          : yield* priceOf(workspace, number, created_at)),
        timeout_seconds: ringLimit_seconds(forward),
        voice_callback_url: voice_url,
        voice_fallback_url,
        ...(record !== "do-not-record" && { record }),
        ...(trunk !== undefined && { trunk_id: trunk.id })
      }
    )
  })
}

/** Where a number forwards its calls: as configured, or to all extensions of the number. */
const makeForward = (directory: Directory["Service"]) => {
  const destinations = Effect.fnUntraced(function* (
    workspace_id: WorkspaceId,
    { id, routing: { forward_to } }: OwnedNumber
  ) {
    const { type, value } = forward_to
    if (type === "e164" || type === "sip") return listOf(value)
    if (type !== "none") return listOf(value).map(extensionUri)
    const extensions = yield* directory.extensions(workspace_id)
    return (extensions.byNumber.get(id) ?? []).map(({ extension }) => extensionUri(extension))
  })

  return Effect.fnUntraced(function* (workspace_id: WorkspaceId, number: OwnedNumber) {
    const to = yield* destinations(workspace_id, number)
    const {
      forward_to: { sequential },
      ring_timeout_seconds: timeout_seconds
    } = number.routing
    const forward: Forward | null =
      to.length === 0 ? null : { to: to.slice(0, maxDestinations), sequential, timeout_seconds }
    return forward
  })
}

/**
 * The called number of the workspace. Networks write numbers in several forms, the national one of their country
 * included.
 */
const makeCalled = (directory: Directory["Service"], plan: NumberPlan["Service"]) =>
  Effect.fnUntraced(function* (workspace_id: WorkspaceId, called: string) {
    const numbers = calledNumbers(called, yield* directory.countries(workspace_id), plan.read)
    for (const to of numbers) {
      const number = yield* directory.number(workspace_id, to)
      if (number !== undefined) return { to, number }
    }
    return { to: numbers[0] ?? called, number: undefined }
  })

const makeReceive = Effect.gen(function* () {
  const directory = yield* Directory
  const plan = yield* NumberPlan
  const factsOf = makeFacts(directory, plan)
  const deviceCall = makeDeviceCall(directory, plan)
  const calledOf = makeCalled(directory, plan)
  const forwardOf = makeForward(directory)
  const capabilitiesOf = yield* makeGatewayCapabilities
  const receptionOf = yield* makeChatAppReception

  return traced("InboundCalls.receive")(function* (event: PbxEvent) {
    const { direction, tenant_pbx_id, to: called } = event
    if (!beginsCall(event) || called === undefined) return undefined
    const workspace = yield* directory.workspaceOfPbx(tenant_pbx_id)
    if (workspace === undefined || !isPaying(workspace)) return undefined
    const gateway = yield* capabilitiesOf(workspace.gateway_id)
    if (direction === "outbound") return yield* deviceCall(workspace, event, { dialled: called, gateway })
    const { number, to } = yield* calledOf(workspace.id, called)
    const chatapp = event.data.network === "chatapp" ? yield* receptionOf(workspace.id, number) : undefined
    const forward = number === undefined ? null : obeying(chatapp, yield* forwardOf(workspace.id, number))
    const facts = yield* factsOf(workspace, event, { to, number, forward, gateway })
    const incoming: Incoming = {
      _tag: "Incoming",
      // Outside the hours nobody is asked.
      facts: chatapp?.reachability === "closed" ? { ...facts, voice_callback_url: null } : facts,
      event,
      forward,
      no_funds_message: number?.routing.reject_when_no_funds_message ?? null,
      ...(chatapp && { chatapp })
    }
    return incoming
  })
})

export class InboundCalls extends Context.Service<
  InboundCalls,
  {
    /** The id of the session's call, whether the call exists or not. Undefined if the session can have none. */
    readonly callOf: (tenant_pbx_id: string, session_id: SessionId) => CallId | undefined
    readonly receive: Receive
  }
>()("trunkline/actors/InboundCalls") {
  static readonly layer = Layer.effect(
    InboundCalls,
    Effect.gen(function* () {
      const ids = yield* Ids
      return InboundCalls.of({
        callOf: (tenant_pbx_id, session_id) =>
          callOfSession(session_id) ?? toCallId(ids.named(`${tenant_pbx_id} ${session_id}`)),
        receive: yield* makeReceive
      })
    })
  )

  /** No calls come in: only sessions that the engine set up have a call. For tests. */
  static readonly none = Layer.succeed(InboundCalls)({
    callOf: (_tenant, session_id) => callOfSession(session_id),
    receive: () => Effect.undefined
  })
}
