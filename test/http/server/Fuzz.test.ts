import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { FakeEngine, layer as fakeEngine } from "../../support/FakeEngine.ts"
import { ask, originateBody, type Question } from "../../support/HttpTester.ts"

const id = "0190f5fe-7c00-7a00-8000-0000000000ff"

/** Mulberry32: the same requests in every run with the same seed. */
const randomness = (seed: number) => {
  let state = seed
  const next = (below: number): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
  const pick = <A>(from: ReadonlyArray<A>): A => from[next(from.length)]!
  const text = (max: number, units = 0x10000): string =>
    String.fromCharCode(...Array.from({ length: next(max) }, () => (next(4) === 0 ? next(units) : 0x20 + next(0x5f))))
  return { next, pick, text }
}
type Randomness = ReturnType<typeof randomness>

/** Values that have broken servers before. */
const awkward = [
  "",
  "\0",
  "\ud800",
  "__proto__",
  "𝕏".repeat(50),
  -0,
  1e308,
  2 ** 53,
  -1,
  0.5,
  null,
  true,
  [],
  {},
  [[[]]],
  { a: { b: [null] } }
]
const names = [
  ...Object.keys(originateBody),
  "metadata",
  "timeout_seconds",
  "client_reference",
  "reason",
  "__proto__",
  "toString",
  ""
]

const value = (random: Randomness): unknown => (random.next(2) === 0 ? random.pick(awkward) : random.text(80))

const document = (random: Randomness): unknown => {
  const members = Object.fromEntries(
    Array.from({ length: random.next(6) }, () => [
      random.next(4) === 0 ? random.text(20) : random.pick(names),
      value(random)
    ])
  )
  return random.next(8) === 0 ? value(random) : { ...(random.next(2) === 0 && originateBody), ...members }
}

/** A document, one that was cut or bent, or no document at all. */
const body = (random: Randomness): string | Uint8Array => {
  const whole = JSON.stringify(document(random))
  const at = random.next(whole.length)
  switch (random.next(5)) {
    case 0:
      return whole.slice(0, at)
    case 1:
      return whole.slice(0, at) + random.text(4) + whole.slice(at)
    case 2:
      return Uint8Array.from({ length: random.next(200) }, () => random.next(256))
    default:
      return whole
  }
}

const headers = (random: Randomness, candidates: ReadonlyArray<string>): Record<string, string> =>
  Object.fromEntries(
    candidates
      .filter(() => random.next(3) === 0)
      .map((name) => [
        name,
        random
          .text(random.next(8) === 0 ? 300 : 20, 0x7f)
          .replaceAll(/[^ -~]/g, " ")
          .trim()
      ])
  )

const post = (random: Randomness): Question => ({
  path: random.pick([
    "/v1/calls/originate",
    `/v1/calls/${id}/terminate`,
    "/v1/calls/HD_x/terminate",
    `/v1/calls/${encodeURIComponent(random.text(20).toWellFormed())}/terminate`
  ]),
  method: "POST",
  body: body(random),
  headers: {
    ...(random.next(4) > 0 && { "content-type": "application/json" }),
    ...headers(random, ["idempotency-key", "x-request-id", "content-type"])
  }
})

const parameters = [
  "limit",
  "cursor",
  "status",
  "from",
  "to",
  "created_after",
  "created_before",
  "kind",
  "number_id",
  "direction",
  "x"
]

const get = (random: Randomness): Question => {
  const encoded = (text: string): string =>
    random.next(6) === 0
      ? random.pick(["%", "%00", "%ff", "%2e%2e", "%2F", "."])
      : encodeURIComponent(text.toWellFormed())
  const segments = Array.from({ length: random.next(3) }, () =>
    random.next(2) === 0 ? random.pick([id, "HD_x", "originate", "events"]) : encoded(random.text(20))
  )
  const query = Array.from({ length: random.next(4) }, () => `${random.pick(parameters)}=${encoded(random.text(40))}`)
  const root = random.pick([
    "/v1/calls",
    "/v1/numbers",
    "/v1/wallet/statements",
    "/v1/webhooks",
    "/v1",
    "/v1/wallet/balance"
  ])
  return {
    path: `${[root, ...segments].join("/")}?${query.join("&")}`,
    method: random.pick(["GET", "GET", "GET", "PUT", "PATCH", "DELETE", "OPTIONS"]),
    headers: headers(random, ["x-request-id", "idempotency-key"])
  }
}

layer(fakeEngine, { excludeTestServices: true })("random input", (it) => {
  const never5xx = (make: (random: Randomness) => Question) =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint()
      const random = randomness(20_261_120)
      const questions = Array.from({ length: 1500 }, () => make(random))
      yield* Effect.forEach(
        questions,
        (question) =>
          Effect.map(ask({ ...question, key }), ({ status, text }) =>
            assert.isBelow(status, 500, `${JSON.stringify(question)} got ${text}`)
          ),
        { concurrency: 16, discard: true }
      )
    })

  it.effect("in a POST never causes an internal error", () => never5xx(post), 30_000)
  it.effect("in a path, query or method never causes an internal error", () => never5xx(get), 30_000)
})
