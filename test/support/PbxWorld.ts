// Support for tests of gateways: actors in one process, calls that only record their commands, and two workspaces.
import { Effect, Layer, Result, Schema } from "effect"
import * as GatewayActor from "../../src/actors/pbx/GatewayActor.ts"
import { TenantResync } from "../../src/actors/pbx/TenantResync.ts"
import { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import { type Actor, actor } from "../../src/actors/runtime/Definition.ts"
import * as LocalSystem from "../../src/actors/runtime/LocalSystem.ts"
import { CallCommands, type CallMessage } from "../../src/domain/calls/state/CallCommand.ts"
import type { Decide } from "../../src/domain/Command.ts"
import type { PbxEvent } from "../../src/domain/pbx/PbxEvent.ts"
import { sessionOfCall } from "../../src/domain/pbx/Session.ts"
import { storedState } from "../../src/domain/state/StoredState.ts"
import { LiveCalls } from "../../src/domain/ports/calls/LiveCalls.ts"
import * as SystemIds from "../../src/layers/ids/SystemIds.ts"
import type { MemoryJournal } from "../../src/layers/journal/MemoryJournal.ts"
import * as MemoryDirectory from "../../src/layers/memory/MemoryDirectory.ts"
import { type CallId, type GatewayId, toCallId, type WorkspaceId } from "../../src/domain/BrandedIds.ts"
import { gatewayId, workspaceId } from "./Ids.ts"

export const workspace = (id: WorkspaceId, tenant_pbx_id: string, gateway_id: GatewayId) => ({
  id,
  name: id,
  status: "active" as const,
  currency: "KES" as const,
  tenant_pbx_id,
  gateway_id,
  voice_secret: "",
  numbers: []
})

/** Tenant t1 belongs to gateway g1, t2 to g2. */
export const directory = MemoryDirectory.layer({
  workspaces: [
    workspace(workspaceId("w1"), "t1", gatewayId("g1")),
    workspace(workspaceId("w2"), "t2", gatewayId("g2"))
  ],
  rates: []
})

/** The live calls on gateway g1, as the engine has stored them. */
export const liveCalls = Layer.succeed(LiveCalls)({
  onGateway: (gateway_id) =>
    Effect.succeed(
      gateway_id === "g1" ? [1, 2, 3].map((n) => ({ id: callId(n), session_id: sessionOfCall(callId(n)) })) : []
    )
})

type Told = Extract<CallMessage, { readonly _tag: "PbxReported" | "ProofOfLife" | "SessionUnlisted" }>

const noting = (told: Array<string>) => (seqs: ReadonlyArray<number>, command: CallMessage) => {
  const reported = command as Told
  if (reported._tag === "ProofOfLife" || reported._tag === "SessionUnlisted") {
    told.push(
      reported._tag === "SessionUnlisted" ? `doubted ${reported.at}` : `proof ${reported.at} ${reported.tenant_pbx_id}`
    )
    return Result.succeed({ events: [] })
  }
  const { seq, type } = reported.event
  told.push(`${type} ${seq}`)
  return seqs.includes(seq)
    ? Result.succeed({ events: [], reply: "duplicate" })
    : Result.succeed({ events: [seq], reply: seq > 100 ? "ignored_late" : "accepted" })
}

const seqsState = storedState({ schema: Schema.Struct({ seqs: Schema.Array(Schema.Int) }), upgrades: [] })

/** A call that accepts each event once and records its commands in the order of decision. */
export const notingCalls = (told: Array<string>): Actor<ReadonlyArray<number>, CallCommands, number, never> =>
  actor<ReadonlyArray<number>, CallCommands, number, never>({
    type: "Call",
    commands: CallCommands,
    initial: () => [],
    restore: seqsState.restore(({ seqs }) => seqs),
    decide: noting(told) as Decide<ReadonlyArray<number>, CallCommands, number>,
    evolve: (seqs, seq) => [...seqs, seq],
    plan: () => [],
    record: ({ after }) => ({ workspace_id: workspaceId("w1"), state: seqsState.write({ seqs: after }), columns: {} }),
    answers: {
      Originate: () => ({ status: 201, body: "", headers: {} }),
      Terminate: () => ({ status: 202, body: "", headers: {} }),
      Update: () => ({ status: 200, body: "", headers: {} })
    }
  })

export const callId = (n: number): CallId => toCallId(`0199a000-0000-7000-8000-${String(n).padStart(12, "0")}`)

export const pbxEvent = (event_id: number, fields: Partial<PbxEvent> = {}): PbxEvent => ({
  event_id: `0199e000-0000-7000-8000-${String(event_id).padStart(12, "0")}`,
  tenant_pbx_id: "t1",
  type: "leg.ringing",
  session_id: sessionOfCall(callId(1)),
  seq: 1,
  occurred_at: "1970-01-01T00:00:00.000Z",
  data: {},
  ...fields
})

/** An actor system with gateways and, if a definition is given, calls. */
export const actors = <State, Event>(journal: MemoryJournal, calls?: Actor<State, CallCommands, Event, never>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const system = yield* ActorSystem
      if (calls !== undefined) yield* system.register(calls, () => Effect.void)
      yield* system.start
    })
  ).pipe(
    Layer.provideMerge(GatewayActor.layer.pipe(Layer.provide(TenantResync.none))),
    Layer.provideMerge(LocalSystem.layer),
    Layer.provideMerge(Layer.mergeAll(journal.layer, SystemIds.layer))
  )
