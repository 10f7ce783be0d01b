// The HTTP server over a fake engine that keeps calls in a map, for tests of the server itself.
import { createHash, generateKeyPairSync } from "node:crypto"
import { type Cause, Clock, Context, Effect, Layer, Logger, Queue, Redacted } from "effect"
import { Calls } from "../../src/actors/calls/Calls.ts"
import { Legs } from "../../src/actors/calls/Legs.ts"
import { SipHosts } from "../../src/actors/calls/SipHosts.ts"
import { ActorSystem, followThrough } from "../../src/actors/runtime/ActorSystem.ts"
import { MemoryJournal } from "../../src/layers/journal/MemoryJournal.ts"
import { Role } from "../../src/domain/access/Role.ts"
import { type Scope, Scope as ScopeSchema } from "../../src/domain/access/Scope.ts"
import type { CallEventRecord } from "../../src/domain/calls/views/CallEventRecord.ts"
import type { StreamNotice } from "../../src/domain/calls/views/CallNotice.ts"
import type { TranscriptNotice } from "../../src/domain/calls/state/Transcript.ts"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import { placedAnswer } from "../../src/domain/calls/decide/KeptResponses.ts"
import { type CallConcurrencyLimitReached, CallNotFound } from "../../src/domain/errors/CallErrors.ts"
import { SandboxCalls } from "../../src/domain/ports/calls/SandboxCalls.ts"
import { CallHistory } from "../../src/domain/ports/calls/CallHistory.ts"
import { CallStatistics } from "../../src/domain/ports/calls/CallStatistics.ts"
import { CallReads } from "../../src/domain/ports/calls/CallReads.ts"
import { DenyList } from "../../src/domain/ports/numbers/DenyList.ts"
import { Idempotency } from "../../src/domain/ports/access/Idempotency.ts"
import { Ids } from "../../src/domain/ports/engine/Ids.ts"
import { NotCommitted } from "../../src/domain/errors/NotCommitted.ts"
import { KeyUse } from "../../src/domain/ports/access/KeyUse.ts"
import { Keyring } from "../../src/domain/ports/engine/Keyring.ts"
import { MobileMoneyNotices } from "../../src/domain/ports/money/MobileMoneyNotices.ts"
import type { ReadFailed } from "../../src/domain/errors/ReadFailed.ts"
import { ClockLeaps } from "../../src/domain/ports/engine/ClockLeaps.ts"
import { Readiness } from "../../src/http/server/Readiness.ts"
import { Overload } from "../../src/http/request/Overload.ts"
import * as SystemIds from "../../src/layers/ids/SystemIds.ts"
import { AesVault } from "../../src/layers/keyring/AesVault.ts"
import { HmacCursorSigner } from "../../src/layers/keyring/HmacCursorSigner.ts"
import { HmacTokens } from "../../src/layers/keyring/HmacTokens.ts"
import { JoseKeyring } from "../../src/layers/keyring/JoseKeyring.ts"
import * as MemoryDirectory from "../../src/layers/memory/MemoryDirectory.ts"
import { memoryPorts } from "../../src/layers/memory/MemoryPorts.ts"
import { memorySettings } from "../../src/layers/memory/MemorySettings.ts"
import * as MemorySessions from "./MemorySessions.ts"
import * as LibPhoneNumber from "../../src/layers/numberplan/LibPhoneNumber.ts"
import { sandboxIdOf } from "../../src/domain/kit/Sandbox.ts"
import { Server } from "../../src/app/Server.ts"
import { FakeActors } from "./FakeActors.ts"
import { fakeAccounts } from "./FakeAccounts.ts"
import { recordOf } from "./RingingRecord.ts"
import type { ApiKeyId, WorkspaceId } from "../../src/domain/BrandedIds.ts"
import { apiKeyId, callId, gatewayId, userId, workspaceId } from "./Ids.ts"
import { EmptyPorts } from "./EmptyPorts.ts"
import type { KeptAnswer } from "../../src/domain/idempotency/IdempotentRequest.ts"
import type { Session } from "../../src/domain/access/Session.ts"

export const workspaces = {
  active: workspaceId("0190f5fe-7c00-7a00-8000-00000000000a"),
  suspended: workspaceId("0190f5fe-7c00-7a00-8000-00000000000b"),
  other: workspaceId("0190f5fe-7c00-7a00-8000-00000000000c")
}

export const sandboxes = {
  active: sandboxIdOf(SystemIds.named, workspaces.active),
  suspended: sandboxIdOf(SystemIds.named, workspaces.suspended),
  other: sandboxIdOf(SystemIds.named, workspaces.other)
}

/** Session cookies: one per role in the active workspace, one without a workspace, and one of an operator. */
const sessions = new Map<string, Session>([
  ...Role.literals.map((role): [string, Session] => [role, sessionIn(workspaces.active, role)]),
  ["member-read-only", sessionIn(workspaces.active, "member", true)],
  ["other-admin", sessionIn(workspaces.other, "admin")],
  ["suspended-owner", sessionIn(workspaces.suspended, "owner")],
  ["newcomer", { ...sessionIn(workspaces.active, "owner"), membership: null }],
  ["operator", { ...sessionIn(workspaces.active, "viewer"), operator: true }]
])

function sessionIn(workspace_id: WorkspaceId, role: Role, read_only = false): Session {
  return {
    id: `session-${role}`,
    user_id: userId(`user-${role}`),
    email: `${role}@example.com`,
    operator: false,
    membership: { workspace_id, role, read_only }
  }
}

const workspace = (id: WorkspaceId, status: "active" | "suspended") => ({
  id,
  name: id,
  status,
  currency: "KES" as const,
  tenant_pbx_id: `pbx-${id}`,
  gateway_id: gatewayId("gateway"),
  voice_secret: "whsec_x",
  numbers: []
})

const directory = MemoryDirectory.layer({
  workspaces: [
    workspace(workspaces.active, "active"),
    workspace(workspaces.suspended, "suspended"),
    workspace(workspaces.other, "active"),
    workspace(sandboxes.active, "active"),
    workspace(sandboxes.suspended, "suspended"),
    workspace(sandboxes.other, "active")
  ],
  rates: []
})

/** What a test may read and change. */
export class FakeEngine extends Context.Service<
  FakeEngine,
  {
    readonly calls: Map<string, CallRecord>
    readonly log: Map<string, Array<CallEventRecord>>
    readonly said: Map<string, ReadonlyArray<TranscriptNotice>>
    readonly kept: Map<string, KeptAnswer>
    readonly revoked: Set<string>
    /** By the token of their cookie. */
    readonly sessions: Map<string, Session>
    /** Ids of the keys that were used. */
    readonly used: Set<string>
    readonly watchers: Map<string, Set<Queue.Queue<StreamNotice, Cause.Done>>>
    /** The number of originates that reached the engine. */
    originated: number
    /** If set, every request to the engine fails with this. */
    outage: CallConcurrencyLimitReached | NotCommitted | undefined
    /** An originate with an Idempotency-Key is stored and then refused as a duplicate of itself. */
    repeated: boolean
    readFailure: ReadFailed | undefined
    /** Keeps the events that the streams of workspaces tell. */
    readonly journal: MemoryJournal
    /** Actors that are asked directly. */
    readonly actors: FakeActors
    /** Originates wait for this effect. */
    gate: Effect.Effect<void>
    readonly mint: (options?: {
      readonly workspace_id?: WorkspaceId
      readonly scopes?: ReadonlyArray<Scope>
      readonly lives_ms?: number
      readonly key_id?: ApiKeyId
      /** Default: true. */
      readonly unlimited?: boolean
      /** Default: live. */
      readonly env?: "live" | "test"
    }) => Effect.Effect<string>
  }
>()("test/FakeEngine") {}

const keyOf = (request: { workspace_id: string; method: string; route: string; key: string }) =>
  JSON.stringify([request.workspace_id, request.method, request.route, request.key])

const Fake = Layer.effect(
  FakeEngine,
  Effect.gen(function* () {
    const keyring = yield* Keyring
    const ids = yield* Ids
    return FakeEngine.of({
      calls: new Map(),
      log: new Map(),
      said: new Map(),
      kept: new Map(),
      revoked: new Set(),
      sessions,
      used: new Set(),
      watchers: new Map(),
      originated: 0,
      outage: undefined,
      repeated: false,
      readFailure: undefined,
      journal: yield* MemoryJournal.make,
      actors: new FakeActors(),
      gate: Effect.void,
      mint: Effect.fnUntraced(function* (options = {}) {
        const {
          key_id = ids.uuid(),
          lives_ms = 3_600_000,
          scopes = ScopeSchema.literals,
          unlimited = true,
          env = "live"
        } = options
        const { workspace_id = workspaces.active } = options
        const expires_at = (yield* Clock.currentTimeMillis) + lives_ms
        return Redacted.value(
          yield* keyring.mint({
            key_id: apiKeyId(key_id),
            workspace_id: workspaceId(workspace_id),
            scopes,
            env,
            unlimited,
            expires_at
          })
        )
      })
    })
  })
)

/** Reads that find nothing, because nothing is stored, and the streams of workspaces. */
const stored = Layer.unwrap(
  Effect.map(FakeEngine, ({ journal }) =>
    memoryPorts({
      journal,
      rates: [],
      storage_prices: {},
      number_prices: { monthly_price_minor: 0, inbound_per_min_minor: 0, outbound_per_min_minor: 0 }
    })
  )
)

const Ports = Layer.mergeAll(
  stored,
  directory,
  MemorySessions.layer(sessions),
  MobileMoneyNotices.none,
  Layer.effect(
    Calls,
    Effect.gen(function* () {
      const fake = yield* FakeEngine
      const ids = yield* Ids
      return Calls.of({
        originate: Effect.fnUntraced(function* (workspace_id, request, idempotency) {
          if (fake.outage !== undefined) return yield* Effect.fail(fake.outage)
          yield* fake.gate
          fake.originated++
          const record = recordOf(callId(ids.uuid()), workspace_id, request.to, yield* Clock.currentTimeMillis)
          fake.calls.set(record.id, record)
          if (idempotency !== undefined) {
            fake.kept.set(keyOf(idempotency), { fingerprint: idempotency.fingerprint, ...placedAnswer(record) })
            if (fake.repeated) return yield* new NotCommitted({ reason: "duplicate" })
          }
          return record
        }),
        terminate: Effect.fnUntraced(function* (workspace_id, ref) {
          const record = [...fake.calls.values()].find(
            (call) => call.workspace_id === workspace_id && (call.id === ref || call.session_id === ref)
          )
          return record === undefined ? yield* new CallNotFound() : { ...record, termination: "requested" as const }
        }),
        update: Effect.fnUntraced(function* (workspace_id, ref, { actions: _, ...changes }) {
          if (fake.outage instanceof NotCommitted) return yield* Effect.fail(fake.outage)
          const record = [...fake.calls.values()].find(
            (call) => call.workspace_id === workspace_id && (call.id === ref || call.session_id === ref)
          )
          return record === undefined
            ? yield* new CallNotFound()
            : { ...record, metadata: { ...record.metadata, ...changes.metadata } }
        }),
        recentTranscript: (call_id) => Effect.sync(() => fake.said.get(call_id) ?? []),
        recordViewer: () => Effect.void,
        acknowledgements: () => Effect.succeed({}),
        watch: (call_id, listener) =>
          Effect.acquireRelease(
            Effect.tap(Queue.unbounded<StreamNotice, Cause.Done>(), (queue) =>
              Effect.sync(() => {
                const queues = fake.watchers.get(call_id) ?? new Set()
                fake.watchers.set(call_id, queues.add(queue))
              })
            ),
            (queue) => Effect.sync(() => fake.watchers.get(call_id)?.delete(queue))
          ).pipe((queue) => followThrough(queue, listener))
      })
    })
  ),
  Layer.effect(
    CallReads,
    Effect.gen(function* () {
      const fake = yield* FakeEngine
      const unless = <A>(read: () => A) =>
        Effect.suspend(() => (fake.readFailure === undefined ? Effect.sync(read) : Effect.fail(fake.readFailure)))
      return CallReads.of({
        find: (workspace_id, ref) =>
          unless(() =>
            [...fake.calls.values()].find(
              (call) => call.workspace_id === workspace_id && (call.id === ref || call.session_id === ref)
            )
          ),
        list: (workspace_id, _filter, after, limit) =>
          unless(() =>
            [...fake.calls.values()]
              .filter((call) => call.workspace_id === workspace_id)
              .sort((a, b) => (a.id < b.id ? 1 : -1))
              .filter((call) => after === undefined || call.id < after.id)
              .slice(0, limit)
          ),
        events: (_workspace_id, call_id, after, limit, what = "lifecycle") =>
          unless(() =>
            (fake.log.get(call_id) ?? [])
              .filter(
                ({ kind, sequence }) =>
                  sequence > after && (what === "all" || (kind === "transcript.turn") === (what === "turns"))
              )
              .slice(0, limit)
          ),
        latestEvents: (_workspace_id, call_id, limit, what, before = Number.POSITIVE_INFINITY) =>
          unless(() =>
            (fake.log.get(call_id) ?? [])
              .filter(
                ({ kind, sequence }) =>
                  sequence < before && (what === "all" || (kind === "transcript.turn") === (what === "turns"))
              )
              .slice(-limit)
          )
      })
    })
  ),
  Layer.succeed(CallHistory)({
    money: () => Effect.succeed({ holds: [], charges: [] }),
    trail: () =>
      Effect.succeed({
        holds: [],
        charges: [],
        events: [],
        webhooks: [],
        callbacks: [],
        commands: [],
        lines: [],
        horizon: null,
        earlier: { events: [], lines: [] },
        watches: []
      }),
    latest: () => Effect.succeed([]),
    rate: () => Effect.succeed(undefined),
    balance: () => Effect.succeed(undefined)
  }),
  Layer.effect(
    CallStatistics,
    Effect.map(FakeEngine, (fake) => ({
      rows: () =>
        Effect.suspend(() => (fake.readFailure === undefined ? Effect.succeed([]) : Effect.fail(fake.readFailure)))
    }))
  ),
  Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const fake = yield* FakeEngine
      return Idempotency.of({
        fingerprint: (text) => createHash("sha256").update(text).digest("hex"),
        find: (request) => Effect.sync(() => fake.kept.get(keyOf(request))),
        keep: (request, answer) =>
          Effect.sync(() => void fake.kept.set(keyOf(request), { fingerprint: request.fingerprint, ...answer }))
      })
    })
  ),
  Layer.effect(
    DenyList,
    Effect.map(FakeEngine, (fake) => ({ isRevoked: (jti: string) => fake.revoked.has(jti) }))
  ),
  Layer.effect(
    KeyUse,
    Effect.map(FakeEngine, ({ used }) => ({ used: (key_id: ApiKeyId) => void used.add(key_id) }))
  ),
  EmptyPorts,
  Layer.provideMerge(
    Layer.merge(Legs.layer.pipe(Layer.provide([SandboxCalls.none, SipHosts.local, memorySettings])), fakeAccounts),
    Layer.unwrap(
      Effect.map(FakeEngine, (fake) =>
        Layer.mock(ActorSystem)({
          resident: Effect.succeed(42),
          stopped: Effect.succeed([]),
          ask: fake.actors.ask
        })
      )
    )
  ),
  Layer.succeed(Readiness)({ check: Effect.succeed(true) }),
  Overload.none,
  ClockLeaps.none
)

const signingKey = () => generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" })

/** The server with some fakes replaced by real layers. */
export const layerOver = <A, E, R, R2 = never>(
  real: Layer.Layer<A, E, R>,
  routes: Layer.Layer<never, never, R2> = Layer.empty as never,
  secure_cookies = false,
  metrics_token?: Redacted.Redacted
) =>
  Server({ host: "127.0.0.1", port: 0, rate_limits: true, secure_cookies, metrics_token, linger_ms: 0 }, routes).pipe(
    Layer.provideMerge(real),
    Layer.provideMerge(Ports),
    Layer.provideMerge(Fake),
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.suspend(() => JoseKeyring({ issuer: "http://test", audience: "api", current: signingKey() })),
        HmacCursorSigner([new Uint8Array(32).fill(7)]),
        AesVault(new Uint8Array(32).fill(9)),
        HmacTokens([new Uint8Array(32).fill(8)]),
        SystemIds.layer,
        LibPhoneNumber.layer,
        directory
      )
    ),
    Layer.provideMerge(Logger.layer([]))
  )

/** The whole server on a free port, over `FakeEngine`. */
export const layer = layerOver(Layer.empty)

/** The same, as behind https. */
export const secureLayer = layerOver(Layer.empty, undefined, true)
