// The door by which what a PBX reports reaches the calls, whichever way it travelled.
import { Clock, Context, Effect, Layer } from "effect"
import { CallCommands, type CallMessage } from "../../domain/calls/CallCommand.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { PbxPayloadDecodeFailed, PbxUnknownWorkspace } from "../../domain/errors/PbxErrors.ts"
import type { PbxEvent } from "../../domain/pbx/PbxEvent.ts"
import { type Speaker, speaksFor } from "../../domain/pbx/Speaker.ts"
import { Directory } from "../../domain/ports/Directory.ts"
import { LiveCalls } from "../../domain/ports/LiveCalls.ts"
import { beginsCall, InboundCalls, type Receive } from "./InboundCalls.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { CallActor } from "../calls/CallActor.ts"
import { retryWithBackoff } from "../shared/Retry.ts"

/**
 * accepted: it counted. duplicate: it had been told before. ignored_late: it changes nothing, because its session has
 * ended or is not known here. refused: it never can count. failed: it was not stored and must be told again.
 */
export type Outcome = "accepted" | "duplicate" | "ignored_late" | "failed" | Failure

export interface Ingested {
  readonly accepted: number
  readonly duplicate: number
  readonly ignored_late: number
  /** The ids of all of these: nobody need tell them again. */
  readonly taken: ReadonlyArray<string>
  readonly refused: ReadonlyArray<{ readonly event_id: string; readonly failure: Failure }>
  readonly failed: ReadonlyArray<string>
  /** The tenants could not be looked up, so all of it has failed. */
  readonly unresolved?: true
}

/** How many calls are told of one heartbeat, or of a gateway's return, at a time. */
const tellConcurrency = 256

const summary = (events: ReadonlyArray<PbxEvent>, outcomes: ReadonlyArray<Outcome>): Ingested => {
  const counts = { accepted: 0, duplicate: 0, ignored_late: 0 }
  const taken: Array<string> = []
  const refused: Array<Ingested["refused"][number]> = []
  const failed: Array<string> = []
  outcomes.forEach((outcome, index) => {
    const { event_id } = events[index]!
    if (typeof outcome !== "string") refused.push({ event_id, failure: outcome })
    else if (outcome === "failed") failed.push(event_id)
    else {
      counts[outcome]++
      taken.push(event_id)
    }
  })
  return { ...counts, taken, refused, failed }
}

const unresolved = (events: ReadonlyArray<PbxEvent>): Ingested => ({
  ...summary(
    events,
    events.map(() => "failed")
  ),
  unresolved: true
})

const reconciling = (doubt: (call_id: string, at: number) => Effect.Effect<void>, live: LiveCalls["Service"]) =>
  Effect.fnUntraced(function* (gateway_id: string, live_sessions: ReadonlyArray<string>) {
    const at = yield* Clock.currentTimeMillis
    const named = new Set(live_sessions)
    const unnamed = (yield* retryWithBackoff(live.onGateway(gateway_id))).filter(
      ({ session_id }) => !named.has(session_id)
    )
    yield* Effect.forEach(unnamed, ({ id }) => doubt(id, at), { concurrency: tellConcurrency, discard: true })
  })

/**
 * Whom a gateway may speak for, and what is to be known of calls that come in. Known before the first event is told:
 * nothing that must be looked up comes between an event and the next. Undefined where it cannot be looked up.
 */
const lookingUp = (directory: Directory["Service"], receive: Receive) => {
  const incoming = (events: ReadonlyArray<PbxEvent>) =>
    Effect.map(
      Effect.forEach(events, (event) => Effect.map(receive(event), (command) => [event, command] as const)),
      (commands) => new Map(commands)
    )
  return (speaker: Speaker, events: ReadonlyArray<PbxEvent>) =>
    Effect.gen(function* () {
      const tenants = new Set(
        yield* Effect.filter([...new Set(events.map(({ tenant_pbx_id }) => tenant_pbx_id))], (tenant_pbx_id) =>
          Effect.map(
            directory.workspaceOfPbx(tenant_pbx_id),
            (workspace) => workspace !== undefined && speaksFor(speaker, workspace.gateway_id)
          )
        )
      )
      const first = events.filter((event) => beginsCall(event) && tenants.has(event.tenant_pbx_id))
      return { tenants, commands: yield* incoming(first) }
    }).pipe(
      Effect.catchDefect((defect) => (defect instanceof ServiceUnavailable ? Effect.undefined : Effect.die(defect)))
    )
}

const withoutSession = new PbxPayloadDecodeFailed({
  details: [{ field: "/session_id", code: "required", message: "Events of this type belong to a session." }]
})

/** Who is told what a PBX reports of a tenant as a whole: its trunk, its devices. Nobody, where there are none. */
export class TenantEvents extends Context.Reference<(workspace_id: string, event: PbxEvent) => Effect.Effect<Outcome>>(
  "trunkline/actors/TenantEvents",
  { defaultValue: () => () => Effect.succeed("ignored_late") }
) {}

export class PbxIngest extends Context.Service<
  PbxIngest,
  {
    /**
     * Answers once what counts is on disk. Events of one session are told to their call in the order given, those of
     * different sessions at once. A gateway speaks only for the workspaces that it carries.
     */
    readonly ingest: (speaker: Speaker, events: ReadonlyArray<PbxEvent>) => Effect.Effect<Ingested>
    /**
     * A gateway has connected and named every session that it has. Calls that it does not name ask it for theirs at once,
     * where else they would after minutes of silence.
     */
    readonly reconcile: (gateway_id: string, live_sessions: ReadonlyArray<string>) => Effect.Effect<void>
  }
>()("trunkline/actors/PbxIngest") {
  static readonly layer: Layer.Layer<PbxIngest, never, ActorSystem | Directory | LiveCalls> = Layer.effect(
    PbxIngest,
    Effect.gen(function* () {
      const system = yield* ActorSystem
      const directory = yield* Directory
      const tenantEvents = yield* TenantEvents
      const live = yield* LiveCalls
      const { callOf, receive } = yield* InboundCalls
      const lookUp = lookingUp(directory, receive)

      const tell = (call_id: string, command: CallMessage<"Incoming" | "PbxReported">): Effect.Effect<Outcome> =>
        Effect.catch(system.ask(CallActor, call_id, command), (error) =>
          Effect.succeed<Outcome>(error._tag === "NotCommitted" ? "failed" : error)
        )

      // A clock of the PBX that runs ahead must not lend a session life that it has not shown yet.
      const heartbeat = ({ data, occurred_at, tenant_pbx_id }: PbxEvent): Effect.Effect<Outcome> =>
        Effect.gen(function* () {
          const at = Math.min(yield* Clock.currentTimeMillis, Date.parse(occurred_at))
          const call_ids = (data.live_sessions ?? []).flatMap((session) => callOf(tenant_pbx_id, session) ?? [])
          yield* Effect.forEach(
            call_ids,
            (id) => Effect.ignore(system.ask(CallCommands.ProofOfLife, id, { at, tenant_pbx_id })),
            {
              concurrency: tellConcurrency,
              discard: true
            }
          )
          return "accepted" as const
        })

      /** Of a tenant as a whole. */
      const ofTenant = (event: PbxEvent): Effect.Effect<Outcome> =>
        Effect.flatMap(directory.workspaceOfPbx(event.tenant_pbx_id), (workspace) =>
          workspace === undefined ? Effect.succeed<Outcome>("ignored_late") : tenantEvents(workspace.id, event)
        )

      const take =
        (tenants: ReadonlySet<string>, commands: ReadonlyMap<PbxEvent, CallMessage<"Incoming"> | undefined>) =>
        (event: PbxEvent): Effect.Effect<Outcome> => {
          if (!tenants.has(event.tenant_pbx_id)) return Effect.succeed(new PbxUnknownWorkspace())
          switch (event.type) {
            case "heartbeat":
              return heartbeat(event)
            case "trunk.state":
            case "registration.changed":
              return ofTenant(event)
            default: {
              if (event.session_id === undefined) return Effect.succeed(withoutSession)
              const call_id = callOf(event.tenant_pbx_id, event.session_id)
              if (call_id === undefined) return Effect.succeed("ignored_late")
              return tell(call_id, commands.get(event) ?? { _tag: "PbxReported", event })
            }
          }
        }

      return {
        ingest: (speaker, events) =>
          Effect.flatMap(lookUp(speaker, events), (known) =>
            known === undefined
              ? Effect.succeed(unresolved(events))
              : Effect.map(
                  Effect.forEach(events, take(known.tenants, known.commands), { concurrency: "unbounded" }),
                  (outcomes) => summary(events, outcomes)
                )
          ),
        reconcile: reconciling((id, at) => Effect.ignore(system.ask(CallActor, id, { _tag: "Doubted", at })), live)
      }
    })
  )
}
