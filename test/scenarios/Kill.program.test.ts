import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import { phoneOf, talkative } from "../../src/layers/pbx/simulator/Phones.ts"
import { allWasTold, booksAreSound, settled } from "../support/Books.ts"
import { acts, type Customer, makeCustomer, silence, talk } from "../support/Customer.ts"
import { makeOutsidePhones, outside, type OutsidePhones } from "../support/OutsidePhones.ts"
import { makeProgram, type Program, untilServed } from "../support/Program.ts"
import { inTurn } from "../support/Receiver.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { until } from "../support/Until.ts"

/** Number of rounds; CI has little time. */
const rounds = Number(process.env["KILL_ROUNDS"] ?? 3)

/**
 * Rings for ever; answers after 2 s and talks 65; answers after 1 s and talks 30; the outside gateway's own answers
 * late.
 */
const phones = { deaf: "+99900000003", talkative: "+99900000001", other: "+254711000000", late: "+254711999999" }

interface World {
  readonly program: Program
  readonly customer: Customer
  readonly place: (to: string, voice_callback_url: string, timeout_seconds?: number) => Effect.Effect<string>
  readonly look: (id: string) => Effect.Effect<CallRecord>
  /** Waits until the call satisfies the predicate. Fails if the call is over and does not. */
  readonly untilCall: (id: string, wanted: (call: CallRecord) => boolean) => Effect.Effect<CallRecord>
}

const isOver = ({ cost_minor }: CallRecord) => cost_minor !== undefined

/** Also once the call is over: on a busy machine, it may end between two readings. */
const isAnswered = ({ answered_at }: CallRecord) => answered_at !== null

const makeWorld = Effect.fnUntraced(function* (speed: number, env: Readonly<Record<string, string>> = {}) {
  const program = yield* makeProgram({ speed, env })
  const customer = yield* makeCustomer
  const look = (id: string) =>
    Effect.map(Effect.orDie(untilServed(program.ask(`/v1/calls/${id}`))), ({ json }) => json<CallRecord>())
  yield* program.start
  assert.strictEqual((yield* customer.subscribe(program)).status, 201)
  const world: World = {
    program,
    customer,
    look,
    place: (to, voice_callback_url, timeout_seconds = 30) =>
      Effect.gen(function* () {
        const body = { to, from: program.demo().number.number, voice_callback_url, timeout_seconds }
        const { json, status, text } = yield* Effect.orDie(untilServed(program.ask("/v1/calls/originate", { body })))
        assert.strictEqual(status, 201, text)
        return json<CallRecord>().id
      }),
    untilCall: (id, wanted) => {
      const checked = Effect.tap(look(id), (call) =>
        Effect.sync(() => assert.isTrue(wanted(call) || !isOver(call), JSON.stringify(call)))
      )
      return until("such a call", checked, wanted, { every_ms: 10, within_ms: 60_000 })
    }
  }
  return world
})

/** One call in each stage at the same moment. The last one has just been acknowledged. */
const inEveryStage = Effect.fnUntraced(function* ({ customer, place, program, untilCall }: World) {
  const { voice } = customer
  const { speed } = program.pace
  const extending = yield* place(phones.talkative, voice(acts(talk)))
  const { answered_at } = yield* untilCall(extending, isAnswered)
  const extends_at = Date.parse(answered_at!) + 50_000
  yield* Effect.sleep((extends_at - program.now() - 18_000) / speed)

  const bridged = yield* place(phones.other, voice(acts({ dial: { number: phones.other } })))
  yield* untilCall(bridged, ({ child_call_ids }) => child_call_ids.length === 1)
  const saying = yield* place(phones.other, voice(acts(talk)))
  const dialling = yield* place(phones.other, voice(acts({ dial: { number: phones.deaf, timeout: 120 } })))
  yield* Effect.all(
    [saying, dialling].map((id) => untilCall(id, isAnswered)),
    { concurrency: 2 }
  )
  yield* untilCall(dialling, ({ child_call_ids }) => child_call_ids.length === 1)
  const slow = voice(inTurn(silence, acts(talk)))
  const ringing = yield* place(phones.deaf, voice(acts(talk)))
  const asking = yield* place(phones.other, slow)
  yield* untilCall(asking, isAnswered)
  yield* customer.wasAsked(slow)
  yield* Effect.sleep(Math.max(0, extends_at - program.now() - 4_000) / speed)
  const answering = yield* place(phones.late, voice(acts(talk)), 60)
  yield* untilCall(answering, ({ ringing_at }) => ringing_at !== null)
  const placed = yield* place(phones.other, voice(acts(talk)))
  return { extending, bridged, saying, dialling, ringing, asking, answering, placed }
})

const makeGateway = ({ program }: World) =>
  makeOutsidePhones(program, (to) => (to === phones.late ? talkative(5_000, 30_000) : phoneOf(to)))

const live = <E>(
  name: string,
  test: () => Effect.Effect<void, E, Scope.Scope | SqlClient.SqlClient | TestDatabase.TestDatabase>
) => it.live(name, () => test().pipe(Effect.scoped, Effect.provide(TestDatabase.layer)), 300_000)

const soundAndTold = Effect.fnUntraced(function* ({ customer }: World, patience: `${number} seconds` = "30 seconds") {
  yield* settled(patience)
  yield* booksAreSound
  yield* allWasTold(customer)
})

const restart = Effect.fnUntraced(function* ({ program }: World, gateway?: OutsidePhones) {
  yield* program.kill
  const killed_at = program.now()
  if (gateway !== undefined) yield* gateway.disconnect
  yield* booksAreSound
  yield* program.start
  if (gateway !== undefined) yield* gateway.connect
  return killed_at
})

describe("an engine that is killed", () => {
  live("together with its phones ends every call by rule, and charges the talk that there was", () =>
    Effect.gen(function* () {
      // The first of the calls talks for 65 s, in which a busy machine, too, must get to placing the last.
      const world = yield* makeWorld(5)
      const { look, program } = world
      const { answering, placed, ringing, ...answered } = yield* inEveryStage(world)
      const killed_at = yield* restart(world)
      const ends = ["session_lost", "actions_ended", "callback_timeout", "balance_exhausted"]
      yield* soundAndTold(world)
      for (const id of [ringing, placed, answering]) assert.isTrue(isOver(yield* look(id)))
      for (const [stage, id] of Object.entries(answered)) {
        const { ended_at, hangup_cause, status } = yield* look(id)
        assert.strictEqual(status, "completed", stage)
        assert.include(ends, hangup_cause, stage)
        assert.isAtMost(Date.parse(ended_at!), hangup_cause === "session_lost" ? killed_at : program.now(), stage)
      }
    })
  )

  live("while the phones live on goes on with every call where it was", () =>
    Effect.gen(function* () {
      // No faster than users live: an engine that comes back after the end of the paid minute gives the wallet 5 s to
      // pay for the next one, and a busy machine, too, must read and ask a wallet within that time.
      const world = yield* makeWorld(1, outside)
      const { customer, look } = world
      const gateway = yield* makeGateway(world)
      yield* gateway.connect
      const calls = yield* inEveryStage(world)
      yield* restart(world, gateway)
      yield* soundAndTold(world, "150 seconds")
      const talked = { status: "completed", hangup_cause: "normal_clearing", hangup_source: "callee" } as const
      const ends = {
        extending: { ...talked, duration_seconds: 65, cost_minor: 600 },
        bridged: { ...talked, duration_seconds: 30, cost_minor: 300 },
        saying: { ...talked, duration_seconds: 30, cost_minor: 300 },
        dialling: { ...talked, duration_seconds: 30, cost_minor: 300 },
        ringing: { status: "no_answer", cost_minor: 0 },
        answering: { ...talked, duration_seconds: 30, cost_minor: 300 }
      } as const
      for (const [stage, { duration_seconds, ...end }] of Object.entries<Partial<CallRecord>>(ends)) {
        const call = yield* look(calls[stage as keyof typeof ends])
        assert.deepInclude(call, end, stage)
        // The gateway reads its clock a little after the call's own.
        if (duration_seconds !== undefined) assert.closeTo(call.duration_seconds!, duration_seconds, 3, stage)
      }
      // The engine may have died before the phone was rung; then it is not rung late.
      assert.isTrue(isOver(yield* look(calls.placed)))
      const {
        child_call_ids: [leg]
      } = yield* look(calls.bridged)
      assert.deepInclude(yield* look(leg!), { status: "completed", cost_minor: 300 })
      assert.isAbove(customer.told.length, 20)
    })
  )

  live("while a callback is in flight asks it again", () =>
    Effect.gen(function* () {
      // Slow, so that the engine is back while the callback still has time, however long a busy machine takes to start
      // it.
      const world = yield* makeWorld(0.25, outside)
      const { customer, look, place, untilCall } = world
      const gateway = yield* makeGateway(world)
      yield* gateway.connect
      const url = customer.voice(inTurn(silence, acts({ hangup: {} })))
      const id = yield* place(phones.other, url)
      yield* untilCall(id, isAnswered)
      yield* customer.wasAsked(url)
      yield* restart(world, gateway)
      yield* soundAndTold(world)
      assert.deepInclude(yield* look(id), {
        status: "completed",
        hangup_cause: "normal_clearing",
        hangup_source: "workspace",
        cost_minor: 300
      })
      const [first, second, ...more] = customer.asked(url)
      assert.strictEqual(first!.headers["x-service-idempotency-key"], second!.headers["x-service-idempotency-key"])
      assert.lengthOf(more, 0)
    })
  )

  live("and is away while a phone is answered and its time to ring ends hears of the answer before it gives up", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld(4, outside)
      const { look, place, program, untilCall } = world
      const gateway = yield* makeGateway(world)
      yield* gateway.connect
      const id = yield* place(phones.late, world.customer.voice(acts({ hangup: {} })), 6)
      const { created_at } = yield* untilCall(id, ({ ringing_at }) => ringing_at !== null)
      yield* program.kill
      yield* gateway.disconnect
      yield* Effect.sleep((Date.parse(created_at) + 8_500 - program.now()) / program.pace.speed)
      yield* program.start
      yield* gateway.connect
      yield* soundAndTold(world)
      assert.deepInclude(yield* look(id), { status: "completed", hangup_cause: "normal_clearing", cost_minor: 300 })
    })
  )

  live("between the end of the talk and its charge charges it after all, once", () =>
    Effect.gen(function* () {
      // The phones talk for 30 s, in which a busy machine, too, must place 20 calls and lock their wallet. Of talks
      // that end before, none waits for its charge.
      const world = yield* makeWorld(2.5)
      const { customer, look, place, program, untilCall } = world
      const sql = yield* SqlClient.SqlClient
      const url = customer.voice(acts(talk))
      const ids = yield* Effect.all(
        Array.from({ length: 20 }, () => place(phones.other, url)),
        { concurrency: 20 }
      )
      yield* Effect.all(
        ids.map((id) => untilCall(id, isAnswered)),
        { concurrency: 20 }
      )
      const settling = sql`SELECT id FROM calls WHERE state ->> 'phase' = 'settling'`
      // Whoever locks the row of the wallet holds up every charge.
      const killed = Effect.gen(function* () {
        yield* sql`SELECT FROM wallets WHERE workspace_id = ${program.demo().workspace_id} FOR UPDATE`
        const ending = ids.map((id) => Effect.ignore(program.ask(`/v1/calls/${id}/terminate`, { method: "POST" })))
        yield* Effect.forkChild(Effect.all(ending, { concurrency: "unbounded" }))
        const found = yield* until("call that is being charged", settling, (rows) => rows.length > 0, { every_ms: 10 })
        yield* program.kill
        return found
      })
      assert.isNotEmpty(yield* Effect.orDie(sql.withTransaction(killed)))
      yield* booksAreSound
      yield* program.start
      yield* soundAndTold(world)
      for (const id of ids) {
        const call = yield* look(id)
        // On a busy machine they may have talked longer than a minute of the fast clock. One that is lost at the
        // instant of its answer costs a minute, too.
        const minutes = Math.max(1, Math.ceil((Date.parse(call.ended_at!) - Date.parse(call.answered_at!)) / 60_000))
        assert.deepInclude(call, { status: "completed", cost_minor: 300 * minutes })
      }
    })
  )

  live("at random moments around the end of calls charges each of them once", () =>
    Effect.gen(function* () {
      // The phones talk for 30 s, in which a busy machine, too, must place 20 calls and see each of them answered.
      const world = yield* makeWorld(5)
      const { customer, place, program, untilCall } = world
      const url = customer.voice(acts(talk))
      for (let round = 0; round < rounds; round++) {
        const ids = yield* Effect.all(
          Array.from({ length: 20 }, () => place(phones.other, url)),
          { concurrency: 20 }
        )
        yield* Effect.all(
          ids.map((id) => untilCall(id, isAnswered)),
          { concurrency: 20 }
        )
        const ending = ids.map((id) =>
          program
            .ask(`/v1/calls/${id}/terminate`, { method: "POST" })
            .pipe(Effect.delay(Math.random() * 100), Effect.ignore)
        )
        const dying = Effect.delay(program.kill, Math.random() * 120)
        yield* Effect.all([dying, ...ending], { concurrency: "unbounded" })
        yield* booksAreSound
        yield* program.start
      }
      yield* soundAndTold(world)
    })
  )
})
