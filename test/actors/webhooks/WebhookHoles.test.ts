// Receivers that hang, beside receivers of the same workspace that answer: with the sender and its limits, on a client
// that is scripted.
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import { sealContext } from "../../../src/actors/shared/SealedResponse.ts"
import { webhookSecret } from "../../../src/actors/webhooks/WebhookResponses.ts"
import type { WorkspaceId } from "../../../src/domain/BrandedIds.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { SubscriptionCommands } from "../../../src/domain/webhooks/SubscriptionCommand.ts"
import { makeVault } from "../../../src/layers/keyring/AesVault.ts"
import { WebhookSender } from "../../../src/domain/ports/webhooks/WebhookSender.ts"
import { timedClient } from "../../../src/layers/http-client/GuardedClient.ts"
import { webhookSender } from "../../../src/layers/http-client/HttpWebhookSender.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { percentile } from "../../../bench/Row.ts"
import { engine, happen, master } from "../../support/WebhookEngine.ts"
import { subscriptionId, workspaceId } from "../../support/Ids.ts"
import { create as created } from "../../support/Subscriptions.ts"

/** Receivers on `https://example.com/NAME`. Those that hang never answer; the others take 5 ms. */
const makeReceivers = () => {
  const hanging = new Set<string>()
  const underway = new Map<string, number>()
  let open = 0
  let mostOpen = 0
  const waits = new Map<string, Array<number>>()
  const client = timedClient({
    post: ({ body, url }) =>
      Effect.gen(function* () {
        const name = url.pathname.slice(1)
        const { occurred_at } = JSON.parse(body) as { readonly occurred_at: string }
        const waited = (yield* Clock.currentTimeMillis) - Date.parse(occurred_at)
        waits.set(name, [...(waits.get(name) ?? []), waited])
        underway.set(name, (underway.get(name) ?? 0) + 1)
        open++
        mostOpen = Math.max(mostOpen, open)
        const answer = { status: 204, header: () => undefined, body: Buffer.alloc(0), truncated: false }
        return yield* Effect.ensuring(
          hanging.has(name) ? Effect.never : Effect.delay(Effect.succeed(answer), "5 millis"),
          Effect.sync(() => {
            open--
            underway.set(name, (underway.get(name) ?? 0) - 1)
          })
        )
      })
  })
  const sender = webhookSender(client, { allow_insecure: false, allow_private: false })
  return {
    layer: Layer.succeed(WebhookSender)(sender),
    hanging,
    /** How long each delivery to these receivers waited from its event to its request. */
    waitsOf: (names: ReadonlyArray<string>) => names.flatMap((name) => waits.get(name) ?? []),
    forget: () => waits.clear(),
    underway: (name: string) => underway.get(name) ?? 0,
    mostOpen: () => mostOpen
  }
}

const names = (count: number, prefix: string) => Array.from({ length: count }, (_, n) => `${prefix}${n}`)

/** Not by the facade, which allows a workspace fewer. */
const create = (system: ActorSystem["Service"], workspace_id: WorkspaceId, name: string) => {
  const vault = makeVault([master])
  const facts = {
    ...created.facts,
    workspace_id,
    url: `https://example.com/${name}`,
    secret: vault.seal(vault.newSecret(), sealContext(webhookSecret, name, workspace_id))
  }
  return system.ask(SubscriptionCommands.Create, subscriptionId(name), { facts, origin: systemOrigin })
}

/** An engine with a subscription of the workspace for each name, and what makes one event for all of them. */
const subscribed = (
  receivers: ReturnType<typeof makeReceivers>,
  all: Readonly<Record<string, ReadonlyArray<string>>>
) =>
  Effect.gen(function* () {
    const memory = yield* MemoryJournal.make
    const { system } = yield* engine(memory, receivers.layer)
    for (const [workspace, each] of Object.entries(all))
      for (const name of each) yield* create(system, workspaceId(workspace), name)
    /** Events of the workspaces, one of each every 50 ms. */
    const pass = Effect.fnUntraced(function* (events: number, workspaces: ReadonlyArray<string> = Object.keys(all)) {
      for (let n = 0; n < events; n++) {
        for (const workspace of workspaces) yield* happen(memory, { workspace_id: workspaceId(workspace) })
        yield* Effect.andThen(TestClock.adjust("10 millis"), system.drain)
        yield* TestClock.adjust("40 millis")
      }
    })
    return { memory, system, pass }
  })

const p99Of = (waits: ReadonlyArray<number>) => percentile(waits, 0.99)

it.effect("50 receivers that never answered do not delay the 50 others of their workspace", () =>
  Effect.gen(function* () {
    const receivers = makeReceivers()
    const [ok, holes] = [names(50, "ok"), names(50, "hole")]
    for (const hole of holes) receivers.hanging.add(hole)
    const { pass } = yield* subscribed(receivers, { w1: [...ok, ...holes] })
    yield* pass(60)
    const waits = receivers.waitsOf(ok)
    assert.strictEqual(waits.length, 60 * ok.length)
    assert.isAtMost(p99Of(waits), 200)
    for (const hole of holes) assert.isAtMost(receivers.underway(hole), 1)
    assert.isAtMost(receivers.mostOpen(), 100)
  })
)

it.effect("50 receivers that worked and begin to hang at once do not delay the 50 others, even if asked first", () =>
  Effect.gen(function* () {
    const receivers = makeReceivers()
    const [ok, holes] = [names(50, "ok"), names(50, "hole")]
    const { pass } = yield* subscribed(receivers, { w1: [...holes, ...ok] })
    yield* pass(10)
    receivers.forget()
    for (const hole of holes) receivers.hanging.add(hole)
    yield* pass(30)
    const waits = receivers.waitsOf(ok)
    assert.strictEqual(waits.length, 30 * ok.length)
    assert.isAtMost(p99Of(waits), 200)
    assert.isAtMost(receivers.mostOpen(), 100)
  })
)

it.effect("100 receivers that worked and begin to hang at once delay none of those that have answered since", () =>
  Effect.gen(function* () {
    const receivers = makeReceivers()
    const holes = names(100, "hole")
    const ok = names(50, "ok")
    const mixed = holes.flatMap((hole, n) => (n % 2 === 0 ? [ok[n / 2]!, hole] : [hole]))
    const { pass } = yield* subscribed(receivers, { w1: mixed })
    yield* pass(10)
    receivers.forget()
    for (const hole of holes) receivers.hanging.add(hole)
    yield* pass(30)
    const answering = ok.filter((name) => receivers.waitsOf([name]).length > 0)
    assert.isAtLeast(answering.length, 44, "all but those that were asked when nine tenths of the sockets were taken")
    const waits = receivers.waitsOf(answering)
    assert.strictEqual(waits.length, 30 * answering.length)
    assert.isAtMost(p99Of(waits), 200)
    yield* TestClock.adjust("16 seconds")
    receivers.forget()
    yield* pass(20)
    assert.strictEqual(receivers.waitsOf(ok).length, 20 * ok.length)
    assert.isAtMost(p99Of(receivers.waitsOf(ok)), 200)
    assert.isAtMost(receivers.mostOpen(), 100)
  })
)

it.effect("five workspaces full of receivers that hang do not delay a sixth", () =>
  Effect.gen(function* () {
    const receivers = makeReceivers()
    const full = ["w1", "w2", "w3", "w4", "w5"]
    const holes = full.map((workspace) => [workspace, names(60, `${workspace}-`)] as const)
    const ok = names(20, "ok")
    const { pass } = yield* subscribed(receivers, { ...Object.fromEntries(holes), w6: ok })
    yield* pass(8)
    receivers.forget()
    for (const [, each] of holes) for (const name of each) receivers.hanging.add(name)
    yield* pass(20)
    assert.strictEqual(receivers.waitsOf(ok).length, 20 * ok.length)
    assert.isAtMost(p99Of(receivers.waitsOf(ok)), 200)
    assert.isAtMost(receivers.mostOpen(), 500)
  })
)

it.effect("a receiver that hung gets one delivery at a time until it accepts one, then more and more", () =>
  Effect.gen(function* () {
    const receivers = makeReceivers()
    const { pass, system } = yield* subscribed(receivers, { w1: ["a"] })
    yield* pass(8)
    receivers.hanging.add("a")
    yield* pass(200)
    assert.isAtMost(receivers.underway("a"), 18, "a fifth of what those get that have not accepted anything since")
    // They time out, and leave one at a time.
    yield* Effect.andThen(TestClock.adjust("16 seconds"), system.drain)
    yield* TestClock.adjust("1 second")
    assert.isAtMost(receivers.underway("a"), 1)
    receivers.hanging.delete("a")
    receivers.forget()
    for (let step = 0; step < 60; step++) yield* Effect.andThen(TestClock.adjust("10 seconds"), system.drain)
    assert.isAtLeast(receivers.waitsOf(["a"]).length, 208 - 8)
    receivers.forget()
    yield* pass(20)
    assert.strictEqual(receivers.waitsOf(["a"]).length, 20)
    assert.isAtMost(p99Of(receivers.waitsOf(["a"])), 20)
  })
)
