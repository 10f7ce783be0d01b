// What the compiler knows of the errors of endpoints. Each constant here compiles only with the value that it has.
import { assert, describe, it } from "@effect/vitest"
import type { Effect } from "effect"
import type { HttpApiClient, HttpApiEndpoint } from "effect/http-api"
import type { CallNotFound } from "../../../src/domain/errors/CallErrors.ts"
import type { Failure } from "../../../src/domain/errors/Failure.ts"
import type { ReadFailed } from "../../../src/domain/errors/ReadFailed.ts"
import type { TopUpNotFound } from "../../../src/domain/errors/TopUpErrors.ts"
import type { TopUpRecord } from "../../../src/domain/topups/TopUpRecord.ts"
import type { Api } from "../../../src/http/api/Api.ts"

type Equals<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

type Client = HttpApiClient.ForApi<typeof Api>
type ErrorOf<Method> = Method extends (...request: Array<never>) => Effect.Effect<infer _A, infer E, infer _R>
  ? E
  : never
type TagOf<Method> = ErrorOf<Method> extends infer E ? (E extends { readonly _tag: infer Tag } ? Tag : never) : never

/** `true` if the tags are text of any kind and not a union of literals. */
type IsAnyText<Tag> = string extends Tag ? true : false
/** The methods whose errors a client cannot tell apart by tag, as `group.method`. */
type Untyped<C> = {
  readonly [Group in keyof C & string]: {
    readonly [Method in keyof C[Group] & string]: IsAnyText<TagOf<C[Group][Method]>> extends true
      ? `${Group}.${Method}`
      : never
  }[keyof C[Group] & string]
}[keyof C & string]

describe("the typed client", () => {
  it("has a union of literals as the error tags of every method", () => {
    const none: Equals<Untyped<Client>, never> = true
    assert.isTrue(none)
  })

  it("knows the codes of an endpoint and of its middleware, and no others", () => {
    type Tag = TagOf<Client["topups"]["get"]>
    const has: Equals<
      Extract<Tag, "topup.not_found" | "api_key.invalid" | "calls.not_found">,
      "topup.not_found" | "api_key.invalid"
    > = true
    assert.isTrue(has)
  })

  it("would fail this test if a method had an error without a code", () => {
    type Method = () => Effect.Effect<void, CallNotFound | Failure>
    const found: Equals<Untyped<{ readonly calls: { readonly get: Method } }>, "calls.get"> = true
    assert.isTrue(found)
  })
})

type Endpoints = (typeof Api)["groups"]["topups"]["endpoints"]
type Handler<E extends HttpApiEndpoint.Constraint> = HttpApiEndpoint.Handler<
  E,
  HttpApiEndpoint.MiddlewareError<E>,
  unknown
>
type FailsWith<E> = () => Effect.Effect<TopUpRecord, E>
type Compiles<H> = H extends Handler<Endpoints["get"]> ? true : false

describe("a handler", () => {
  it("compiles if it fails with errors that its endpoint declares, or with those of storage", () => {
    const compiles: Compiles<FailsWith<TopUpNotFound | ReadFailed>> = true
    assert.isTrue(compiles)
  })

  it("does not compile if it can fail with an error that its endpoint lacks", () => {
    const compiles: Compiles<FailsWith<TopUpNotFound | CallNotFound>> = false
    assert.isFalse(compiles)
  })

  it("does not compile if it can fail with an error whose code is not known", () => {
    const compiles: Compiles<FailsWith<Failure>> = false
    assert.isFalse(compiles)
  })
})
