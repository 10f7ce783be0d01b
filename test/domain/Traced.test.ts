import { assert, describe, it } from "@effect/vitest"
import { Effect, References, Tracer } from "effect"
import { traced, withSpan } from "../../src/domain/Traced.ts"

class Ledger {
  readonly names: Array<string> = []
  readonly tracer = Tracer.make({
    span: (options) => {
      this.names.push(options.name)
      return new Tracer.NativeSpan(options)
    }
  })
}

const double = traced("Numbers.double")(function* (n: number) {
  yield* Effect.yieldNow
  return n * 2
})
const currentName = Effect.map(Effect.serviceOption(Tracer.ParentSpan), (span) =>
  span._tag === "Some" && span.value._tag === "Span" ? span.value.name : undefined
)
const nameInside = traced("Numbers.name", { kind: "client" })((_: number) => currentName)
const plusOne = traced("Numbers.plusOne")(
  (n: number) => Effect.succeed(n),
  Effect.map((n) => n + 1)
)

describe("a traced function", () => {
  it.effect("runs inside a span of its name where a tracer is provided", () =>
    Effect.gen(function* () {
      const ledger = new Ledger()
      const all = Effect.all([double(2), nameInside(1), plusOne(3), withSpan(currentName, "Numbers.inner", {})])
      const results = yield* Effect.withTracer(all, ledger.tracer)
      assert.deepStrictEqual(results, [4, "Numbers.name", 4, "Numbers.inner"])
      assert.deepStrictEqual(ledger.names, ["Numbers.double", "Numbers.name", "Numbers.plusOne", "Numbers.inner"])
    })
  )

  it.effect("makes no span where no tracer is provided", () =>
    Effect.gen(function* () {
      const results = yield* Effect.all([double(2), nameInside(1), plusOne(3), withSpan(currentName, "inner", {})])
      assert.deepStrictEqual(results, [4, undefined, 4, undefined])
    })
  )

  it.effect("makes no span where tracing is switched off", () =>
    Effect.gen(function* () {
      const ledger = new Ledger()
      const off = Effect.provideService(nameInside(1), References.TracerEnabled, false)
      assert.isUndefined(yield* Effect.withTracer(off, ledger.tracer))
      assert.deepStrictEqual(ledger.names, [])
    })
  )

  it.effect("fails as its body fails, and dies as its body dies", () =>
    Effect.gen(function* () {
      const refuse = traced("Numbers.refuse")(function* (n: number) {
        return yield* Effect.fail(`no ${n}`)
      })
      const die = traced("Numbers.die")((_: number): Effect.Effect<never> => {
        throw new Error("broken")
      })
      assert.strictEqual(yield* Effect.flip(refuse(1)), "no 1")
      assert.include(String(yield* Effect.sandbox(die(1)).pipe(Effect.flip)), "broken")
    })
  )
})
