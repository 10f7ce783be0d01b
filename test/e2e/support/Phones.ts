// Phones of extensions and outside callers, played by SIPp.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { CredentialRecord, Registration } from "../../../src/domain/credentials/CredentialRecord.ts"
import type { CallRecord } from "../../../src/domain/calls/state/CallRecord.ts"
import { type Caller, callerScenario, registerScenario } from "./CallerScenario.ts"
import { carrierNumbers } from "./CarrierScenario.ts"
import { until } from "../../support/Until.ts"
import { answersCalls, freePorts, plays as playsAt } from "./Peers.ts"
import { isOver, PbxWorld } from "./PbxWorld.ts"

/** Runs a SIPp scenario from the address of outside callers, or from the given address of a device. */
export const plays = (scenario: string, from: { readonly host?: string; readonly port?: number } = {}) =>
  Effect.flatMap(PbxWorld, ({ asterisk: { sip_port }, folder }) => playsAt({ folder, sip_port }, scenario, from))

/** Calls the demo number from outside. */
export const calls = (caller: Omit<Caller, "media_port" | "number">) =>
  Effect.gen(function* () {
    const { caller_host, farEnd, program } = yield* PbxWorld
    return yield* plays(callerScenario({ number: program.demo().number.number, media_port: farEnd.port, ...caller }), {
      host: caller_host
    })
  })

/** Sets the routing of the demo number. */
export const routed = (routing: object) =>
  Effect.gen(function* () {
    const { program } = yield* PbxWorld
    const { status, text } = yield* program.ask(`/v1/numbers/${program.demo().number.id}/routing`, {
      method: "PATCH",
      body: routing
    })
    assert.strictEqual(status, 200, text)
  })

/** Waits for the end of the newest call and returns it. */
export const newest = (direction: string) =>
  Effect.gen(function* () {
    const { callUntil, program } = yield* PbxWorld
    const { json } = yield* program.ask(`/v1/calls?direction=${direction}&limit=1`)
    return yield* callUntil(json<ReadonlyArray<CallRecord>>()[0]!.id, isOver)
  })

/** Creates the SIP credential of an extension of the demo number. */
export const credential = (extension: string, more: object = {}) =>
  Effect.gen(function* () {
    const { program } = yield* PbxWorld
    const path = `/v1/numbers/${program.demo().number.id}/sip-credentials`
    const { json, status, text } = yield* program.ask(path, { body: { extension, ...more } })
    assert.strictEqual(status, 201, text)
    const made = json<CredentialRecord & { readonly password: string }>()
    const registered = Effect.map(
      Effect.orDie(program.ask(path)),
      ({ json }) => json<ReadonlyArray<CredentialRecord>>().find(({ id }) => id === made.id)!.registrations
    )
    return {
      id: made.id,
      extension,
      username: made.username,
      password: made.password,
      /** Waits until `count` devices are registered. */
      registrations: (count: number): Effect.Effect<ReadonlyArray<Registration>> =>
        until(`${count} registrations`, registered, ({ length }) => length === count)
    }
  })

/** The digits that select each behaviour of a phone in CarrierScenario.ts. */
const behaviours = {
  answers: "200",
  busy: "486",
  declined: "603",
  rings: carrierNumbers.rings,
  speaks: carrierNumbers.person
} as const

/** A phone that registers, and behaves in this way whenever it is called, until the scope closes. */
export const phone = (
  user: { readonly username: string; readonly password: string },
  behaviour: keyof typeof behaviours
) =>
  Effect.gen(function* () {
    const { farEnd, folder } = yield* PbxWorld
    const port = yield* freePorts()
    assert.strictEqual(yield* plays(registerScenario(user, behaviours[behaviour]), { port }), 0)
    yield* answersCalls(folder, { host: "127.0.0.1", port }, farEnd.port, farEnd.port)
  })
