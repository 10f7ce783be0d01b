import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as ChatAppActor from "../../../src/actors/chatapp/ChatAppActor.ts"
import { ChatAppNotices } from "../../../src/actors/ingest/ChatAppNotices.ts"
import { ChatApps } from "../../../src/actors/chatapp/ChatApps.ts"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import * as LocalSystem from "../../../src/actors/runtime/LocalSystem.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { type CallSettings, initialSettings } from "../../../src/domain/chatapp/CallSettings.ts"
import type { NumberRecord } from "../../../src/domain/numbers/NumberRecord.ts"
import { NumberReads } from "../../../src/domain/ports/numbers/NumberReads.ts"
import * as SimulatedChatApp from "../../../src/layers/chatapp/SimulatedChatApp.ts"
import { announcements } from "../../../src/layers/chatapp/SimulatedChatAppNotices.ts"
import * as SystemIds from "../../../src/layers/ids/SystemIds.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { numberId, workspaceId } from "../../support/Ids.ts"
import type { NumberId } from "../../../src/domain/BrandedIds.ts"
import { until } from "../../support/Until.ts"

const numbers: Readonly<Record<string, Pick<NumberRecord, "number" | "status">>> = {
  good: { number: "+254700000001", status: "active" },
  overdue: { number: "+254700000002", status: "past_due" },
  resting: { number: "+254700000003", status: "suspended" },
  asking: { number: "+254700000096", status: "active" },
  early: { number: "+254700000097", status: "active" },
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

const run = <A, E>(memory: MemoryJournal, use: Effect.Effect<A, E, ActorSystem | ChatApps>) =>
  Effect.andThen(
    Effect.flatMap(ActorSystem, ({ start }) => start),
    use
  ).pipe(
    Effect.provide(
      Layer.mergeAll(ChatAppActor.layer, ChatApps.layer, announcements.pipe(Layer.provide(ChatAppNotices.layer))).pipe(
        Layer.provideMerge(LocalSystem.layer),
        Layer.provideMerge(Layer.mergeAll(memory.layer, SimulatedChatApp.layer, noReads, SystemIds.seeded(1)))
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
      until("trunk that is not pending", apps.trunk(of(number_id)), ({ status }) => status !== "pending", {
        every_ms: 0
      })
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
            ["asking"]
          )
          assert.deepInclude(JSON.parse(told[0]!.payload).permission, {
            user: "+99900000001",
            status: "granted",
            expires_at: "1970-01-02T00:00:00.000Z"
          })
        })
      )
    })
  )
})
