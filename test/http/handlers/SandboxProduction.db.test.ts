// What a new workspace can try in its sandbox in production, before an operator has set a price or a number for sale.
import { assert, layer } from "@effect/vitest"
import { Clock, Context, Effect, Layer } from "effect"
import { testPrices } from "../../../src/domain/numbers/TestNetwork.ts"
import { prorated_minor } from "../../../src/domain/storage/Months.ts"
import { Currency } from "../../../src/domain/wallet/Currency.ts"
import { productionWith } from "../../support/Engine.ts"
import { ask } from "../../support/HttpTester.ts"
import { unquoted } from "../../support/Mails.ts"
import { mailServer } from "../../support/MailServer.ts"
import * as MidMonth from "../../support/MidMonth.ts"
import { as, cookieOf, onboard, signup, verify } from "../../support/People.ts"
import { startingBalance_minor } from "../../support/SandboxStart.ts"
import { until } from "../../support/Until.ts"

/** The messages that the engine has sent. */
class Sent extends Context.Service<Sent, ReadonlyArray<string>>()("test/Sent") {}

/** In the middle of a month: storage costs what is left of it. */
const production = Layer.unwrap(
  Effect.map(mailServer(true), ({ messages, port }) => Layer.merge(Layer.succeed(Sent)(messages), productionWith(port)))
).pipe(Layer.provideMerge(MidMonth.layer))

const sessionCookie = "__Host-session"

const eventually = <R>(what: string, holds: Effect.Effect<boolean, never, R>) =>
  until(what, holds, (it) => it, { every_ms: 100, within_ms: 60_000 })

type Json = Readonly<Record<string, unknown>>

/** A new workspace in the currency, with a key of its sandbox. */
const sandboxIn = Effect.fnUntraced(function* (currency: Currency) {
  const sent = yield* Sent
  const email = `${currency.toLowerCase()}@example.com`
  assert.isBelow((yield* signup(email)).status, 300)
  const link = Effect.sync(() => sent.find((message) => message.includes(email))).pipe(
    Effect.map((message = "") => /[?]token=([A-Za-z0-9_-]+)/.exec(unquoted(message))?.[1])
  )
  const token = yield* until(`mail to ${email}`, link, (found) => found !== undefined, { every_ms: 10 })
  const cookie = cookieOf(
    yield* onboard(cookieOf(yield* verify(token), sessionCookie), `Of ${currency}`, currency),
    sessionCookie
  )
  const scopes = ["calls", "numbers", "wallet", "storage"].flatMap((area) => [`${area}.read`, `${area}.write`])
  const { body } = yield* as(cookie, { path: "/v1/api-keys", body: { label: "Test", scopes, env: "test" } })
  const { key } = body as { readonly key: string }
  const owned = Effect.map(ask({ path: "/v1/numbers", key }), ({ body }) => (body as ReadonlyArray<Json>).length)
  yield* eventually(
    `the sandbox in ${currency} has its number`,
    Effect.map(owned, (count) => count === 1)
  )
  return { currency, key }
})

/** The number that a sandbox will claim: another one for every currency. */
const choose = Effect.fnUntraced(function* ({ currency, key }: Effect.Success<ReturnType<typeof sandboxIn>>) {
  const offers = (yield* ask({ path: "/v1/numbers/available", key })).body as ReadonlyArray<Json>
  return { currency, key, offer: offers[Currency.literals.indexOf(currency)] }
})

const tryEverything = Effect.fnUntraced(function* ({
  currency,
  key,
  offer
}: Effect.Success<ReturnType<typeof choose>>) {
  const { inbound_per_min_minor, monthly_price_minor, per_min_minor } = testPrices[currency]
  const done = (path: string, body?: object, method = "POST") =>
    Effect.map(ask({ path, key, method, ...(body && { body }) }), (answer) => {
      assert.isBelow(answer.status, 300, `${currency} ${path}: ${answer.text}`)
      return answer.body as Json
    })
  const balance = Effect.map(done("/v1/wallet/balance", undefined, "GET"), ({ balance_minor }) => Number(balance_minor))
  const began_minor = startingBalance_minor(currency)
  const amount_minor = 9_000 * per_min_minor
  yield* done("/v1/sandbox/credits", { amount_minor })

  assert.deepInclude(offer, { currency, inbound_per_min_minor, monthly_price_minor })
  const { number } = yield* done(`/v1/numbers/${String(offer!["inventory_id"])}/claim`)
  assert.strictEqual(yield* balance, began_minor + amount_minor - monthly_price_minor)

  const { id } = yield* done("/v1/calls/originate", {
    to: "+99900000001",
    from: number,
    voice_callback_url: "https://voice.invalid/answered"
  })
  const call = Effect.map(ask({ path: `/v1/calls/${String(id)}`, key }), ({ body }) => body as Json)
  yield* eventually(
    `the call is charged in ${currency}`,
    Effect.map(call, ({ cost_minor }) => cost_minor === per_min_minor)
  )

  const before = yield* balance
  const began_at = yield* Clock.currentTimeMillis
  let charged_minor = 0
  for (const tier_gb of [5, 10, 25, 50, 100, 250]) {
    const changed = yield* done("/v1/storage/tier", { tier_gb }, "PUT")
    const price_minor = tier_gb * 100 * inbound_per_min_minor
    assert.deepInclude(changed, { tier_gb, currency, price_minor })
    charged_minor += Number(changed["charge_minor"])
  }
  const month_minor = 250 * 100 * inbound_per_min_minor
  assert.isAtMost(charged_minor, prorated_minor(month_minor, began_at) + 6)
  assert.isAbove(charged_minor, 0)
  assert.strictEqual(yield* balance, before - charged_minor)

  const paid_minor = 1_000_000
  yield* done("/v1/topups", { provider: "card", amount_minor: paid_minor, currency })
  yield* eventually(
    `the top-up is credited in ${currency}`,
    Effect.map(balance, (now) => now === before - charged_minor + paid_minor)
  )
})

layer(production, { excludeTestServices: true, timeout: 90_000 })("a sandbox in production", (it) => {
  it.effect(
    "has money, a number, calls, top-ups and storage of every size in every currency",
    Effect.fnUntraced(function* () {
      // A claimed number is offered no more. So all are chosen before the first is claimed, and after each sandbox has
      // the one that it begins with.
      const sandboxes = yield* Effect.forEach(Currency.literals, sandboxIn, { concurrency: "unbounded" })
      const chosen = yield* Effect.forEach(sandboxes, choose, { concurrency: "unbounded" })
      yield* Effect.forEach(chosen, tryEverything, { concurrency: "unbounded", discard: true })
    }),
    120_000
  )
})
