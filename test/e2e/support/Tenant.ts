// A workspace that uses its own numbers. It is created over HTTP, and operators set its money and rates.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Scope } from "../../../src/domain/access/Scope.ts"
import { testCode } from "../../../src/domain/callerids/SpokenCode.ts"
import type { CallRecord } from "../../../src/domain/calls/state/CallRecord.ts"
import type { TrunkRecord } from "../../../src/domain/trunks/TrunkRecord.ts"
import type { Program } from "../../support/Program.ts"
import { until } from "../../support/Until.ts"
import { isOver } from "./PbxWorld.ts"

const post = (program: Program, session: string, path: string, body: object) =>
  Effect.promise(async () => {
    const response = await fetch(program.base_url + path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", cookie: `session=${session}`, origin: program.base_url }
    })
    const text = await response.text()
    assert.isBelow(response.status, 300, `${path}: ${text}`)
    const renewed = response.headers
      .getSetCookie()
      .map((line) => /^session=([^;]*)/.exec(line)?.[1])
      .find((value) => value !== undefined)
    return { json: JSON.parse(text) as Record<string, string>, session: renewed ?? session }
  })

/** Calls from a workspace's own numbers to Kenya cost 100 a minute, inbound calls cost 50. */
export const byoRates = (program: Program) =>
  post(program, program.demo().operator_session, "/v1/admin/rates", {
    rates: [
      ["outbound", 100],
      ["inbound", 50]
    ].map(([direction, per_min_minor]) => ({ currency: "KES", direction, prefix: "254", class: "byo", per_min_minor }))
  })

/** A minute to the numbers that begin with this prefix (digits) is of the platform's class `premium`. */
export const premiumRate = (program: Program, prefix: string) =>
  post(program, program.demo().operator_session, "/v1/admin/rates", {
    rates: [{ currency: "KES", direction: "outbound", prefix, class: "premium", per_min_minor: 9_000 }]
  })

/** Creates a workspace. Its creator gets a session of the new workspace. */
export const makeTenant = Effect.fnUntraced(function* (
  program: Program,
  name: string,
  owner_session = program.demo().owner_session
) {
  const { operator_session } = program.demo()
  const {
    json: { id },
    session
  } = yield* post(program, owner_session, "/v1/workspace", { name, currency: "KES" })
  const {
    json: { key }
  } = yield* post(program, session, "/v1/api-keys", { label: "e2e", scopes: Scope.literals })
  yield* post(program, operator_session, `/v1/admin/wallets/${id}/adjustments`, {
    kind: "manual_credit",
    amount_minor: 100_000,
    currency: "KES",
    note: "To call with",
    reference: name
  })
  const ask = (path: string, body?: object, method?: string) =>
    Effect.orDie(
      program.ask(path, { key: key!, ...(body !== undefined && { body }), ...(method !== undefined && { method }) })
    )
  const trunk = Effect.map(ask("/v1/sip-trunk"), ({ json }) => json<TrunkRecord>())
  /** Waits for what is wanted. `seconds` bounds the wait. */
  const comes = <A>(what: string, look: Effect.Effect<A>, wanted: (seen: A) => boolean, seconds: number) =>
    Effect.tapCause(until(what, look, wanted, { within_ms: seconds * 1_000 }), () => Effect.logError(program.output()))
  const call = (id: string) => Effect.map(ask(`/v1/calls/${id}`), ({ json }) => json<CallRecord>())
  return {
    session,
    ask,
    /** Waits for the end of the call. */
    ended: (id: string) => comes("end of the call", call(id), isOver, 30),
    trunk,
    trunkUntil: (wanted: (trunk: TrunkRecord) => boolean, seconds = 30) =>
      comes("trunk in the wanted state", trunk, wanted, seconds),
    /** Creates (`POST`) or replaces (`PUT`) the trunk. */
    connects: (definition: object, method: "POST" | "PUT" = "PUT") =>
      Effect.map(ask("/v1/sip-trunk", definition, method), ({ status, text }) =>
        assert.oneOf(status, [200, 201], text)
      ),
    /** Proves a number, and registers it. In development no call is placed, and the code is known. */
    brings: (number: { readonly number: string; readonly routing?: object }) =>
      Effect.gen(function* () {
        const { json, status, text } = yield* ask("/v1/caller-ids", { number: number.number })
        assert.strictEqual(status, 202, text)
        const { id } = json<{ readonly id: string }>()
        const verified = yield* ask(`/v1/caller-ids/${id}/verify`, { code: testCode })
        assert.strictEqual(verified.status, 200, verified.text)
        return yield* ask("/v1/numbers/byo", number)
      }),
    /** Approves or rejects the trunk as an operator. */
    judged: (what: "approve" | "reject", body: object = {}) =>
      Effect.flatMap(trunk, ({ id }) => post(program, operator_session, `/v1/admin/sip-trunks/${id}/${what}`, body)),
    /** Places a call and returns it after its end. */
    calls: (request: object) =>
      Effect.gen(function* () {
        const { json, status, text } = yield* ask("/v1/calls/originate", request)
        assert.strictEqual(status, 201, text)
        return yield* comes("end of the call", call(json<CallRecord>().id), isOver, 45)
      }),
    newest: (direction: string, earlier: number) =>
      Effect.gen(function* () {
        const list = Effect.map(ask(`/v1/calls?direction=${direction}`), ({ json }) =>
          json<ReadonlyArray<CallRecord>>()
        )
        const found = yield* comes("new call", list, ({ length }) => length > earlier, 30)
        return yield* comes("end of the call", call(found[0]!.id), isOver, 30)
      })
  }
})
