import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { absentCall, type Call } from "../../../../src/domain/calls/state/Call.ts"
import { CallReads } from "../../../../src/domain/ports/calls/CallReads.ts"
import { Charges } from "../../../../src/domain/ports/calls/Charges.ts"
import { NumberReads } from "../../../../src/domain/ports/numbers/NumberReads.ts"
import { WalletReads } from "../../../../src/domain/ports/money/WalletReads.ts"
import * as PgCallReads from "../../../../src/layers/postgres/calls/CallReads.ts"
import * as PgCharges from "../../../../src/layers/postgres/reads/Charges.ts"
import * as PgNumberReads from "../../../../src/layers/postgres/reads/NumberReads.ts"
import * as PgWalletReads from "../../../../src/layers/postgres/reads/WalletReads.ts"
import * as TestDatabase from "../../../support/TestDatabase.ts"
import { toCallId, toSessionId, type WorkspaceId } from "../../../../src/domain/BrandedIds.ts"
import { callId, gatewayId, numberId, workspaceId } from "../../../support/Ids.ts"

const mine = workspaceId("00000000-0000-8000-8000-0000000000a1")
const theirs = workspaceId("00000000-0000-8000-8000-0000000000a2")
const id = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`
const at = (minute: number) => Date.UTC(2026, 0, 1, 0, minute)
const iso = (minute: number) => new Date(at(minute)).toISOString()

const call = (n: number, workspace_id: WorkspaceId, minute: number): Call => ({
  ...absentCall(callId(id(n))),
  phase: "ringing",
  facts: {
    session_id: toSessionId(`HD_${n}`),
    workspace_id,
    tenant_pbx_id: "t",
    gateway_id: gatewayId("g"),
    number_id: numberId(id(900)),
    parent_call_id: null,
    parent_session_id: null,
    direction: "outbound",
    kind: "api",
    from: "+254700000001",
    to: `+25471100000${n}`,
    caller_id: "+254700000001",
    created_at: at(minute),
    currency: "KES",
    rate_per_min_minor: 300,
    matched_prefix: "254",
    timeout_seconds: 30,
    max_duration_seconds: 14_400,
    voice_callback_url: null,
    voice_fallback_url: null,
    metadata: {},
    client_reference: `ref-${n}`
  }
})

const insertCall = (n: number, workspace_id: WorkspaceId, minute: number, status = "ringing") =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const state = call(n, workspace_id, minute)
    const facts = state.facts!
    yield* sql`
      INSERT INTO calls ${sql.insert({
        id: state.id,
        workspace_id,
        session_id: facts.session_id,
        number_id: facts.number_id,
        version: 1,
        state: JSON.stringify(state),
        status,
        direction: facts.direction,
        from_e164: facts.from,
        to_e164: facts.to,
        client_reference: facts.client_reference,
        created_at: new Date(facts.created_at)
      })}`
  })

/** Calls 1 to 4 are mine, 2 and 3 of the same instant; call 5 is theirs. */
const Seeded = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    yield* insertCall(1, mine, 1, "busy")
    yield* insertCall(2, mine, 2)
    yield* insertCall(3, mine, 2)
    yield* insertCall(4, mine, 3)
    yield* insertCall(5, theirs, 4)
    for (const sequence of [1, 2, 3]) {
      yield* sql`INSERT INTO events ${sql.insert({
        id: id(100 + sequence),
        workspace_id: mine,
        subject_id: id(1),
        sequence,
        kind: `call.step_${sequence}`,
        occurred_at: new Date(at(sequence)),
        recorded_at: new Date(at(sequence)),
        late: sequence === 3,
        payload: JSON.stringify({ sequence })
      })}`
    }
    for (const [workspace_id, balance_minor] of [
      [mine, 5_000_000_000n],
      [theirs, -7n]
    ] as const) {
      yield* sql`INSERT INTO wallets ${sql.insert({
        workspace_id,
        version: 1,
        state: "{}",
        currency: "KES",
        balance_minor,
        held_minor: 300n,
        low_balance_threshold_minor: 0n,
        updated_at: new Date(at(9))
      })}`
      for (const n of [1, 2, 3]) {
        yield* sql`INSERT INTO ledger_entries ${sql.insert({
          id: id((workspace_id === mine ? 200 : 300) + n),
          workspace_id,
          kind: n === 1 ? "topup" : "call_charge",
          amount_minor: n === 1 ? 1000n : -300n,
          balance_after_minor: 700n,
          currency: "KES",
          reference_type: n === 1 ? "topup" : "call",
          reference_id: n === 1 ? "t" : id((workspace_id === mine ? 0 : 4) + n - 1),
          description: "",
          created_at: new Date(at(n)),
          actor: '{"type":"system"}',
          metadata: "{}",
          sequence: n
        })}`
      }
    }
    const holds = [
      [1, 1, "open", 1],
      [2, 2, "open", 1],
      [3, 77, "open", 1],
      [4, 77, "released", 1],
      [5, 77, "open", 8]
    ] as const
    for (const [n, of, status, minute] of holds) {
      yield* sql`INSERT INTO holds ${sql.insert({
        id: id(400 + n),
        workspace_id: mine,
        call_id: id(of),
        amount_minor: 300n,
        status,
        captured_minor: 0n,
        placed_at: new Date(at(minute)),
        closed_at: status === "open" ? null : new Date(at(2))
      })}`
    }
    for (const workspace_id of [mine, theirs]) {
      yield* sql`INSERT INTO workspaces ${sql.insert({
        id: workspace_id,
        name: "w",
        tenant_pbx_id: workspace_id,
        gateway_id: "g",
        voice_secret: "s",
        created_at: new Date(0)
      })}`
    }
    const numbers = [
      [1, mine, 1, "active"],
      [2, mine, 2, "released"],
      [3, theirs, 3, "active"],
      [4, null, 4, "available"]
    ] as const
    for (const [n, workspace_id, minute, status] of numbers) {
      yield* sql`INSERT INTO numbers ${sql.insert({
        id: id(500 + n),
        workspace_id,
        number: `+25470000000${n}`,
        status,
        source: "platform",
        country: "KE",
        type: "mobile",
        capabilities: "{voice,sms}",
        currency: "KES",
        monthly_price_minor: 50_000n,
        claimed_at: new Date(at(minute)),
        routing: n === 1 ? '{"events_url":"https://example.com/e"}' : "{}"
      })}`
    }
  })
)

const Reads = Layer.mergeAll(PgCallReads.layer, PgWalletReads.layer, PgNumberReads.layer, PgCharges.layer).pipe(
  Layer.provideMerge(Seeded),
  Layer.provideMerge(TestDatabase.layer)
)

layer(Reads, { timeout: "30 seconds" })("reads", (it) => {
  it.effect("finds a call by id and by session, in its workspace alone", () =>
    Effect.gen(function* () {
      const reads = yield* CallReads
      assert.strictEqual((yield* reads.find(mine, toCallId(id(1))))?.created_at, iso(1))
      assert.strictEqual((yield* reads.find(mine, toSessionId("HD_1")))?.id, id(1))
      assert.isUndefined(yield* reads.find(theirs, toCallId(id(1))))
      assert.isUndefined(yield* reads.find(theirs, toSessionId("HD_1")))
      assert.isUndefined(yield* reads.find(mine, toCallId(id(99))))
    })
  )

  it.effect("lists calls newest first, page by page, without a gap or a double", () =>
    Effect.gen(function* () {
      const reads = yield* CallReads
      const all = yield* reads.list(mine, {}, undefined, 10)
      assert.deepStrictEqual(
        all.map((call) => call.id),
        [4, 3, 2, 1].map(id)
      )
      const seen: Array<string> = []
      let after: { at: number; id: string } | undefined
      for (;;) {
        const [next] = yield* reads.list(mine, {}, after, 1)
        if (next === undefined) break
        seen.push(next.id)
        after = { at: Date.parse(next.created_at), id: next.id }
      }
      assert.deepStrictEqual(seen, [4, 3, 2, 1].map(id))
    })
  )

  it.effect("filters calls by everything it offers", () =>
    Effect.gen(function* () {
      const reads = yield* CallReads
      const found = (filter: Parameters<typeof reads.list>[1]) =>
        Effect.map(reads.list(mine, filter, undefined, 10), (calls) => calls.map((call) => call.id))
      assert.deepStrictEqual(yield* found({ status: "busy" }), [id(1)])
      assert.deepStrictEqual(yield* found({ status: "answered" }), [])
      const sql = yield* PgClient.PgClient
      yield* sql`INSERT INTO alarms (actor_type, actor_id, due_at) SELECT 'Call', id::text, now() FROM calls`
      assert.deepStrictEqual(yield* found({ status: "ringing" }), [id(4), id(3), id(2)])
      assert.deepStrictEqual(yield* found({ direction: "inbound" }), [])
      assert.deepStrictEqual(yield* found({ to: "+254711000004" }), [id(4)])
      assert.deepStrictEqual(yield* found({ from: "+254700000009" }), [])
      assert.deepStrictEqual(yield* found({ number_id: numberId(id(901)) }), [])
      assert.deepStrictEqual(yield* found({ client_reference: "ref-2" }), [id(2)])
      assert.deepStrictEqual(yield* found({ client_reference: "ref-5" }), [])
      assert.deepStrictEqual(yield* found({ created_after: at(2), created_before: at(3) }), [id(3), id(2)])
      assert.deepStrictEqual(yield* found({ client_reference: "'; DROP TABLE calls; --" }), [])
    })
  )

  it.effect("reads the log of a call in order from a given event", () =>
    Effect.gen(function* () {
      const reads = yield* CallReads
      const log = yield* reads.events(mine, callId(id(1)), 1, 10)
      assert.deepStrictEqual(
        log,
        [2, 3].map((sequence) => ({
          id: id(100 + sequence),
          kind: `call.step_${sequence}`,
          sequence,
          occurred_at: iso(sequence),
          late: sequence === 3,
          payload: { sequence }
        }))
      )
      assert.lengthOf(yield* reads.events(mine, callId(id(1)), 0, 2), 2)
      const newest = (limit: number, before?: number) =>
        Effect.map(reads.latestEvents(mine, callId(id(1)), limit, "all", before), (events) =>
          events.map(({ sequence }) => sequence)
        )
      assert.deepStrictEqual(yield* newest(2), [2, 3])
      assert.deepStrictEqual(yield* newest(2, 3), [1, 2])
      assert.deepStrictEqual(yield* reads.latestEvents(mine, callId(id(1)), 9, "turns"), [])
      assert.deepStrictEqual(yield* reads.latestEvents(theirs, callId(id(1)), 9, "all"), [])
      assert.deepStrictEqual(yield* reads.events(theirs, callId(id(1)), 0, 10), [])
    })
  )

  it.effect("returns the balance and the available funds", () =>
    Effect.gen(function* () {
      const reads = yield* WalletReads
      assert.deepInclude(yield* reads.balance(mine), {
        balance_minor: 5_000_000_000,
        held_minor: 300,
        available_minor: 4_999_999_700,
        updated_at: iso(9)
      })
      assert.strictEqual((yield* reads.balance(theirs))?.available_minor, -307)
      assert.isUndefined(yield* reads.balance(workspaceId(id(1))))
    })
  )

  it.effect("lists the movements of one wallet, filtered", () =>
    Effect.gen(function* () {
      const reads = yield* WalletReads
      const entries = yield* reads.statements(mine, {}, undefined, 10)
      assert.deepStrictEqual(
        entries.map((entry) => entry.id),
        [203, 202, 201].map(id)
      )
      assert.deepInclude(entries[0]!, {
        amount_minor: -300,
        created_at: iso(3),
        actor: { type: "system" },
        metadata: {}
      })
      assert.deepStrictEqual(
        (yield* reads.statements(mine, { kind: "topup" }, undefined, 10)).map((entry) => entry.id),
        [id(201)]
      )
      assert.deepStrictEqual(
        (yield* reads.statements(mine, { from: at(2), to: at(3) }, undefined, 10)).map((entry) => entry.id),
        [id(202)]
      )
      assert.deepStrictEqual(
        (yield* reads.statements(mine, {}, { at: at(2), id: id(202) }, 10)).map((entry) => entry.id),
        [id(201)]
      )
      assert.deepStrictEqual(yield* reads.entry(mine, id(203)), entries[0])
      assert.isUndefined(yield* reads.entry(theirs, id(203)))
    })
  )

  it.effect("shows the workspace's numbers without the inventory", () =>
    Effect.gen(function* () {
      const reads = yield* NumberReads
      assert.deepStrictEqual(
        (yield* reads.list(mine, {}, undefined, 10)).map((number) => number.id),
        [id(502), id(501)]
      )
      assert.deepStrictEqual(
        (yield* reads.list(mine, {}, { at: at(2), id: id(502) }, 10)).map((number) => number.id),
        [id(501)]
      )
      const number = yield* reads.find(mine, numberId(id(501)))
      assert.deepInclude(number, {
        number: "+254700000001",
        monthly_price_minor: 50_000,
        claimed_at: iso(1),
        capabilities: ["voice", "sms"]
      })
      assert.deepInclude(number!.routing, { events_url: "https://example.com/e", ring_timeout_seconds: 30 })
      assert.isUndefined(yield* reads.find(mine, numberId(id(503))))
      assert.isUndefined(yield* reads.find(mine, numberId(id(504))))
    })
  )

  it.effect("finds the charge of a call and orphaned holds", () =>
    Effect.gen(function* () {
      const charges = yield* Charges
      assert.deepStrictEqual(yield* charges.ofCall(mine, callId(id(1))), { entry_id: id(202), amount_minor: 300 })
      assert.isUndefined(yield* charges.ofCall(theirs, callId(id(1))))
      assert.isUndefined(yield* charges.ofCall(mine, callId(id(4))))
      assert.sameDeepMembers(
        [...(yield* charges.orphanedHolds(mine, at(5)))],
        [
          { id: id(401), unused: false },
          { id: id(403), unused: true }
        ]
      )
      assert.deepStrictEqual(yield* charges.orphanedHolds(theirs, at(5)), [])
    })
  )
})
