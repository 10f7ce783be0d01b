import { WalletCommands } from "../../../src/domain/wallet/WalletCommand.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import { MemoryJournal } from "../../../src/layers/journal/MemoryJournal.ts"
import { FakeEngine, workspaces } from "../../support/FakeEngine.ts"
import { ask } from "../../support/HttpTester.ts"
import { moneyEngine } from "../../support/MoneyEngine.ts"
import type { WorkspaceId } from "../../../src/domain/BrandedIds.ts"
import { apiKeyId, callId, workspaceId } from "../../support/Ids.ts"

const served = <A, E>(
  test: (
    journal: MemoryJournal
  ) => Effect.Effect<A, E, FakeEngine | ActorSystem | Effect.Services<ReturnType<typeof ask>>>
) => Effect.flatMap(MemoryJournal.make, (journal) => Effect.provide(test(journal), moneyEngine(journal)))

const operator = { headers: { cookie: "session=operator" } }
const adjustments = (workspace_id: WorkspaceId) => `/v1/admin/wallets/${workspace_id}/adjustments`
const adjustment = {
  kind: "manual_debit",
  amount_minor: 400,
  currency: "KES",
  note: "Sent by mistake",
  reference: "T-9"
}

describe("PATCH /v1/wallet", () => {
  it.live("sets the threshold and records the author in the audit log", () =>
    served((journal) =>
      Effect.gen(function* () {
        const { mint } = yield* FakeEngine
        const key = yield* mint({
          workspace_id: workspaces.other,
          key_id: apiKeyId("0190f5fe-7c00-7a00-8000-0000000000aa")
        })
        const patch = (low_balance_threshold_minor: unknown, workspaceKey = key) =>
          ask({ path: "/v1/wallet", method: "PATCH", key: workspaceKey, body: { low_balance_threshold_minor } })
        const { body, status } = yield* patch(1_500)
        assert.strictEqual(status, 200)
        assert.deepInclude(body, { balance_minor: 1_000, low_balance_threshold_minor: 1_500, currency: "KES" })
        assert.deepInclude(journal.tables.audit[0], {
          action_kind: "wallet.threshold_changed",
          workspace_id: workspaces.other
        })
        assert.include(journal.tables.audit[0]!.actor, "api_key")
        assert.deepStrictEqual(
          journal.tables.events.map(({ kind }) => kind),
          ["wallet.low_balance"]
        )
        assert.strictEqual((yield* patch(-1)).code, "wallet.invalid_amount")
        assert.strictEqual((yield* patch(1.5)).code, "validation.bad_request")
        assert.strictEqual((yield* patch(1, yield* mint())).code, "wallet.not_found")
      })
    )
  )
})

describe("GET /v1/wallet/holds", () => {
  it.live("lists the holds of calls page by page", () =>
    served(() =>
      Effect.gen(function* () {
        const { mint } = yield* FakeEngine
        const key = yield* mint({ workspace_id: workspaces.other })
        const system = yield* ActorSystem
        for (const n of [1, 2, 3]) {
          const hold_id = `0190f5fe-7c00-7a00-8000-00000000010${n}`
          yield* system.ask(WalletCommands.PlaceHold, workspaces.other, {
            hold_id,
            call_id: callId(hold_id),
            amount_minor: n * 100
          })
        }
        const first = yield* ask({ path: "/v1/wallet/holds?limit=2", key })
        assert.strictEqual((first.body as ReadonlyArray<unknown>).length, 2)
        const second = yield* ask({
          path: `/v1/wallet/holds?limit=2&cursor=${first.headers.get("x-next-cursor")}`,
          key
        })
        const amounts = [first, second].flatMap(({ body }) =>
          (body as ReadonlyArray<{ amount_minor: number }>).map(({ amount_minor }) => amount_minor)
        )
        assert.sameMembers(amounts, [100, 200, 300])
        assert.deepStrictEqual((yield* ask({ path: "/v1/wallet/holds", key: yield* mint() })).body, [])
      })
    )
  )
})

describe("GET /v1/wallet/statements", () => {
  it.live("refuses an unknown kind of entry", () =>
    served(() =>
      Effect.gen(function* () {
        const key = yield* (yield* FakeEngine).mint({ workspace_id: workspaces.other })
        assert.strictEqual(
          (yield* ask({ path: "/v1/wallet/statements?kind=gift", key })).code,
          "validation.bad_request"
        )
        const { body } = yield* ask({ path: "/v1/wallet/statements?kind=topup", key })
        assert.deepInclude((body as ReadonlyArray<object>)[0], {
          kind: "topup",
          amount_minor: 1_000,
          balance_after_minor: 1_000
        })
      })
    )
  )
})

describe("an operator's adjustment", () => {
  it.live("changes the balance, with a ledger entry, an event and an audit line", () =>
    served(({ tables }) =>
      Effect.gen(function* () {
        const { body, status } = yield* ask({ ...operator, path: adjustments(workspaces.other), body: adjustment })
        assert.strictEqual(status, 201)
        assert.deepInclude(body, {
          kind: "manual_debit",
          amount_minor: -400,
          balance_after_minor: 600,
          description: "Sent by mistake",
          reference_type: "adjustment",
          reference_id: "T-9",
          actor: { type: "ops" }
        })
        assert.deepStrictEqual(
          tables.events.map(({ kind }) => kind),
          ["wallet.adjusted"]
        )
        assert.deepInclude(tables.audit[0], { action_kind: "wallet.adjusted", target_id: workspaces.other })
        assert.include(tables.audit[0]!.actor, "user-viewer")
      })
    )
  )

  it.live("is refused with the code of each reason", () =>
    served(() =>
      Effect.gen(function* () {
        const codes = yield* Effect.forEach(
          [
            [workspaces.other, { amount_minor: 1_001 }],
            [workspaces.other, { kind: "gift" }],
            [workspaces.other, { amount_minor: 0 }],
            [workspaces.other, { currency: "NGN" }],
            [workspaces.other, { currency: "EUR" }],
            [workspaces.other, { note: "" }],
            [workspaces.other, { amount_minor: "4" }],
            [workspaces.active, {}],
            ["someone", {}]
          ] as const,
          ([workspace_id, change]) =>
            ask({ ...operator, path: adjustments(workspaceId(workspace_id)), body: { ...adjustment, ...change } })
        )
        assert.deepStrictEqual(
          codes.map(({ code, status }) => [status, code]),
          [
            [402, "wallet.insufficient_funds"],
            [422, "wallet.adjustment_invalid_kind"],
            [422, "wallet.invalid_amount"],
            [422, "wallet.currency_mismatch"],
            [422, "currency.unsupported"],
            [400, "validation.bad_request"],
            [400, "validation.bad_request"],
            [404, "wallet.not_found"],
            [404, "wallet.not_found"]
          ]
        )
        const overdrawn = { ...adjustment, amount_minor: 1_500, allow_negative: true }
        assert.deepInclude((yield* ask({ ...operator, path: adjustments(workspaces.other), body: overdrawn })).body, {
          balance_after_minor: -500
        })
      })
    )
  )

  it.live("with an Idempotency-Key is made once, even for concurrent requests", () =>
    served(({ tables }) =>
      Effect.gen(function* () {
        const asked = (key: string, change: object = {}) =>
          ask({
            path: adjustments(workspaces.other),
            body: { ...adjustment, amount_minor: 100, ...change },
            headers: { ...operator.headers, "idempotency-key": key }
          })
        const answers = yield* Effect.all(
          Array.from({ length: 100 }, () => asked("once")),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1)
        assert.strictEqual(answers[0]!.status, 201)
        assert.deepInclude(answers[0]!.body, { amount_minor: -100, balance_after_minor: 900 })
        assert.strictEqual((yield* asked("once")).text, answers[0]!.text)
        assert.deepInclude((yield* asked("another")).body, { amount_minor: -100, balance_after_minor: 800 })
        const others = [
          { amount_minor: 101 },
          { kind: "refund" },
          { kind: "manual_credit" },
          { note: "Another" },
          { reference: "T-10" }
        ]
        for (const change of others)
          assert.deepInclude(yield* asked("once", change), { status: 409, code: "idempotency.conflict" })
        assert.deepInclude(yield* asked("\u00e9"), { status: 400, code: "idempotency.key_invalid" })
        assert.lengthOf(
          [...tables.ledger].filter(({ kind }) => kind === "manual_debit"),
          2
        )
        assert.lengthOf(tables.audit, 2)
      })
    )
  )

  it.live("cannot be made by a customer", () =>
    served(() =>
      Effect.gen(function* () {
        const key = yield* (yield* FakeEngine).mint({ workspace_id: workspaces.other })
        const owner = { headers: { cookie: "session=owner" } }
        assert.strictEqual(
          (yield* ask({ ...owner, path: adjustments(workspaces.other), body: adjustment })).code,
          "auth.admin_required"
        )
        assert.strictEqual((yield* ask({ key, path: adjustments(workspaces.other), body: adjustment })).status, 401)
        assert.strictEqual(
          (yield* ask({
            ...operator,
            path: adjustments(workspaces.other),
            body: "kind=refund",
            headers: { ...operator.headers, "content-type": "text/plain" }
          })).status,
          415
        )
      })
    )
  )
})
