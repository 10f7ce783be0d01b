// One engine of a simulation: it starts, carries one call, and says what became of it.
import { Clock, Context, Effect, Layer, Logger, Metric, References } from "effect"
import { Calls } from "../../actors/calls/Calls.ts"
import { ActorSystem } from "../../actors/runtime/ActorSystem.ts"
import { Wallets } from "../../actors/wallet/Wallets.ts"
import { systemOrigin } from "../../domain/access/Origin.ts"
import { type CallRef, toSessionId, type WorkspaceId } from "../../domain/BrandedIds.ts"
import { billSoFar } from "../../domain/calls/state/Bill.ts"
import type { CallRecord } from "../../domain/calls/state/CallRecord.ts"
import type { OriginateRequest } from "../../domain/calls/verbs/OriginateRequest.ts"
import { type SimulatedCall, simulated_seconds, type SimulationRequest } from "../../domain/calls/views/Simulation.ts"
import { timelinePage } from "../../domain/calls/views/Timeline.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { CallHistory } from "../../domain/ports/calls/CallHistory.ts"
import { CallReads } from "../../domain/ports/calls/CallReads.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { MemoryJournal } from "../../layers/journal/MemoryJournal.ts"
import * as MemoryCallHistory from "../../layers/memory/MemoryCallHistory.ts"
import type { Caller } from "../../layers/pbx/simulator/Phones.ts"
import { PbxSimulator } from "../../layers/pbx/simulator/PbxSimulator.ts"
import type { callEngine } from "./CallEngine.ts"
import type { Outside } from "./Outside.ts"
import type { VirtualClock } from "../../layers/clock/VirtualClock.ts"

type EngineLayer = ReturnType<typeof callEngine>
type Services = Layer.Success<EngineLayer> | CallHistory

interface Parts {
  readonly clock: VirtualClock
  readonly outside: Outside
  readonly layer: (journal: MemoryJournal) => EngineLayer
}

/** Moves of the clock. A call of half an hour with an action each second needs fewer. */
const maxSteps = 20_000
/** Turns of the event loop without any work, after which nothing more happens by itself. */
const quietTurns = 4
/** Enough for every call that the longest simulation allows. */
const plenty_minor = 1_000_000_000_000

const ended: ReadonlySet<CallRecord["status"]> = new Set(["completed", "no_answer", "busy", "failed", "canceled"])

/** What a wallet or a PBX does is no part of the answer. */
const unlisted = /^(?:hold|charge|pbx|stream\.opened|stream\.closed)/

const turn = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))

/** Everything runs on the clock, logs nothing, and counts in no metric of the engine. */
const contextOn = (clock: VirtualClock) =>
  Context.empty().pipe(
    Context.add(Clock.Clock, clock.service),
    Context.add(Logger.CurrentLoggers, new Set()),
    Context.add(References.TracerEnabled, false),
    Context.add(Metric.MetricRegistry, new Map())
  )

/** How many events, and how many lines of its script, of a simulated call are read. */
const rows_max = 2_000

export class SimulatedEngine {
  private readonly parts: Parts
  private readonly journal: MemoryJournal
  private readonly context: Context.Context<Services>
  private readonly started_at: number

  private constructor(parts: Parts, journal: MemoryJournal, context: Context.Context<Services>) {
    this.parts = parts
    this.journal = journal
    this.context = context
    this.started_at = parts.clock.now
  }

  /** It ends with the scope. */
  static readonly start = Effect.fnUntraced(function* (parts: Parts) {
    const base = contextOn(parts.clock)
    const journal = yield* Effect.provideContext(MemoryJournal.make, base)
    const layer = Layer.merge(parts.layer(journal), MemoryCallHistory.layer(journal))
    // The layers of this process must not be shared: they are of the real engine.
    const built = Layer.buildWithMemoMap(layer, Layer.makeMemoMapUnsafe(), yield* Effect.scope)
    const context = yield* Effect.provideContext(built, base)
    const engine = new SimulatedEngine(parts, journal, Context.merge(base, context))
    yield* engine.settle
    return engine
  })

  private inside<A, E>(effect: Effect.Effect<A, E, Services>): Effect.Effect<A, E> {
    return Effect.provideContext(effect, this.context)
  }

  /** Waits until nothing more happens without time passing. */
  private get settle(): Effect.Effect<void> {
    const drain = Effect.flatMap(ActorSystem, (system) => system.drain)
    return this.inside(
      Effect.gen({ self: this }, function* () {
        for (let quiet = 0; quiet < quietTurns;) {
          const before = this.work
          yield* this.parts.outside.idle
          yield* drain
          yield* turn
          quiet = this.work === before ? quiet + 1 : 0
        }
      })
    )
  }

  private get work(): number {
    return this.parts.clock.timersSet + this.journal.commits + this.parts.outside.asked
  }

  /** Opens the wallet with this much money. Default: plenty. */
  open(
    { currency, id }: { readonly id: WorkspaceId; readonly currency: Parameters<Wallets["Service"]["open"]>[1] },
    balance_minor = plenty_minor
  ): Effect.Effect<void> {
    const opened = Effect.gen(function* () {
      const wallets = yield* Wallets
      const { uuid } = yield* Ids
      yield* wallets.open(id, currency)
      if (balance_minor === 0) return
      yield* wallets.credit(id, {
        entry_id: uuid(),
        kind: "manual_credit",
        amount_minor: balance_minor,
        reference_type: "adjustment",
        reference_id: uuid(),
        description: "Simulated money",
        origin: systemOrigin
      })
    })
    return Effect.orDie(this.inside(opened))
  }

  originate(workspace_id: WorkspaceId, request: SimulationRequest & OriginateRequest) {
    const {
      balance_minor: _balance,
      dialled: _dialled,
      direction: _direction,
      max_seconds: _seconds,
      phone: _phone,
      ...body
    } = request
    const placed = Effect.flatMap(Calls, (calls) => calls.originate(workspace_id, body))
    return this.inside(placed).pipe(
      Effect.map(({ id }): CallRef => id),
      // No gateway is away here, and no webhook is subscribed.
      Effect.catchTags({
        NotCommitted: (cause) => Effect.fail(new ServiceUnavailable({ cause })),
        "calls.gateway_unavailable": Effect.die,
        "webhooks.limit_reached": Effect.die,
        "webhooks.dispatcher_unavailable": Effect.die
      })
    )
  }

  dialIn(caller: Caller): Effect.Effect<CallRef> {
    return this.inside(
      Effect.map(
        Effect.flatMap(PbxSimulator, (pbx) => pbx.dialIn(caller)),
        toSessionId
      )
    )
  }

  /** Moves from timer to timer until the call and its legs have ended. Returns why it stopped before. */
  play(workspace_id: WorkspaceId, ref: CallRef, { max_seconds = simulated_seconds }: SimulationRequest) {
    const { clock } = this.parts
    const ends_at = this.started_at + max_seconds * 1_000
    return Effect.gen({ self: this }, function* (): Effect.fn.Return<SimulatedCall["stopped"]> {
      for (let steps = 0; steps < maxSteps; steps++) {
        yield* this.settle
        const calls = yield* this.calls(workspace_id, ref)
        if (calls.length > 0 && calls.every(({ status }) => ended.has(status))) return null
        const next = clock.nextAt
        if (next === undefined || next > ends_at) {
          clock.passTo(ends_at)
          return "max_seconds"
        }
        clock.moveToNext()
      }
      return "too_many_steps"
    })
  }

  /** The call and the legs that it dialled. Empty before the call begins. */
  private calls(workspace_id: WorkspaceId, ref: CallRef): Effect.Effect<ReadonlyArray<CallRecord>> {
    const found = Effect.gen(function* () {
      const reads = yield* CallReads
      const call = yield* reads.find(workspace_id, ref)
      if (call === undefined) return []
      const legs = yield* Effect.forEach(call.child_call_ids, (id) => reads.find(workspace_id, id))
      return [call, ...legs.filter((leg) => leg !== undefined)]
    })
    return Effect.orDie(this.inside(found))
  }

  /** What happened until now. */
  report(
    { currency, id: workspace_id }: { readonly id: WorkspaceId; readonly currency: string },
    ref: CallRef,
    stopped: SimulatedCall["stopped"]
  ): Effect.Effect<SimulatedCall, ServiceUnavailable> {
    return Effect.gen({ self: this }, function* () {
      const [call, ...legs] = yield* this.calls(workspace_id, ref)
      if (call === undefined) return yield* new ServiceUnavailable()
      const ids = [call.id, ...legs.map(({ id }) => id)]
      const trail = yield* Effect.orDie(
        this.inside(Effect.flatMap(CallHistory, (history) => history.trail(workspace_id, ids, { limit: rows_max })))
      )
      const { entries, has_more } = timelinePage(call, trail, {})
      const bills = [call, ...legs].map((each) => billSoFar(each, this.parts.clock.now))
      return {
        call,
        legs,
        entries: entries.filter(({ kind }) => !unlisted.test(kind)),
        has_more,
        duration_seconds: bills[0]?.duration_seconds ?? 0,
        cost_minor: bills.reduce((sum, { cost_minor }) => sum + cost_minor, 0),
        currency,
        stopped
      }
    })
  }
}
