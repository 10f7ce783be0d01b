// The documented example of each request, sent to a whole engine, is answered with success.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { HttpServer } from "effect/http"
import { apiDocuments } from "../../../src/app/ApiDocuments.ts"
import { testCode } from "../../../src/domain/callerids/SpokenCode.ts"
import { type Json, type JsonObject, objectAt } from "../../../src/http/openapi/Json.ts"
import { sample } from "../../../src/http/openapi/members/Members.ts"
import { DemoFile, layerWith } from "../../support/Engine.ts"
import { ask } from "../../support/HttpTester.ts"
import { mailTo, tokenOf } from "../../support/Mails.ts"
import { makeModes, type Mode, post, sent } from "../../support/modes/Modes.ts"
import { modeRoutes } from "../../support/modes/ModeRoutes.ts"
import { as, askForLink, founder, invite, joined, signedIn } from "../../support/People.ts"
import { proveNumber } from "../../support/ProveNumber.ts"

const suite = layer(layerWith({ RATE_LIMITS: "off" }), { excludeTestServices: true, timeout: 60_000 })

const documented = objectAt(apiDocuments.openapi() as JsonObject, "paths")

const examples: ReadonlyMap<string, Json> = new Map(
  Object.entries(documented).flatMap(([path, methods]) =>
    Object.entries(methods as JsonObject).flatMap(([method, operation]): ReadonlyArray<readonly [string, Json]> => {
      const example = objectAt(objectAt(objectAt(operation, "requestBody"), "content"), "application/json")["example"]
      return example === undefined ? [] : [[`${method.toUpperCase()} ${path}`, example]]
    })
  )
)

type Ids = Readonly<Record<string, string>>

/** The example with the ids and numbers of a real workspace in place of the invented ones. */
const filled = (example: Json, ids: Ids): object =>
  JSON.parse(
    Object.entries(ids).reduce(
      (text, [invented, real]) => text.replaceAll(`"${invented}"`, `"${real}"`),
      JSON.stringify(example)
    )
  ) as object

/** What a request needs to be sent: its path, who asks, and the ids that replace the invented ones. */
interface Asked {
  readonly path: string
  readonly key?: string
  readonly cookie?: string
  readonly ids?: Ids
}

const answerTo = (route: string, { cookie, ids = {}, key, path }: Asked) => {
  const [method = ""] = route.split(" ")
  const body = filled(examples.get(route) ?? null, ids)
  const question = { path, method, body, ...(key !== undefined && { key }) }
  return Effect.map(cookie === undefined ? ask(question) : as(cookie, question), ({ status, text }) =>
    status < 300 ? [] : [`${route}: ${status} ${text}\n${JSON.stringify(body)}`]
  )
}

type Preparation<A> = Effect.Effect<A, never, HttpServer.HttpServer>

/** Values of examples that only a row of this engine has, and the state that a request needs beside `modeRoutes`. */
const more: Readonly<Record<string, (mode: Mode) => Preparation<Ids>>> = {
  "POST /v1/sandbox/payins": ({ rows }) => Effect.succeed({ TL4K7Q: rows["account_ref"] ?? "" }),
  "POST /v1/numbers/:id/routing/rotate-secret": ({ key, rows }) =>
    Effect.as(sent(key, "PATCH", `/v1/numbers/${rows["numbers"]}/routing`, { events_url: "http://127.0.0.1:9/e" }), {}),
  "POST /v1/caller-ids/:id/verify": ({ key, rows, strangers: [number] }) =>
    Effect.map(post(key, "/v1/caller-ids", { number }), ({ id }) => {
      rows["caller_id"] = String(id)
      return { "482913": testCode }
    }),
  // The extension of the credential that the number has.
  "POST /v1/webrtc/token": () => Effect.succeed({ "1010": "1001" }),
  "POST /v1/numbers/byo": ({ strangers }) => Effect.succeed({ [sample.from]: strangers[1] })
}

/** Routes of people, which need a session and rows of their own. */
const ofPeople = Effect.gen(function* () {
  const owner = yield* founder("examples@example.com")
  const member = yield* joined(owner, "examples-member@example.com", "viewer")
  const newcomer = yield* signedIn("examples-newcomer@example.com")
  const link = yield* Effect.andThen(
    askForLink("examples-member@example.com"),
    mailTo("examples-member@example.com", 3)
  )
  yield* invite(owner.cookie, "examples-newcomer@example.com", "viewer")
  const invitation = yield* mailTo("examples-newcomer@example.com", 2)
  const token = "c2VjcmV0LW9mLWV4YW1wbGU"
  const asked: Readonly<Record<string, Asked>> = {
    "PATCH /v1/workspace": { path: "/v1/workspace", cookie: owner.cookie },
    "POST /v1/api-keys": { path: "/v1/api-keys", cookie: owner.cookie },
    "POST /v1/invitations": { path: "/v1/invitations", cookie: owner.cookie },
    "PATCH /v1/members/{user_id}": { path: `/v1/members/${member.user_id}`, cookie: owner.cookie },
    "PATCH /v1/auth/session": {
      path: "/v1/auth/session",
      cookie: owner.cookie,
      ids: { [sample.workspace]: owner.workspace_id }
    },
    "POST /v1/auth/invite/accept": {
      path: "/v1/auth/invite/accept",
      cookie: newcomer,
      ids: { [token]: tokenOf(invitation) }
    },
    "POST /v1/auth/magic-link/verify": { path: "/v1/auth/magic-link/verify", ids: { [token]: tokenOf(link) } },
    "POST /v1/workspace": { path: "/v1/workspace", cookie: yield* signedIn("examples-founder@example.com") },
    "POST /v1/auth/signup": { path: "/v1/auth/signup" },
    "POST /v1/auth/magic-link": { path: "/v1/auth/magic-link" }
  }
  return asked
})

const ofOperators = Effect.gen(function* () {
  const { operator_session } = yield* DemoFile
  const cookie = `session=${operator_session}`
  const { workspace_id } = yield* founder("examples-customer@example.com")
  const at = (path: string, ids: Ids = {}): Asked => ({ path, cookie, ids })
  const made = (path: string, body: object) =>
    Effect.map(as(cookie, { path, body }), (answer) => String((answer.body as { readonly id: string }).id))
  const series = yield* made("/v1/admin/number-series", {
    ...filled(examples.get("POST /v1/admin/number-series") ?? null, { "+25420790": "+25420791" }),
    currency: "KES"
  })
  const provider = yield* made("/v1/admin/providers", {
    ...filled(examples.get("POST /v1/admin/providers") ?? null, { "Carrier A": "Carrier B" })
  })
  const credit = { kind: "manual_credit", amount_minor: 1_000_000, currency: "KES", note: "Storage", reference: "s-1" }
  const credited = yield* as(cookie, { path: `/v1/admin/wallets/${workspace_id}/adjustments`, body: credit })
  assert.isBelow(credited.status, 300, credited.text)
  const asked: Readonly<Record<string, Asked>> = {
    "POST /v1/admin/number-series": at("/v1/admin/number-series"),
    "POST /v1/admin/number-series/{id}/generate": at(`/v1/admin/number-series/${series}/generate`),
    "POST /v1/admin/prices": at("/v1/admin/prices", { [sample.series]: series }),
    "POST /v1/admin/providers": at("/v1/admin/providers"),
    "PATCH /v1/admin/providers/{id}": at(`/v1/admin/providers/${provider}`, { "Carrier A": "Carrier C" }),
    "POST /v1/admin/rates": at("/v1/admin/rates"),
    "POST /v1/admin/storage-prices": at("/v1/admin/storage-prices"),
    "POST /v1/admin/workspaces/{id}/storage": at(`/v1/admin/workspaces/${workspace_id}/storage`),
    "PATCH /v1/admin/workspaces/{id}/policy-ceilings": at(`/v1/admin/workspaces/${workspace_id}/policy-ceilings`),
    "POST /v1/admin/wallets/{workspace_id}/adjustments": at(`/v1/admin/wallets/${workspace_id}/adjustments`),
    "PUT /v1/admin/workspaces/{id}/gateway": at(`/v1/admin/workspaces/${workspace_id}/gateway`, {
      "nairobi-1": "default"
    }),
    "POST /v1/admin/topup-limits": at("/v1/admin/topup-limits"),
    "POST /v1/admin/workspaces/{id}/suspend": at(`/v1/admin/workspaces/${workspace_id}/suspend`)
  }
  return asked
})

/** Each is about a row that takes a scenario to make. Document.test.ts sends them past validation. */
const elsewhere: Readonly<Record<string, string>> = {
  "POST /v1/admin/numbers/{id}/reassign": "a number whose owner has lost it: AdminNumbers.db.test.ts",
  "POST /v1/admin/sip-trunks/{id}/reject": "a trunk of a customer that waits for its operator: SipTrunk.db.test.ts",
  "POST /v1/admin/topups/{id}/reverse": "a payment that the provider took back: TopUps.test.ts",
  "POST /v1/admin/payins/{receipt}/release": "a payment without a known owner: Money.db.test.ts",
  "POST /v1/webhooks/pbx/events": "a signature of the gateway: Document.test.ts decodes it"
}

const templateOf = (route: string): string => route.replaceAll(/:(\w+)/g, "{$1}")

suite("the example of each request", (it) => {
  it.effect(
    "of customers succeeds",
    () =>
      Effect.gen(function* () {
        const { live, test } = yield* makeModes
        const faults: Array<string> = []
        for (const [route, { apart, by, id, prepare }] of Object.entries(modeRoutes)) {
          if (apart === "shared" || !examples.has(templateOf(route))) continue
          const mode = apart === "test" ? test : live
          yield* prepare?.(mode) ?? Effect.void
          if (by === "trunk") yield* Effect.ignore(proveNumber(mode.trunk_key, sample.from))
          const { key, rows, trunk_key } = mode
          const ids = {
            [sample.number]: rows["numbers"] ?? "",
            [sample.call]: rows["call_id"] ?? "",
            ...(yield* more[route]?.(mode) ?? Effect.succeed({})),
            [sample.from]: by === "trunk" ? mode.strangers[1] : (rows["number"] ?? "")
          }
          const [, template = ""] = route.split(" ")
          const path = template
            .replaceAll(/:(call_id|credential_id|delivery_id)/g, (_, name: string) => rows[name] ?? "")
            .replace(":id", () => rows[id ?? template.split("/")[2] ?? ""] ?? "")
          const asker = by === "owner" ? { cookie: mode.cookie } : { key: by === "trunk" ? trunk_key : key }
          faults.push(...(yield* answerTo(templateOf(route), { path, ids, ...asker })))
        }
        assert.strictEqual(faults.join("\n"), "")
      }),
    240_000
  )

  it.effect(
    "of people and operators succeeds",
    () =>
      Effect.gen(function* () {
        const asked = { ...(yield* ofPeople), ...(yield* ofOperators) }
        const faults = yield* Effect.forEach(Object.entries(asked), ([route, each]) => answerTo(route, each))
        assert.strictEqual(faults.flat().join("\n"), "")
        const sentHere = new Set([...Object.keys(asked), ...Object.keys(modeRoutes).map(templateOf)])
        assert.deepStrictEqual(
          [...examples.keys()].filter((route) => !sentHere.has(route) && !(route in elsewhere)),
          []
        )
      }),
    120_000
  )
})
