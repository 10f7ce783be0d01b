// Takes the events that PBX gateways report, however they arrive, to the calls and tenants that they concern.
import { Clock, Context, Effect, Layer } from "effect"
import { CallCommands, type CallMessage } from "../../domain/calls/state/CallCommand.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { isUnavailable } from "../../domain/errors/Unavailable.ts"
import { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { PbxPayloadDecodeFailed, PbxUnknownWorkspace } from "../../domain/errors/PbxErrors.ts"
import { type GatewayIdentity, mayActFor } from "../../domain/pbx/GatewayIdentity.ts"
import type { PbxEvent } from "../../domain/pbx/PbxEvent.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { LiveCalls } from "../../domain/ports/calls/LiveCalls.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { JoinActorTrace } from "../runtime/Tracing.ts"
import { retryWithBackoff } from "../shared/Retry.ts"
import { beginsCall, InboundCalls, type Receive } from "./InboundCalls.ts"
import type { IngestOutcome } from "./IngestOutcome.ts"
import { TenantEvents } from "./TenantEvents.ts"
import { traced } from "../../domain/Traced.ts"
import type { CallId, GatewayId, SessionId } from "../../domain/BrandedIds.ts"

export interface Ingested {
  readonly accepted: number
  readonly duplicate: number
  readonly ignored_late: number
  /** The ids of all events counted above. The gateway need not send them again. */
  readonly taken: ReadonlyArray<string>
  readonly refused: ReadonlyArray<{ readonly event_id: string; readonly failure: Failure }>
  readonly failed: ReadonlyArray<string>
  /** The tenants could not be looked up, so all events have failed. */
  readonly unresolved?: true
  /** With `unresolved`: the database cannot be used at the moment. */
  readonly away?: true
}

/** How many calls are notified at a time of a heartbeat, or of a gateway's return. */
const callConcurrency = 256

const summary = (outcomes: ReadonlyArray<readonly [PbxEvent, IngestOutcome]>): Ingested => {
  const counts = { accepted: 0, duplicate: 0, ignored_late: 0 }
  const taken: Array<string> = []
  const refused: Array<Ingested["refused"][number]> = []
  const failed: Array<string> = []
  for (const [{ event_id }, outcome] of outcomes) {
    if (typeof outcome !== "string") refused.push({ event_id, failure: outcome })
    else if (outcome === "failed") failed.push(event_id)
    else {
      counts[outcome]++
      taken.push(event_id)
    }
  }
  return { ...counts, taken, refused, failed }
}

interface NotLookedUp {
  /** The database cannot be used at the moment. Otherwise it refused the statement. */
  readonly is_away: boolean
}

const unresolved = (events: ReadonlyArray<PbxEvent>, { is_away }: NotLookedUp): Ingested => ({
  ...summary(events.map((event) => [event, "failed"])),
  unresolved: true,
  ...(is_away && { away: true })
})

const reconciling = (system: ActorSystem["Service"], live: LiveCalls["Service"]) =>
  traced("PbxIngest.reconcile")(function* (gateway_id: GatewayId, live_sessions: ReadonlyArray<SessionId>) {
    const at = yield* Clock.currentTimeMillis
    const listed = new Set(live_sessions)
    const calls = yield* retryWithBackoff(live.onGateway(gateway_id))
    yield* Effect.forEach(
      calls.filter(({ session_id }) => !listed.has(session_id)),
      ({ id }) => Effect.ignore(system.ask(CallCommands.SessionUnlisted, id, { at })),
      { concurrency: callConcurrency, discard: true }
    )
  })

/** The tenants that the gateway may report for, and the commands that begin calls, by their event. */
interface Lookup {
  readonly tenants: ReadonlySet<string>
  readonly incoming: ReadonlyMap<PbxEvent, CallMessage<"Incoming"> | undefined>
}

/**
 * Looks up everything that the events need before the first of them is processed, so that no lookup delays one event
 * behind the next. Undefined if the directory is unavailable.
 */
const lookingUp = (directory: Directory["Service"], receive: Receive) => {
  const mayReport = (identity: GatewayIdentity, tenant_pbx_id: string) =>
    Effect.map(
      directory.workspaceOfPbx(tenant_pbx_id),
      (workspace) => workspace !== undefined && mayActFor(identity, workspace.gateway_id)
    )
  return (identity: GatewayIdentity, events: ReadonlyArray<PbxEvent>): Effect.Effect<Lookup | NotLookedUp> =>
    Effect.gen(function* () {
      const reported = [...new Set(events.map(({ tenant_pbx_id }) => tenant_pbx_id))]
      const tenants = new Set(yield* Effect.filter(reported, (tenant) => mayReport(identity, tenant)))
      const first = events.filter((event) => beginsCall(event) && tenants.has(event.tenant_pbx_id))
      const commands = yield* Effect.forEach(first, (event) =>
        Effect.map(receive(event), (command) => [event, command] as const)
      )
      return { tenants, incoming: new Map(commands) }
    }).pipe(
      Effect.catchDefect((defect) =>
        defect instanceof ServiceUnavailable
          ? Effect.succeed({ is_away: isUnavailable(defect.cause) })
          : Effect.die(defect)
      )
    )
}

const withoutSession = new PbxPayloadDecodeFailed({
  details: [{ field: "/session_id", code: "required", message: "Events of this type belong to a session." }]
})

/** Tells the calls of the listed sessions that their sessions are alive. */
const heartbeats = (system: ActorSystem["Service"], callOf: InboundCalls["Service"]["callOf"]) =>
  // The time is capped at now: a PBX whose clock runs ahead must not prove that a session lives in the future.
  Effect.fnUntraced(function* ({ data, occurred_at, tenant_pbx_id }: PbxEvent) {
    const at = Math.min(yield* Clock.currentTimeMillis, Date.parse(occurred_at))
    const call_ids = (data.live_sessions ?? []).flatMap((session) => callOf(tenant_pbx_id, session) ?? [])
    yield* Effect.forEach(
      call_ids,
      (id) => Effect.ignore(system.ask(CallCommands.ProofOfLife, id, { at, tenant_pbx_id })),
      { concurrency: callConcurrency, discard: true }
    )
    return "accepted" as const
  })

export class PbxIngest extends Context.Service<
  PbxIngest,
  {
    /**
     * Returns once every accepted event is on disk. Events of one session reach their call in the order given;
     * different sessions run concurrently. A gateway may report only for the workspaces that it carries.
     */
    readonly ingest: (identity: GatewayIdentity, events: ReadonlyArray<PbxEvent>) => Effect.Effect<Ingested>
    /**
     * A gateway has connected and listed all its live sessions. Calls that are missing from the list ask the gateway
     * for their session at once, instead of after minutes of silence.
     */
    readonly reconcile: (gateway_id: GatewayId, live_sessions: ReadonlyArray<SessionId>) => Effect.Effect<void>
  }
>()("trunkline/actors/PbxIngest") {
  static readonly layer = Layer.effect(
    PbxIngest,
    Effect.gen(function* () {
      const system = yield* ActorSystem
      const directory = yield* Directory
      const tenantEvents = yield* TenantEvents
      const live = yield* LiveCalls
      const { callOf, receive } = yield* InboundCalls
      const lookUp = lookingUp(directory, receive)

      const toCall = (
        call_id: CallId,
        event: PbxEvent,
        incoming: CallMessage<"Incoming"> | undefined
      ): Effect.Effect<IngestOutcome> =>
        Effect.catch(
          incoming === undefined
            ? system.ask(CallCommands.PbxReported, call_id, { event })
            : system.ask(CallCommands.Incoming, call_id, incoming),
          (error) => Effect.succeed<IngestOutcome>(error instanceof NotCommitted ? "failed" : error)
        )

      const heartbeat = heartbeats(system, callOf)

      const toTenant = (event: PbxEvent): Effect.Effect<IngestOutcome> =>
        Effect.flatMap(directory.workspaceOfPbx(event.tenant_pbx_id), (workspace) =>
          workspace === undefined ? Effect.succeed("ignored_late") : tenantEvents.handle(workspace.id, event)
        )

      const taking =
        ({ incoming, tenants }: Lookup) =>
        (event: PbxEvent): Effect.Effect<IngestOutcome> => {
          if (!tenants.has(event.tenant_pbx_id)) return Effect.succeed(new PbxUnknownWorkspace())
          switch (event.type) {
            case "heartbeat":
              return heartbeat(event)
            case "trunk.state":
            case "registration.changed":
            case "registration.attacked":
              return toTenant(event)
            default: {
              if (event.session_id === undefined) return Effect.succeed(withoutSession)
              const call_id = callOf(event.tenant_pbx_id, event.session_id)
              return call_id === undefined
                ? Effect.succeed("ignored_late")
                : toCall(call_id, event, incoming.get(event))
            }
          }
        }

      return PbxIngest.of({
        ingest: traced("PbxIngest.ingest")(
          function* (identity, events) {
            const found = yield* lookUp(identity, events)
            if ("is_away" in found) return unresolved(events, found)
            const take = taking(found)
            const outcomes = yield* Effect.forEach(
              events,
              (event) => Effect.map(take(event), (outcome) => [event, outcome] as const),
              { concurrency: "unbounded" }
            )
            return summary(outcomes)
          },
          Effect.provideService(JoinActorTrace, true)
        ),
        reconcile: reconciling(system, live)
      })
    })
  )
}
