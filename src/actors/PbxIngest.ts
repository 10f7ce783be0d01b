// The door by which what a PBX reports reaches the calls, whichever way it travelled.
import { Clock, Context, Effect, Layer } from "effect"
import type { CallCommand } from "../domain/calls/CallCommand.ts"
import type { CallReply } from "../domain/calls/CallReply.ts"
import type { Failure } from "../domain/errors/Failure.ts"
import { PbxPayloadDecodeFailed, PbxUnknownWorkspace } from "../domain/errors/PbxErrors.ts"
import type { PbxEvent } from "../domain/pbx/PbxEvent.ts"
import { callOfSession } from "../domain/pbx/Session.ts"
import { Directory } from "../domain/ports/Directory.ts"
import { ActorSystem } from "./runtime/ActorSystem.ts"
import type { Definition } from "./runtime/Definition.ts"

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
}

/** How many calls are told of one heartbeat at a time. */
const heartbeatConcurrency = 256

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

const withoutSession = new PbxPayloadDecodeFailed({
  details: [{ field: "/session_id", code: "required", message: "Events of this type belong to a session." }]
})

/** Who is told what a PBX reports of a tenant as a whole: its trunk, its devices. Nobody, where there are none. */
export class TenantEvents extends Context.Reference<(workspace_id: string, event: PbxEvent) => Effect.Effect<Outcome>>(
  "trunkline/actors/TenantEvents",
  { defaultValue: () => () => Effect.succeed("ignored_late") }
) {}

export class PbxIngest extends Context.Service<PbxIngest, {
  /**
   * Answers once what counts is on disk. Events of one session are told to their call in the order given, those of
   * different sessions at once. A gateway speaks only for the workspaces that it carries; null is the ingest endpoint,
   * which speaks for any.
   */
  readonly ingest: (gateway_id: string | null, events: ReadonlyArray<PbxEvent>) => Effect.Effect<Ingested>
}>()("trunkline/actors/PbxIngest") {
  static readonly layer = <State, Event, W, Notice>(
    calls: Definition<State, CallCommand, Event, CallReply, W, Notice>
  ): Layer.Layer<PbxIngest, never, ActorSystem | Directory> =>
    Layer.effect(PbxIngest, Effect.gen(function*() {
      const system = yield* ActorSystem
      const directory = yield* Directory
      const tenantEvents = yield* TenantEvents

      const report = (call_id: string, event: PbxEvent): Effect.Effect<Outcome> =>
        system.ask(calls, call_id, { _tag: "PbxReported", event }).pipe(
          Effect.map((reply): Outcome => reply._tag === "Reported" ? reply.outcome : "ignored_late"),
          Effect.catch((error) => Effect.succeed<Outcome>(error._tag === "NotCommitted" ? "failed" : error as Failure))
        )

      // A clock of the PBX that runs ahead must not lend a session life that it has not shown yet.
      const heartbeat = ({ data, occurred_at }: PbxEvent): Effect.Effect<Outcome> =>
        Effect.gen(function*() {
          const at = Math.min(yield* Clock.currentTimeMillis, Date.parse(occurred_at))
          const call_ids = (data.live_sessions ?? []).flatMap((session) => callOfSession(session) ?? [])
          yield* Effect.forEach(call_ids, (id) => Effect.ignore(system.ask(calls, id, { _tag: "ProofOfLife", at })), {
            concurrency: heartbeatConcurrency,
            discard: true
          })
          return "accepted" as const
        })

      /** Known before the first event is told: nothing that must be looked up comes between an event and the next. */
      const tenantsOf = (gateway_id: string | null, events: ReadonlyArray<PbxEvent>) =>
        Effect.map(
          Effect.filter([...new Set(events.map(({ tenant_pbx_id }) => tenant_pbx_id))], (tenant_pbx_id) =>
            Effect.map(directory.workspaceOfPbx(tenant_pbx_id), (workspace) =>
              workspace !== undefined && (gateway_id === null || workspace.gateway_id === gateway_id))),
          (tenants) => new Set(tenants)
        )

      /** Of a tenant as a whole. */
      const ofTenant = (event: PbxEvent): Effect.Effect<Outcome> =>
        Effect.flatMap(directory.workspaceOfPbx(event.tenant_pbx_id), (workspace) =>
          workspace === undefined ? Effect.succeed<Outcome>("ignored_late") : tenantEvents(workspace.id, event))

      const take = (tenants: ReadonlySet<string>) => (event: PbxEvent): Effect.Effect<Outcome> => {
        if (!tenants.has(event.tenant_pbx_id)) return Effect.succeed(new PbxUnknownWorkspace())
        switch (event.type) {
          case "heartbeat":
            return heartbeat(event)
          case "trunk.state":
          case "registration.changed":
            return ofTenant(event)
          default: {
            if (event.session_id === undefined) return Effect.succeed(withoutSession)
            const call_id = callOfSession(event.session_id)
            return call_id === undefined ? Effect.succeed("ignored_late") : report(call_id, event)
          }
        }
      }

      return {
        ingest: (gateway_id, events) =>
          tenantsOf(gateway_id, events).pipe(
            Effect.flatMap((tenants) => Effect.forEach(events, take(tenants), { concurrency: "unbounded" })),
            Effect.map((outcomes) => summary(events, outcomes))
          )
      }
    }))
}
