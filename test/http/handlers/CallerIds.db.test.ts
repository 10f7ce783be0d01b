// Codes that calls speak, and an attacker's afternoon: nothing is shown, and nothing is taken.
import { PgClient } from "@effect/sql-pg"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { VerifiedCallerIds } from "../../../src/actors/callerids/VerifiedCallerIds.ts"
import { ActorSystem } from "../../../src/actors/runtime/ActorSystem.ts"
import { Workspaces } from "../../../src/actors/workspace/Workspaces.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import type { CallerIdRecord } from "../../../src/domain/callerids/CallerIdRecord.ts"
import { WorkspaceCommands } from "../../../src/domain/workspace/WorkspaceCommand.ts"
import { DemoFile, layerWith } from "../../support/Engine.ts"
import { ask } from "../../support/HttpTester.ts"
import { connected, newWorkspace } from "../../support/OwnTrunk.ts"
import { until } from "../../support/Until.ts"

/** The number of the first demo workspace, which plays the operator's. */
const platform_number = "+254207900001"

let subscriber = 254_711_500_000
const newNumber = (): string => `+${subscriber++}`

const request = (key: string, number: string) => ask({ path: "/v1/caller-ids", key, body: { number } })
const verify = (key: string, id: string, code: string) =>
  ask({ path: `/v1/caller-ids/${id}/verify`, key, body: { code } })
const record = (answer: { readonly body: unknown }) => answer.body as CallerIdRecord

/** What the last call to the number says, as only the operator's workspace can read it. */
const heardAt = (number: string) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const { workspace_id } = yield* DemoFile
    const [call] = yield* sql<{ readonly said: string; readonly workspace_id: string }>`
      SELECT state::text AS said, workspace_id FROM calls WHERE to_e164 = ${number} ORDER BY created_at DESC, id DESC LIMIT 1`
    assert.strictEqual(call?.workspace_id, workspace_id)
    return call?.said ?? ""
  })

/** The code that the next call to the number speaks. */
const codeAt = (number: string, calls = 1) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    yield* until(
      "call with a code",
      Effect.map(sql`SELECT id FROM calls WHERE to_e164 = ${number}`, ({ length }) => length),
      (length) => length === calls
    )
    const spelled = /Your code is: ((?:\d, ){5}\d)/.exec(yield* heardAt(number))?.[1] ?? ""
    return spelled.replaceAll(", ", "")
  })

const other = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, "0")

/** Whether a call of the workspace's own number may show the number. */
const mayShow = (workspace_id: Effect.Success<typeof newWorkspace>["id"], number: string) =>
  Effect.flatMap(VerifiedCallerIds, (callerIds) => callerIds.hasProved(workspace_id, number))

layer(layerWith({ CODE_CALLS_FROM: platform_number, RATE_LIMITS: "on" }), {
  excludeTestServices: true,
  timeout: "120 seconds"
})("caller ids", (it) => {
  describe("a number", () => {
    it.effect("is proved by the code that a call of the platform speaks, and is listed until it is withdrawn", () =>
      Effect.gen(function* () {
        const { id: workspace_id, key } = yield* newWorkspace
        const number = newNumber()
        const requested = yield* request(key, number)
        assert.strictEqual(requested.status, 202, requested.text)
        const { id, status } = record(requested)
        assert.strictEqual(status, "calling")
        assert.strictEqual(requested.headers.get("location"), `/v1/caller-ids/${id}`)
        assert.isFalse(yield* mayShow(workspace_id, number))
        const code = yield* codeAt(number)
        assert.match(code, /^\d{6}$/)
        const verified = yield* verify(key, id, code)
        assert.deepInclude(verified.body, { id, number, status: "verified", verified_by: "call", guesses_left: null })
        assert.isTrue(yield* mayShow(workspace_id, number))
        assert.deepStrictEqual((yield* ask({ path: "/v1/caller-ids", key })).body, [verified.body])
        const path = `/v1/caller-ids/${id}`
        assert.deepStrictEqual((yield* ask({ path, key })).body, verified.body)
        assert.strictEqual((yield* ask({ path, key, method: "DELETE" })).status, 204)
        assert.isFalse(yield* mayShow(workspace_id, number))
        assert.strictEqual((yield* ask({ path, key })).code, "caller_ids.not_found")
        const calls = yield* ask({ path: "/v1/calls", key })
        assert.deepStrictEqual(calls.body, [], "the call is none of the workspace's")
      })
    )

    it.effect("that is requested again under the same Idempotency-Key is called once", () =>
      Effect.gen(function* () {
        const { key } = yield* newWorkspace
        const number = newNumber()
        const headers = { "idempotency-key": number }
        const requests = yield* Effect.forEach(Array.from({ length: 6 }), () =>
          ask({ path: "/v1/caller-ids", key, body: { number }, headers })
        )
        const [first] = requests
        assert.strictEqual(first?.status, 202)
        for (const { status, text } of requests) assert.deepStrictEqual([status, text], [202, first?.text])
        yield* codeAt(number)
      })
    )

    it.effect("of the policy's list is refused unless it is proved", () =>
      Effect.gen(function* () {
        const { id: workspace_id } = yield* newWorkspace
        const { changePolicy } = yield* Workspaces
        const callerIds = yield* VerifiedCallerIds
        const number = newNumber()
        const change = changePolicy(workspace_id, { allowed_caller_ids: [number] }, systemOrigin)
        const refused = yield* Effect.flip(change)
        assert.strictEqual(refused._tag, "validation.bad_request")
        assert.deepInclude("details" in refused ? refused.details?.[0] : undefined, {
          field: "/allowed_caller_ids/0",
          code: "not_proved"
        })
        yield* callerIds.approve(workspace_id, number, systemOrigin)
        assert.deepStrictEqual((yield* change).allowed_caller_ids, [number])
        yield* callerIds.revoke(workspace_id, number, systemOrigin)
        assert.deepStrictEqual((yield* change).allowed_caller_ids, [number], "what is listed already stays")
      })
    )

    it.effect("of the policy's list that is older than the proofs is named by the policy until it is proved", () =>
      Effect.gen(function* () {
        const { id: workspace_id, key } = yield* newWorkspace
        const path = "/v1/workspace/calling-policy"
        const policy = Effect.map(
          ask({ path, key }),
          ({ body }) => body as { readonly unproved_caller_ids?: object; readonly allowed_caller_ids: object }
        )
        assert.notProperty(yield* policy, "unproved_caller_ids")
        const [proved, unproved] = [newNumber(), newNumber()]
        const listed = [proved, unproved, "+254207900002"]
        const callerIds = yield* VerifiedCallerIds
        yield* callerIds.approve(workspace_id, proved, systemOrigin)
        const system = yield* ActorSystem
        yield* system.ask(WorkspaceCommands.ChangePolicy, workspace_id, {
          policy: { allowed_caller_ids: listed },
          origin: systemOrigin
        })
        const told = yield* until(
          "policy with its entries",
          policy,
          ({ unproved_caller_ids }) => unproved_caller_ids !== undefined
        )
        assert.deepStrictEqual(told.unproved_caller_ids, [
          { number: unproved, shown_until: "2027-03-01T00:00:00.000Z" },
          { number: "+254207900002", shown_until: null }
        ])
        assert.deepStrictEqual(told.allowed_caller_ids, listed)
        yield* callerIds.approve(workspace_id, unproved, systemOrigin)
        const { changePolicy } = yield* Workspaces
        const changed = yield* changePolicy(workspace_id, { allowed_caller_ids: [unproved] }, systemOrigin)
        assert.notProperty(changed, "unproved_caller_ids")
      })
    )

    it.effect("is approved and forbidden by operators, who see those of any workspace", () =>
      Effect.gen(function* () {
        const { id: workspace_id, key } = yield* newWorkspace
        const { operator_session, owner_session } = yield* DemoFile
        const number = newNumber()
        const path = `/v1/admin/workspaces/${workspace_id}/caller-ids`
        const operator = { cookie: `session=${operator_session}` }
        const act = (act: string) =>
          ask({ path: `${path}/${encodeURIComponent(number)}/${act}`, method: "POST", headers: operator })
        const list = Effect.map(ask({ path, headers: operator }), ({ body }) => body)
        assert.deepStrictEqual(yield* list, [])
        const approved = yield* act("approve")
        assert.deepInclude(approved.body, { number, status: "verified", verified_by: "operator" })
        assert.deepStrictEqual(yield* list, [approved.body])
        const revoked = yield* act("revoke")
        assert.deepInclude(revoked.body, { number, status: "revoked", expires_at: null })
        assert.deepStrictEqual(yield* list, [revoked.body])
        assert.strictEqual((yield* request(key, number)).code, "caller_ids.revoked")
        assert.deepStrictEqual((yield* act("revoke")).body, revoked.body, "forbidding it again changes nothing")
        const sql = yield* PgClient.PgClient
        assert.deepStrictEqual(
          yield* sql`SELECT kind, sequence::int, payload::jsonb->>'status' AS status FROM events
            WHERE subject_id = ${record(approved).id} ORDER BY sequence`,
          [
            { kind: "caller_id.verified", sequence: 1, status: "verified" },
            { kind: "caller_id.revoked", sequence: 2, status: "revoked" }
          ]
        )
        const owner = yield* ask({ path, headers: { cookie: `session=${owner_session}` } })
        assert.strictEqual(owner.code, "auth.admin_required")
        const nowhere = "/v1/admin/workspaces/0199a000-0000-7000-8000-00000000dead/caller-ids"
        assert.strictEqual((yield* ask({ path: nowhere, headers: operator })).code, "not_found")
      })
    )

    it.effect("of one's own is registered once it is proved", () =>
      Effect.gen(function* () {
        const { id: workspace_id, key } = yield* connected
        const number = newNumber()
        const bring = ask({ path: "/v1/numbers/byo", key, body: { number } })
        assert.strictEqual((yield* bring).code, "numbers.proof_required")
        const callerIds = yield* VerifiedCallerIds
        const neighbour = yield* newWorkspace
        const isShowable = Effect.map(
          ask({ path: `/v1/lookup/${encodeURIComponent(number)}`, key: neighbour.key }),
          ({ body }) => (body as { readonly showable: boolean }).showable
        )
        for (const id of [workspace_id, neighbour.id]) yield* callerIds.approve(id, number, systemOrigin)
        assert.isTrue(yield* isShowable)
        assert.strictEqual((yield* bring).status, 201)
        assert.isFalse(yield* isShowable, "it is the other workspace's number now")
        const again = yield* request(key, number)
        assert.deepStrictEqual([again.status, again.code], [400, "validation.bad_request"])
        assert.include(again.text, `"own_number"`)
      })
    )
  })

  describe("a lookup", () => {
    const lookUp = (key: string, number: string) => ask({ path: `/v1/lookup/${encodeURIComponent(number)}`, key })

    it.effect("says what the plans, the rates and the policy say, and whether the number can be shown", () =>
      Effect.gen(function* () {
        const { id: workspace_id, key } = yield* newWorkspace
        const number = newNumber()
        const plain = {
          number,
          country: "KE",
          kind: "mobile",
          valid: true,
          national_format: `0${number.slice(4, 7)} ${number.slice(7)}`,
          international_format: `+254 ${number.slice(4, 7)} ${number.slice(7)}`,
          rated: true,
          rate_per_min_minor: 300,
          matched_prefix: "254",
          currency: "KES",
          callable: true,
          showable: false,
          carrier: null
        }
        assert.deepStrictEqual((yield* lookUp(key, number)).body, plain)
        yield* (yield* VerifiedCallerIds).approve(workspace_id, number, systemOrigin)
        assert.deepStrictEqual((yield* lookUp(key, number)).body, { ...plain, showable: true })
        const abroad = (yield* lookUp(key, "+12025550123")).body
        assert.deepInclude(abroad, { country: "US", rated: false, callable: false, reason: "rate_not_configured" })
        const { api_key, number: own } = yield* DemoFile
        assert.deepInclude((yield* lookUp(api_key, own.number)).body, { showable: true })
        assert.deepInclude((yield* lookUp(key, own.number)).body, { showable: false })
      })
    )

    it.effect.each<readonly [string, string]>([
      ["0711000001", "missing_country_code"],
      ["+25471", "too_short"],
      ["+254 711 000 001", "invalid_characters"],
      [`+${"1".repeat(64)}`, "too_long"],
      ["+99900000011", "unknown_country_code"]
    ])("refuses %s: %s", ([number, reason]) =>
      Effect.gen(function* () {
        const { key } = yield* newWorkspace
        const answer = yield* lookUp(key, number)
        assert.deepStrictEqual([answer.status, answer.code], [422, "calls.invalid_destination"], answer.text)
        assert.include(answer.text, `"${reason}"`)
      })
    )
  })

  describe("an attacker", () => {
    it.effect("guesses a thousand codes in vain", () =>
      Effect.gen(function* () {
        const { id: workspace_id, key } = yield* newWorkspace
        const number = newNumber()
        let right = ""
        const codes = new Set<string>()
        for (let round = 0; round < 3; round++) {
          const { id } = record(yield* request(key, number))
          right = yield* codeAt(number, round + 1)
          for (let guess = 0; guess < 333; guess++) {
            const answer = yield* verify(
              key,
              id,
              String(guess * 3_000 + (guess * 3_000 === Number(right) ? 1 : 0)).padStart(6, "0")
            )
            codes.add(answer.code ?? "verified")
          }
          assert.strictEqual((yield* verify(key, id, right)).code, "caller_ids.code_expired")
        }
        assert.deepStrictEqual([...codes].toSorted(), ["caller_ids.code_expired", "caller_ids.code_wrong"])
        const fourth = yield* request(key, number)
        assert.deepStrictEqual([fourth.status, fourth.code], [429, "caller_ids.too_many_calls"])
        assert.isNotNull(fourth.headers.get("retry-after"))
        assert.isFalse(yield* mayShow(workspace_id, number))
      })
    )

    it.effect("gets nothing for the code of another number, of another workspace, or of an earlier call", () =>
      Effect.gen(function* () {
        const { id: workspace_id, key } = yield* newWorkspace
        const { id: victim_id, key: victim } = yield* newWorkspace
        const [own, wanted] = [newNumber(), newNumber()]
        yield* request(key, own)
        const own_code = yield* codeAt(own)
        const { id } = record(yield* request(key, wanted))
        const first = yield* codeAt(wanted)
        const theirs = record(yield* request(victim, wanted))
        const their_code = yield* codeAt(wanted, 2)
        assert.strictEqual((yield* verify(key, theirs.id, their_code)).code, "caller_ids.not_found")
        for (const code of [own_code, their_code])
          assert.strictEqual((yield* verify(key, id, code)).code, "caller_ids.code_wrong")
        record(yield* request(key, wanted))
        yield* codeAt(wanted, 3)
        assert.strictEqual((yield* verify(key, id, first)).code, "caller_ids.code_wrong")
        assert.isFalse(yield* mayShow(workspace_id, wanted))
        assert.deepInclude((yield* verify(victim, theirs.id, their_code)).body, { status: "verified" })
        assert.isTrue(yield* mayShow(victim_id, wanted))
        assert.isFalse(yield* mayShow(workspace_id, wanted))
      })
    )

    it.effect("that races with many guesses at once has five of them", () =>
      Effect.gen(function* () {
        const { key } = yield* newWorkspace
        const number = newNumber()
        const { id } = record(yield* request(key, number))
        const code = yield* codeAt(number)
        const answers = yield* Effect.all(
          Array.from({ length: 40 }, () => verify(key, id, other(code))),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(answers.filter((answer) => answer.code === "caller_ids.code_wrong").length, 5)
        assert.strictEqual((yield* verify(key, id, code)).code, "caller_ids.code_expired")
      })
    )

    it.effect("cannot have a telephone rung by many workspaces", () =>
      Effect.gen(function* () {
        const number = newNumber()
        const codes: Array<string | undefined> = []
        for (let workspaces = 0; workspaces < 7; workspaces++) {
          const { key } = yield* newWorkspace
          codes.push((yield* request(key, number)).code)
        }
        assert.deepStrictEqual(codes, [...Array<undefined>(5).fill(undefined), "rate_limited", "rate_limited"])
      })
    )

    it.effect.each<readonly [string, string, number, string]>([
      ["a neighbour's number", "+254207900002", 409, "caller_ids.number_of_platform"],
      ["the platform's number", platform_number, 409, "caller_ids.number_of_platform"],
      ["a number for sale", "+254207900100", 409, "caller_ids.number_of_platform"],
      ["an emergency number", "112", 400, "validation.bad_request"],
      ["a number of the test network", "+99900000011", 400, "validation.bad_request"],
      ["a country that the operator does not call", "+12025550123", 422, "calls.destination_refused"],
      ["a SIP address", "sip:a@example.com", 400, "validation.bad_request"],
      ["a header", "+254711000001\\r\\nX: y", 400, "validation.bad_request"]
    ])("cannot have a code for %s", ([, number, status, code]) =>
      Effect.gen(function* () {
        const { key } = yield* newWorkspace
        const answer = yield* request(key, number)
        assert.deepStrictEqual([answer.status, answer.code], [status, code], answer.text)
        assert.deepStrictEqual((yield* ask({ path: "/v1/caller-ids", key })).body, [])
      })
    )
  })
})

layer(layerWith({}), { excludeTestServices: true, timeout: "60 seconds" })("in development", (it) => {
  it.effect("no call is placed, and the code is known", () =>
    Effect.gen(function* () {
      const { key } = yield* newWorkspace
      const { id } = record(yield* request(key, newNumber()))
      assert.strictEqual((yield* verify(key, id, "000000")).code, "caller_ids.code_wrong")
      assert.deepInclude((yield* verify(key, id, "123456")).body, { status: "verified" })
      for (const code of ["12345", "1234567", "12345a", "１２３４５６"]) {
        assert.strictEqual((yield* verify(key, id, code)).code, "validation.bad_request")
      }
    })
  )
})
