import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import type { WalletBalance } from "../../src/domain/wallet/WalletBalance.ts"
import { allWasTold, booksAreSound, settled } from "../support/Books.ts"
import { acts, type Customer, makeCustomer, silence, talk } from "../support/Customer.ts"
import { makeProgram, type Program, type Question, untilServed } from "../support/Program.ts"
import { answering, type Behaviour } from "../support/Receiver.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { fillWallet } from "../support/Treasury.ts"
import { until, untilHolds } from "../support/Until.ts"

/** The price of one minute of these calls. */
const rate_minor = 300
const phones = {
  talkative: "+99900000001",
  busy: "+99900000002",
  deaf: "+99900000003",
  broken: "+99900000004",
  other: "+254711000000"
}

/** A program whose minute passes in six seconds, with money for fifty calls in its second workspace. */
class Engine extends Context.Service<Engine, { readonly program: Program; readonly customer: Customer }>()("Engine") {
  static readonly layer = Layer.effect(
    Engine,
    Effect.gen(function* () {
      yield* fillWallet("other", 50 * rate_minor)
      const program = yield* makeProgram({ speed: 10 })
      const customer = yield* makeCustomer
      yield* program.start
      yield* customer.subscribe(program)
      return { program, customer }
    })
  ).pipe(Layer.provideMerge(TestDatabase.layer))
}

interface Wanted {
  readonly to: string
  readonly behaviour?: Behaviour
  readonly timeout_seconds?: number
  readonly question?: Question
}

const originate = Effect.fnUntraced(function* ({ behaviour = acts(), question, timeout_seconds = 30, to }: Wanted) {
  const { customer, program } = yield* Engine
  const { number, other_workspace } = program.demo()
  const from = question?.key === undefined ? number.number : other_workspace.number.number
  const body = { to, from, timeout_seconds, voice_callback_url: customer.voice(behaviour) }
  return yield* untilServed(program.ask("/v1/calls/originate", { ...question, body }))
})

const place = (wanted: Wanted) =>
  Effect.map(originate(wanted), ({ json, status, text }) => {
    assert.strictEqual(status, 201, text)
    return json<CallRecord>().id
  })

const look = Effect.fnUntraced(function* (id: string, key?: string) {
  const { program } = yield* Engine
  const read = program.ask(`/v1/calls/${id}`, { ...(key !== undefined && { key }) })
  const { json, status, text } = yield* untilServed(read)
  assert.strictEqual(status, 200, text)
  return json<CallRecord & { readonly events: ReadonlyArray<{ readonly kind: string }> }>()
})

const untilCall = (id: string, wanted: (call: CallRecord) => boolean, key?: string) =>
  until("such a call", look(id, key), wanted)

const isOver = ({ cost_minor }: CallRecord) => cost_minor !== undefined
/** Also once the call is over: on a busy machine, it may end between two readings. */
const isAnswered = ({ answered_at }: CallRecord) => answered_at !== null

const ended = (wanted: Wanted, expected: Partial<CallRecord>) =>
  Effect.gen(function* () {
    const call = yield* untilCall(yield* place(wanted), isOver)
    assert.deepInclude(call, expected)
    return call
  })

const terminate = Effect.fnUntraced(function* (id: string, key?: string) {
  const { program } = yield* Engine
  const answer = yield* untilServed(
    program.ask(`/v1/calls/${id}/terminate`, { method: "POST", ...(key !== undefined && { key }) })
  )
  assert.strictEqual(answer.status, 200, answer.text)
  return answer
})

const balance = Effect.fnUntraced(function* (key?: string) {
  const { program } = yield* Engine
  return (yield* program.ask("/v1/wallet/balance", { ...(key !== undefined && { key }) })).json<WalletBalance>()
})

layer(Engine.layer, { excludeTestServices: true })("the program", (it) => {
  it.effect("completes an answered call and charges it", () =>
    ended(
      { to: phones.other, behaviour: acts({ say: { text: "Hello" } }, { hangup: {} }) },
      {
        status: "completed",
        hangup_cause: "normal_clearing",
        hangup_source: "workspace",
        cost_minor: rate_minor
      }
    )
  )

  it.effect("ends unanswered calls with the right cause, free of charge", () =>
    Effect.all(
      [
        ended({ to: phones.busy }, { status: "busy", hangup_cause: "user_busy", sip_code: 486, cost_minor: 0 }),
        ended(
          { to: phones.broken },
          { status: "failed", hangup_cause: "service_unavailable", sip_code: 503, cost_minor: 0 }
        ),
        ended(
          { to: phones.deaf, timeout_seconds: 5 },
          { status: "no_answer", hangup_cause: "ring_timeout", cost_minor: 0 }
        )
      ],
      { concurrency: 3 }
    )
  )

  it.effect("cancels a ringing call", () =>
    Effect.gen(function* () {
      const id = yield* place({ to: phones.deaf })
      yield* untilCall(id, ({ ringing_at }) => ringing_at !== null)
      assert.strictEqual((yield* terminate(id)).json<{ termination: string }>().termination, "requested")
      assert.deepInclude(yield* untilCall(id, isOver), {
        status: "canceled",
        hangup_cause: "canceled_by_workspace",
        cost_minor: 0
      })
      assert.strictEqual((yield* terminate(id)).json<{ termination: string }>().termination, "already_ended")
    })
  )

  const failures: ReadonlyArray<[string, Behaviour, CallRecord["hangup_cause"]]> = [
    ["answers 500", answering(500), "callback_failed"],
    ["does not answer within 10 s", silence, "callback_timeout"],
    ["answers no JSON", answering(200, "<Response/>"), "voice_action_invalid"],
    ["answers an unknown action", answering(200, `{"actions":[{"shout":{}}]}`), "voice_action_invalid"],
    ["answers 65 KiB", answering(200, `{"actions":[${" ".repeat(65 * 1024)}]}`), "voice_action_invalid"]
  ]
  it.effect("hangs up a call whose callback fails, and charges it", () =>
    Effect.forEach(
      failures,
      ([name, behaviour, hangup_cause]) =>
        Effect.gen(function* () {
          const call = yield* untilCall(yield* place({ to: phones.other, behaviour }), isOver)
          assert.deepInclude(
            call,
            { status: "completed", hangup_cause, hangup_source: "platform", cost_minor: rate_minor },
            name
          )
          assert.include(
            call.events.map(({ kind }) => kind),
            "call.callback_failed",
            name
          )
        }),
      { concurrency: 5, discard: true }
    )
  )

  it.effect("places one call for twenty requests with one key", () =>
    Effect.gen(function* () {
      const { customer, program } = yield* Engine
      const body = { to: phones.busy, from: program.demo().number.number, voice_callback_url: customer.voice(acts()) }
      const ask = program.ask("/v1/calls/originate", { body, idempotency_key: "twenty" })
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => ask),
        { concurrency: 20 }
      )
      const first = answers.find(({ status }) => status === 201)!
      for (const { code, status, text } of answers) {
        if (status === 201) assert.strictEqual(text, first.text)
        else assert.deepStrictEqual([status, code], [409, "idempotency.in_progress"])
      }
      const again = yield* ask
      assert.deepStrictEqual(
        [again.status, again.text, again.headers.get("idempotent-replayed")],
        [201, first.text, "true"]
      )
      const otherBody = yield* program.ask("/v1/calls/originate", {
        body: { ...body, to: phones.deaf },
        idempotency_key: "twenty"
      })
      assert.strictEqual(otherBody.code, "idempotency.conflict")
      const { json } = yield* program.ask(`/v1/calls?to=${encodeURIComponent(phones.busy)}&limit=200`)
      assert.lengthOf(
        json<ReadonlyArray<CallRecord>>().filter(({ id }) => first.text.includes(id)),
        1
      )
    })
  )

  it.effect("accepts as many of two hundred calls as the money allows", () =>
    Effect.gen(function* () {
      const { program } = yield* Engine
      const { api_key: key } = program.demo().other_workspace
      const answers = yield* Effect.all(
        Array.from({ length: 200 }, () => originate({ to: phones.deaf, timeout_seconds: 600, question: { key } })),
        { concurrency: "unbounded" }
      )
      const placed = answers.filter(({ status }) => status === 201).map(({ json }) => json<CallRecord>().id)
      assert.lengthOf(placed, 50)
      assert.lengthOf(
        answers.filter(({ code, status }) => status === 402 && code === "wallet.insufficient_funds"),
        150
      )
      assert.deepInclude(yield* balance(key), {
        balance_minor: 50 * rate_minor,
        held_minor: 50 * rate_minor,
        available_minor: 0
      })
      yield* Effect.forEach(placed, (id) => terminate(id, key), { concurrency: 50 })
      yield* settled("10 seconds")
      assert.deepInclude(yield* balance(key), { balance_minor: 50 * rate_minor, held_minor: 0 })
    })
  )

  it.effect(
    "hangs up a call whose money has run out, unless a top-up comes in time",
    () =>
      Effect.gen(function* () {
        const { program } = yield* Engine
        const { api_key: key } = program.demo().other_workspace
        const question = { key }
        const binding = yield* Effect.all(
          Array.from({ length: 48 }, () => place({ to: phones.deaf, timeout_seconds: 600, question })),
          { concurrency: 48 }
        )
        const poor = yield* place({ to: phones.talkative, behaviour: acts(talk), question })
        const { answered_at } = yield* untilCall(poor, isAnswered, key)
        const later = Date.parse(answered_at!) + 20_000
        yield* untilHolds("20 seconds of the engine's time", () => program.now() >= later)
        const saved = yield* place({ to: phones.talkative, behaviour: acts(talk), question })
        assert.deepInclude(yield* untilCall(poor, isOver, key), {
          status: "completed",
          hangup_cause: "balance_exhausted",
          hangup_source: "platform",
          duration_seconds: 60,
          cost_minor: rate_minor
        })
        const isWarned = look(saved, key).pipe(
          Effect.map(({ events }) => events.some(({ kind }) => kind === "call.balance_low"))
        )
        yield* until("warning about the balance", isWarned, (is) => is)
        yield* terminate(binding[0]!, key)
        const { duration_seconds, ...call } = yield* untilCall(saved, isOver, key)
        assert.deepInclude(call, { status: "completed", hangup_source: "callee", cost_minor: 2 * rate_minor })
        assert.closeTo(duration_seconds!, 65, 1)
        yield* Effect.forEach(binding, (id) => terminate(id, key), { concurrency: 48 })
        yield* settled("10 seconds")
        assert.deepInclude(yield* balance(key), { balance_minor: 47 * rate_minor, held_minor: 0 })
      }),
    40_000
  )

  it.effect("has delivered every event, and keeps a valid ledger", () =>
    Effect.gen(function* () {
      const { customer } = yield* Engine
      yield* settled("30 seconds")
      yield* booksAreSound
      yield* allWasTold(customer)
    })
  )
})
