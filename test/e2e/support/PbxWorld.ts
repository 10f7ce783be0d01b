// An engine in a separate process that places calls through a real Asterisk.
import { assert } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { CallRecord } from "../../../src/domain/calls/state/CallRecord.ts"
import type { VoiceAction } from "../../../src/domain/calls/verbs/VoiceAction.ts"
import type { GatewayRecord } from "../../../src/domain/pbx/GatewayRecord.ts"
import { booksAreSound, settled } from "../../support/Books.ts"
import { acts, type Customer, makeCustomer, talk } from "../../support/Customer.ts"
import { makeProgram, type Program } from "../../support/Program.ts"
import { makeRelay } from "../../support/Relay.ts"
import { fillWallet } from "../../support/Treasury.ts"
import { migrate } from "../../../src/layers/postgres/migrations/Migrations.ts"
import * as TestDatabase from "../../support/TestDatabase.ts"
import { until } from "../../support/Until.ts"
import { carrierNumbers } from "./CarrierScenario.ts"
import { isEmpty, makePbxFor, numberOf, type Pbx, type PbxOptions } from "./Pbx.ts"
import { freePorts } from "./Peers.ts"

interface PbxWorldShape extends Pbx {
  readonly customer: Customer
  /** The connection between the engine and Asterisk: events, and also requests if it is the engine that connects. */
  readonly line: { readonly cut: Effect.Effect<void>; readonly mend: Effect.Effect<unknown> }
  readonly program: Program
  /** Calls a number that ends in these digits. `more` overrides members of the request. */
  readonly place: (digits: string, voice_callback_url: string, more?: object) => Effect.Effect<string>
  readonly look: (id: string) => Effect.Effect<CallRecord>
  /** Waits for a state of a call. */
  readonly callUntil: (id: string, wanted: (call: CallRecord) => boolean) => Effect.Effect<CallRecord>
}

export class PbxWorld extends Context.Service<PbxWorld, PbxWorldShape>()("test/PbxWorld") {}

export const isOver = ({ cost_minor }: CallRecord): boolean => cost_minor !== undefined
export const isAnswered = ({ status }: CallRecord): boolean => status === "answered"

/** Waits until Asterisk has no channels and no bridges. */
export const nothingLeft = Effect.flatMap(PbxWorld, isEmpty)

/** Calls a number that ends in these digits, carries out the actions, and returns the ended call. */
export const comesTo = (digits: string, actions: ReadonlyArray<VoiceAction>, more: object = {}) =>
  Effect.flatMap(PbxWorld, ({ callUntil, customer, place }) =>
    Effect.flatMap(place(digits, customer.voice(acts(...actions)), more), (id) => callUntil(id, isOver))
  )

/**
 * Says `talk` in a call, so that its sound exists. To make it takes long on a busy machine: a later call would be over,
 * or silent for too long, before it hears anything.
 */
export const speechIsMade = comesTo(carrierNumbers.hangsUp, [talk])

export const talked_ms = ({ answered_at, ended_at }: CallRecord): number =>
  Date.parse(ended_at!) - Date.parse(answered_at!)

/** The legs that a call dialled, in order. */
export const legsOf = ({ child_call_ids }: CallRecord) =>
  Effect.flatMap(PbxWorld, ({ callUntil }) => Effect.forEach(child_call_ids, (id) => callUntil(id, isOver)))

/** Downloads the recording of a call. */
export const recordingOf = (id: string) =>
  Effect.gen(function* () {
    const { program } = yield* PbxWorld
    const { download_url } = yield* until(
      "recording",
      Effect.map(program.ask(`/v1/calls/${id}/recording`), ({ json }) =>
        json<{ readonly status?: string; readonly download_url: string }>()
      ),
      ({ status }) => status === "available"
    )
    return yield* Effect.promise(async () => Buffer.from(await (await fetch(download_url)).arrayBuffer()))
  })

/** Waits until no channels are left and all calls are settled, and asserts that the books are sound. */
export const allSettled = Effect.gen(function* () {
  yield* nothingLeft
  yield* settled("30 seconds")
  yield* booksAreSound
})

/** Asterisk, the connection to it, and the settings with which an engine connects. */
const makeLine = Effect.fnUntraced(function* (who: "asterisk" | "engine", options: PbxOptions) {
  if (who === "asterisk") {
    const port = yield* freePorts()
    const line = yield* makeRelay(port)
    const pbx = yield* makePbxFor({ ...options, engine: `ws://127.0.0.1:${line.port}/pbx/ari` })
    return { pbx, line, env: { ...pbx.asterisk.settings, ARI_LISTEN: `ws://127.0.0.1:${port}/pbx/ari` } }
  }
  const pbx = yield* makePbxFor(options)
  const line = yield* makeRelay(Number(new URL(pbx.asterisk.settings["ARI_URL"]!).port))
  return { pbx, line, env: { ...pbx.asterisk.settings, ARI_URL: `http://127.0.0.1:${line.port}/ari` } }
})

/** Waits for the gateway: at the first start of an engine, calls are refused until it has connected. */
const gatewayConnected = ({ base_url, demo }: Program) =>
  until(
    "connected gateway",
    Effect.promise(async () => {
      const headers = { cookie: `session=${demo().operator_session}` }
      const answer = await fetch(`${base_url}/v1/admin/gateways`, { headers })
      return answer.ok ? ((await answer.json()) as ReadonlyArray<GatewayRecord>) : []
    }),
    (gateways) => gateways.some(({ gateway_id, state }) => gateway_id === "default" && state === "connected")
  )

interface WorldOptions extends PbxOptions {
  /** What the demo wallet is filled with, if given. */
  readonly money_minor?: number
  /** Further settings of the engine. */
  readonly env?: Readonly<Record<string, string>>
}

/** A world in which `who` makes the connection. */
export const connectedBy = (
  who: "asterisk" | "engine",
  { env: settings = {}, money_minor, ...options }: WorldOptions = {}
) =>
  Layer.effect(
    PbxWorld,
    Effect.gen(function* () {
      const { env, line, pbx } = yield* makeLine(who, options)
      const program = yield* makeProgram({ env: { ...env, ...settings } })
      const customer = yield* makeCustomer
      if (money_minor !== undefined) yield* Effect.orDie(Effect.andThen(migrate(), fillWallet("demo", money_minor)))
      yield* program.start
      yield* gatewayConnected(program)
      yield* customer.subscribe(program)
      const look = (id: string) =>
        Effect.map(Effect.orDie(program.ask(`/v1/calls/${id}`)), ({ json }) => json<CallRecord>())
      return {
        ...pbx,
        customer,
        line,
        program,
        look,
        place: (digits, voice_callback_url, more = {}) =>
          Effect.gen(function* () {
            const body = { to: numberOf(digits), from: program.demo().number.number, voice_callback_url, ...more }
            const { json, status, text } = yield* Effect.orDie(program.ask("/v1/calls/originate", { body }))
            assert.strictEqual(status, 201, text)
            return json<CallRecord>().id
          }),
        callUntil: (id, wanted) =>
          Effect.tapCause(until("call in the wanted state", look(id), wanted), () => Effect.logError(program.output()))
      }
    })
  ).pipe(Layer.provideMerge(TestDatabase.layer))

export const layer = connectedBy("engine")
