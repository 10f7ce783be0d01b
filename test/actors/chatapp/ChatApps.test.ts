import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as PermissionActor from "../../../src/actors/chatapp/PermissionActor.ts"
import * as PerformChatApp from "../../../src/actors/chatapp/PerformChatApp.ts"
import { ChatAppNotices } from "../../../src/actors/ingest/ChatAppNotices.ts"
import { ChatApps } from "../../../src/actors/chatapp/ChatApps.ts"
import { TenantEvents } from "../../../src/actors/ingest/TenantEvents.ts"
import * as GatewayActor from "../../../src/actors/pbx/GatewayActor.ts"
import { acknowledge, connectGateway, refuse } from "../../../src/actors/pbx/GatewayLink.ts"
import { TenantResync } from "../../../src/actors/pbx/TenantResync.ts"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import * as LocalSystem from "../../../src/actors/runtime/LocalSystem.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { type CallSettings, initialSettings } from "../../../src/domain/chatapp/CallSettings.ts"
import type { NumberRecord } from "../../../src/domain/numbers/NumberRecord.ts"
import { NumberReads } from "../../../src/domain/ports/numbers/NumberReads.ts"
import { Registrations } from "../../../src/domain/ports/pbx/Registrations.ts"
import type { Capability } from "../../../src/domain/pbx/Capabilities.ts"
import { type DownCommand, isTenantCommand } from "../../../src/domain/pbx/TenantCommand.ts"
import type { Ids } from "../../../src/domain/ports/engine/Ids.ts"
import * as MemoryDirectory from "../../../src/layers/memory/MemoryDirectory.ts"
import { Registry } from "../../../src/layers/pbx/simulator/Registry.ts"
import * as SimulatedChatApp from "../../../src/layers/chatapp/SimulatedChatApp.ts"
import { announcements } from "../../../src/layers/chatapp/SimulatedChatAppNotices.ts"
import * as SystemIds from "../../../src/layers/ids/SystemIds.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { gatewayId, numberId, workspaceId } from "../../support/Ids.ts"
import { type NumberId, toPbxTrunkId } from "../../../src/domain/BrandedIds.ts"
import { until } from "../../support/Until.ts"

const numbers: Readonly<Record<string, Pick<NumberRecord, "number" | "status">>> = {
  good: { number: "+254700000001", status: "active" },
  overdue: { number: "+254700000002", status: "past_due" },
  resting: { number: "+254700000003", status: "suspended" },
  asking: { number: "+254700000096", status: "active" },
  early: { number: "+254700000097", status: "active" },
  mute: { number: "+254700000095", status: "active" },
  unknown: { number: "+254700000098", status: "active" },
  dark: { number: "+254700000099", status: "active" }
}

const noReads = Layer.mock(NumberReads)({
  find: (workspace_id, id) =>
    Effect.sync(() => (workspace_id === "w1" ? (numbers[id] as NumberRecord | undefined) : undefined)),
  holder: (e164) =>
    Effect.sync(() =>
      Object.keys(numbers)
        .map(numberId)
        .find((id) => numbers[id]!.number === e164)
    )
})

const directory = MemoryDirectory.layer({
  workspaces: [
    {
      id: workspaceId("w1"),
      name: "W",
      status: "active",
      currency: "KES",
      tenant_pbx_id: "t1",
      gateway_id: gatewayId("g1"),
      voice_secret: "",
      numbers: []
    }
  ],
  rates: []
})

/** The users and trunks of the PBX, if the engine has one. */
const pbx = (connected: boolean, capabilities: ReadonlyArray<Capability>) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<ActorSystem | Ids | TenantEvents>()
    const { handle } = yield* TenantEvents
    const registry = new Registry({
      now: () => 0,
      report: (_tenant, type, data) =>
        void Effect.runForkWith(context)(
          handle(workspaceId("w1"), {
            event_id: "",
            tenant_pbx_id: "t1",
            type,
            seq: 1,
            occurred_at: "2026-01-01T00:00:00Z",
            data
          })
        )
    })
    const take = (commands: ReadonlyArray<DownCommand>) =>
      Effect.forEach(
        commands,
        (command) => {
          const reason = isTenantCommand(command) ? registry.carryOut(command) : undefined
          return reason === undefined
            ? acknowledge(gatewayId("g1"), [command.id])
            : refuse(gatewayId("g1"), command.id, reason)
        },
        { discard: true }
      )
    if (connected) yield* Effect.forkScoped(connectGateway(gatewayId("g1"), take, capabilities))
    return registry
  })

interface PbxOptions {
  readonly connected?: boolean
  readonly capabilities?: ReadonlyArray<Capability>
}

const run = <A, E>(
  memory: MemoryJournal,
  use:
    | Effect.Effect<A, E, ActorSystem | ChatApps>
    | ((registry: Registry) => Effect.Effect<A, E, ActorSystem | ChatApps>),
  { capabilities = ["chatapp.v1"], connected = true }: PbxOptions = {}
) =>
  Effect.gen(function* () {
    yield* (yield* ActorSystem).start
    const registry = yield* pbx(connected, capabilities)
    return yield* typeof use === "function" ? use(registry) : use
  }).pipe(
    Effect.provide(
      Layer.mergeAll(
        PerformChatApp.layer,
        PermissionActor.layer,
        ChatApps.layer,
        GatewayActor.layer.pipe(Layer.provide(TenantResync.none)),
        TenantEvents.layer.pipe(Layer.provide(Layer.succeed(Registrations)({ note: () => Effect.void }))),
        announcements.pipe(Layer.provide(ChatAppNotices.layer))
      ).pipe(
        Layer.provideMerge(LocalSystem.layer),
        Layer.provideMerge(
          Layer.mergeAll(memory.layer, SimulatedChatApp.layer, noReads, directory, SystemIds.seeded(1))
        )
      )
    ),
    Effect.scoped
  )

const of = (number_id: NumberId, workspace_id = workspaceId("w1")) => ({ workspace_id, number_id })
const settings: CallSettings = { ...initialSettings, status: "ENABLED" }
const code = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

describe("chat-app calling", () => {
  it.effect("stores what the provider accepted, and shows stored and live settings", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      yield* run(
        memory,
        Effect.gen(function* () {
          const apps = yield* ChatApps
          assert.deepStrictEqual(yield* apps.settings(of(numberId("good"))), {
            stored: initialSettings,
            live: initialSettings,
            restrictions: []
          })
          assert.deepStrictEqual(yield* apps.write(of(numberId("good")), settings, systemOrigin), settings)
          assert.deepStrictEqual(yield* apps.settings(of(numberId("good"))), {
            stored: settings,
            live: settings,
            restrictions: []
          })
          const { audit, events } = memory.tables
          assert.deepStrictEqual(
            events.map(({ kind, number_id }) => [kind, number_id]),
            [["chatapp.settings_changed", "good"]]
          )
          assert.deepStrictEqual(
            audit.map(({ action_kind }) => action_kind),
            ["chatapp.settings_changed"]
          )
        })
      )
      // The stored settings survive a restart. The simulated provider loses its own.
      yield* run(
        memory,
        Effect.gen(function* () {
          const shown = yield* (yield* ChatApps).settings(of(numberId("good")))
          assert.deepStrictEqual([shown.stored, shown.live], [settings, initialSettings])
        })
      )
    })
  )

  it.effect("stores nothing that the provider refused", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      yield* run(
        memory,
        Effect.gen(function* () {
          const { settings: read, write } = yield* ChatApps
          assert.strictEqual(
            yield* code(write(of(numberId("unknown")), settings, systemOrigin)),
            "chatapp.provider_rejected"
          )
          assert.strictEqual(
            yield* code(write(of(numberId("dark")), settings, systemOrigin)),
            "chatapp.provider_unavailable"
          )
          assert.strictEqual(
            yield* code(write(of(numberId("good")), { ...settings, status: "on" }, systemOrigin)),
            "chatapp.settings_invalid"
          )
          assert.strictEqual(yield* code(write(of(numberId("resting")), settings, systemOrigin)), "numbers.not_active")
          assert.strictEqual(memory.tables.snapshots.size, 0)
          const shown = yield* read(of(numberId("dark")))
          assert.deepStrictEqual(shown, {
            stored: initialSettings,
            restrictions: [],
            live_error: "The chat-app provider cannot be reached."
          })
        })
      )
    })
  )

  it.effect("belongs to the workspace that has the number", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      yield* run(
        memory,
        Effect.gen(function* () {
          const apps = yield* ChatApps
          yield* apps.provision(of(numberId("good")))
          for (const foreign of [of(numberId("good"), workspaceId("w2")), of(numberId("nothing"))]) {
            assert.strictEqual(yield* code(apps.settings(foreign)), "numbers.not_found")
            assert.strictEqual(yield* code(apps.write(foreign, settings, systemOrigin)), "numbers.not_found")
            assert.strictEqual(yield* code(apps.trunk(foreign)), "numbers.not_found")
            assert.strictEqual(yield* code(apps.provision(foreign)), "numbers.not_found")
            assert.strictEqual(yield* code(apps.retry(foreign, systemOrigin)), "numbers.not_found")
          }
        })
      )
    })
  )

  const settled = (number_id: NumberId) =>
    Effect.flatMap(ChatApps, (apps) =>
      until(
        "trunk that is not pending",
        Effect.andThen(TestClock.adjust("100 millis"), apps.trunk(of(number_id))),
        ({ status }) => status !== "pending",
        { every_ms: 0 }
      )
    )

  it.effect("provisions the trunk once, and retries temporary failures", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      yield* run(
        memory,
        Effect.gen(function* () {
          const apps = yield* ChatApps
          assert.strictEqual(yield* code(apps.trunk(of(numberId("overdue")))), "chatapp.not_provisioned")
          assert.strictEqual(yield* code(apps.retry(of(numberId("overdue")), systemOrigin)), "chatapp.not_provisioned")
          assert.strictEqual((yield* apps.provision(of(numberId("overdue")))).status, "pending")
          assert.deepInclude(yield* settled(numberId("overdue")), { status: "active", sip_host: "sip.chatapp.invalid" })
          assert.strictEqual(
            yield* code(apps.retry(of(numberId("overdue")), systemOrigin)),
            "chatapp.trunk_not_retryable"
          )

          yield* apps.provision(of(numberId("early")))
          assert.deepInclude(yield* settled(numberId("early")), {
            status: "failed",
            provider_code: 138_015,
            attempts: 1
          })
          yield* TestClock.adjust("1 hour")
          const again = yield* until(
            "second attempt that fails",
            apps.trunk(of(numberId("early"))),
            ({ attempts, status }) => attempts === 2 && status === "failed",
            { every_ms: 0 }
          )
          assert.strictEqual(Date.parse(again.next_retry_at!) - Date.parse(again.updated_at), 6 * 3_600_000)
          assert.strictEqual((yield* apps.retry(of(numberId("early")), systemOrigin)).status, "pending")
        })
      )
    })
  )

  it.effect("marks the trunk failed after the provider was unavailable for two minutes", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      yield* run(
        memory,
        Effect.gen(function* () {
          const apps = yield* ChatApps
          yield* apps.provision(of(numberId("dark")))
          const failed = yield* Effect.forkChild(settled(numberId("dark")))
          yield* TestClock.adjust("2 minutes")
          assert.deepInclude(yield* Fiber.join(failed), { status: "failed", provider_code: null, next_retry_at: null })
        })
      )
    })
  )

  it.effect("is active only after the provider's host has answered a probe through the gateway", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      yield* run(memory, (registry) =>
        Effect.gen(function* () {
          const apps = yield* ChatApps
          yield* apps.provision(of(numberId("good")))
          assert.deepInclude(yield* settled(numberId("good")), { status: "active" })
          assert.deepStrictEqual([...registry.trunks], [["chatapp-good.1", "sip.chatapp.invalid"]])
          yield* apps.provision(of(numberId("mute")))
          assert.deepInclude(yield* settled(numberId("mute")), {
            status: "failed",
            status_reason: "The SIP host of the chat-app provider did not answer.",
            provider_code: null
          })
          yield* (yield* ActorSystem).drain
          yield* until(
            "PBX without the trunk",
            Effect.map(TestClock.adjust("100 millis"), () => registry.trunks.has(toPbxTrunkId("chatapp-mute.1"))),
            (has) => !has,
            { every_ms: 0 }
          )
          assert.strictEqual((yield* apps.retry(of(numberId("mute")), systemOrigin)).status, "pending")
        })
      )
    })
  )

  it.effect.each<[string, PbxOptions, string]>([
    ["cannot carry chat-app calls", { capabilities: ["conference.v1"] }, "The gateway cannot carry chat-app calls."],
    ["is away", { connected: false }, "The gateway could not set up the trunk within two minutes."]
  ])("fails if the gateway %s", ([_, options, status_reason]) =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      yield* run(
        memory,
        Effect.gen(function* () {
          yield* (yield* ChatApps).provision(of(numberId("good")))
          assert.deepInclude(yield* settled(numberId("good")), { status: "failed", status_reason })
        }),
        options
      )
    })
  )

  it.effect("continues after a crash with a pending trunk", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      yield* run(
        memory,
        Effect.flatMap(ChatApps, (apps) => apps.provision(of(numberId("dark"))))
      )
      yield* run(
        memory,
        Effect.gen(function* () {
          const failed = yield* Effect.forkChild(settled(numberId("dark")))
          yield* TestClock.adjust("3 minutes")
          assert.strictEqual((yield* Fiber.join(failed)).status, "failed")
        })
      )
    })
  )

  it.effect("publishes the permission that the simulated provider grants", () =>
    Effect.gen(function* () {
      const memory = yield* MemoryJournal.make
      yield* run(
        memory,
        Effect.gen(function* () {
          const apps = yield* ChatApps
          const { drain } = yield* ActorSystem
          const asking: CallSettings = { ...settings, callback_permission_status: "ENABLED" }
          yield* apps.write(of(numberId("asking")), asking, systemOrigin)
          yield* apps.write(of(numberId("asking")), asking, systemOrigin)
          yield* apps.write(of(numberId("good")), asking, systemOrigin)
          yield* TestClock.adjust("3 seconds")
          yield* drain
          const told = memory.tables.events.filter(({ kind }) => kind === "chatapp.permission_changed")
          assert.deepStrictEqual(
            told.map(({ subject_id }) => subject_id),
            ["asking", "asking"],
            "once for each user"
          )
          assert.deepStrictEqual(
            told.map(({ payload }) => JSON.parse(payload).permission.user),
            ["+99900000001", "+99900000027"]
          )
          assert.deepInclude(JSON.parse(told[0]!.payload).permission, {
            status: "granted",
            expires_at: "1970-01-02T00:00:00.000Z"
          })
        })
      )
    })
  )
})
