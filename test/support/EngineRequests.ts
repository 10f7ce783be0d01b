// Requests for calls to the whole engine, for tests of its endpoints.
import { Effect } from "effect"
import { DemoFile } from "./Engine.ts"
import { ask } from "./HttpTester.ts"
import { until } from "./Until.ts"

/** A number that the simulated PBX rings without an answer. */
export const never = "+99900000003"
/** A number that the simulated PBX reports busy. */
export const busy = "+99900000002"
/** A number that no rate covers. */
export const unrated = "+99900000007"

export const bodyTo = (to: string, from: string, more: object = {}) => ({
  to,
  from,
  voice_callback_url: "http://127.0.0.1:9/voice",
  ...more
})

export const originate = (to: string, more: object = {}, headers: Record<string, string> = {}) =>
  Effect.gen(function* () {
    const { api_key: key, number } = yield* DemoFile
    return yield* ask({ path: "/v1/calls/originate", key, body: bodyTo(to, number.number, more), headers })
  })

/** Waits until the condition holds. */
export const eventually = <R>(what: string, holds: Effect.Effect<boolean, never, R>) =>
  until(what, holds, (it) => it, { every_ms: 5 })
