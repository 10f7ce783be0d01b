// The promises about requests, answers, errors and repeated requests.
import { randomUUID } from "node:crypto"
import {
  type Area,
  expected,
  isText,
  type Kept,
  nobody,
  notError,
  notStatus,
  promise,
  refused,
  refusedFor
} from "../Kept.ts"
import { callTo, goodbye, originate, phones, someone, withReference } from "../PlacedCalls.ts"
import type { Answer, Json, World } from "../World.ts"

const origin = "/v1/calls/originate"

const notFound = (world: World) => world.shared("an error", () => world.ask("GET", `/v1/calls/${nobody}`))

const envelope: ReadonlyArray<Kept> = [
  promise("An error has a code.", async (world) => {
    const { body } = await notFound(world)
    return expected(body?.error?.code === "calls.not_found", `it is ${body?.error?.code}`)
  }),
  promise("An error has a message for people.", async (world) =>
    expected(isText((await notFound(world)).body?.error?.message), "it has none")
  ),
  promise("An error has the id of its request.", async (world) => {
    const { body, headers } = await notFound(world)
    return expected(
      isText(body?.error?.request_id) && body.error.request_id === headers.get("x-request-id"),
      "it has another"
    )
  }),
  promise("An error is JSON.", async (world) => {
    const type = (await notFound(world)).headers.get("content-type")
    return expected(type?.startsWith("application/json") === true, `it is ${type}`)
  }),
  promise("An error body has no member beside `error`.", async (world) => {
    const names = Object.keys((await notFound(world)).body ?? {})
    return expected(names.join() === "error", names.join(", "))
  }),
  promise("An error leads to its description.", async (world) => {
    const { doc_url } = (await notFound(world)).body?.error ?? {}
    return expected(String(doc_url).endsWith("#calls.not_found"), `it leads to ${doc_url}`)
  }),
  refusedFor(
    "The details of a refused body point at what is wrong.",
    ["POST", origin],
    [400, "validation.bad_request"],
    ({ details }) =>
      Array.isArray(details) &&
      details.every((each: Json) => String(each.field).startsWith("/") && isText(each.message)),
    { body: { to: 7 } }
  )
]

const http: ReadonlyArray<Kept> = [
  refused("An unknown path is not found.", ["GET", "/v1/nothing/here"], [404, "not_found"]),
  refused("A method that a path lacks is refused.", ["DELETE", "/v1/wallet/balance"], [405, "method_not_allowed"]),
  promise("A refused method is told which ones there are.", async ({ ask }) => {
    const allow = (await ask("DELETE", "/v1/wallet/balance")).headers.get("allow")
    return expected(allow?.includes("GET") === true, `Allow is ${allow}`)
  }),
  refused("A body that is no JSON is refused.", ["POST", origin], [400, "validation.bad_request"], { raw: "{" }),
  refused("A body that is no object is refused.", ["POST", origin], [400, "validation.bad_request"], { raw: "[]" }),
  refused("A body of another media type is refused.", ["POST", origin], [415, "validation.unsupported_media_type"], {
    raw: "to=1",
    headers: { "content-type": "text/plain" }
  }),
  refused("A body that is too large is refused.", ["POST", origin], [413, "validation.payload_too_large"], {
    raw: JSON.stringify({ metadata: "x".repeat(300_000) })
  }),
  promise("Every answer has an id of its request.", async ({ ask }) => {
    const ids = [await ask("GET", "/v1/wallet/balance"), await ask("GET", "/v1/wallet/balance")].map(({ headers }) =>
      headers.get("x-request-id")
    )
    return expected(ids.every(isText) && ids[0] !== ids[1], ids.join(", "))
  }),
  promise("A client may choose the id of its request.", async ({ ask, random }) => {
    const id = `${nobody.slice(0, -8)}${String(Math.floor(random() * 90_000_000) + 10_000_000)}`
    const { headers } = await ask("GET", "/v1/wallet/balance", { headers: { "x-request-id": id } })
    return expected(headers.get("x-request-id") === id, `it is ${headers.get("x-request-id")}`)
  }),
  promise("An answer is JSON.", async ({ ask }) => {
    const type = (await ask("GET", "/v1/wallet/balance")).headers.get("content-type")
    return expected(type?.startsWith("application/json") === true, `it is ${type}`)
  }),
  promise("The interface describes itself.", async ({ ask }) => {
    const answer = await ask("GET", "/openapi.json", { key: null })
    return (
      notStatus(answer, 200) ?? expected(String(answer.body?.openapi).startsWith("3."), "it is no OpenAPI document")
    )
  }),
  promise("All paths begin with /v1, but those of the deployment itself.", async ({ ask }) => {
    const { body } = await ask("GET", "/openapi.json", { key: null })
    const paths = Object.keys(body?.paths ?? {})
    const other = paths.filter((path) => !/^\/(v1\/|healthz|readyz|metrics|openapi\.json|asyncapi\.json)/.test(path))
    return expected(paths.length > 50 && other.length === 0, other.join(", ") || "there are no paths")
  }),
  promise("The deployment says that it is alive.", async ({ ask }) =>
    notStatus(await ask("GET", "/healthz", { key: null }), 200)
  ),
  promise("The deployment says that it is ready.", async ({ ask }) =>
    notStatus(await ask("GET", "/readyz", { key: null }), 200)
  )
]

const repeatedCall = (world: World) =>
  world.shared("a repeated request", async () => {
    const headers = { "idempotency-key": randomUUID() }
    const body = callTo(world, someone(world))
    const first = await originate(world, body, headers)
    const again = await world.ask("POST", origin, { body, headers })
    const other = await world.ask("POST", origin, { body: { ...body, ...withReference("other") }, headers })
    const new_ = await originate(world, body, { "idempotency-key": randomUUID() })
    return { first, again, other, new: new_ }
  })

const repeated = (world: World, name: string, answers: { readonly first: Answer; readonly again: Answer }) =>
  notStatus(answers.first, 200, 201) ??
  expected(answers.first.text === answers.again.text, `${world.baseUrl}: the second ${name} differs`)

const repeats: ReadonlyArray<Kept> = [
  promise("The same request with the same Idempotency-Key places one call.", async (world) => {
    const { again, first } = await repeatedCall(world)
    return (
      notStatus(first, 201) ??
      expected(first.body.id === again.body?.id, `${first.body.id}, then ${again.body?.id ?? again.status}`)
    )
  }),
  promise("A repeated request has the first answer's status.", async (world) => {
    const { again, first } = await repeatedCall(world)
    return notStatus(first, 201) ?? notStatus(again, first.status)
  }),
  promise("Another request with the same Idempotency-Key is a conflict.", async (world) =>
    notError((await repeatedCall(world)).other, 409, "idempotency.conflict")
  ),
  promise("The same request with another Idempotency-Key places another call.", async (world) => {
    const answers = await repeatedCall(world)
    return (
      notStatus(answers.new, 201) ?? expected(answers.new.body.id !== answers.first.body?.id, "it is the same call")
    )
  }),
  refused(
    "An Idempotency-Key that is too long is refused.",
    ["POST", origin],
    [400, "idempotency.key_invalid"],
    (world) => ({ body: callTo(world, phones.busy), headers: { "idempotency-key": "x".repeat(300) } })
  ),
  promise("A webhook subscription is made once for an Idempotency-Key.", async (world) => {
    const asked = {
      body: { url: "https://example.com/once", events: ["call.*"] },
      headers: { "idempotency-key": randomUUID() }
    }
    const first = await world.ask("POST", "/v1/webhooks", asked)
    const again = await world.ask("POST", "/v1/webhooks", asked)
    for (const id of new Set([first.body?.id, again.body?.id])) await world.ask("DELETE", `/v1/webhooks/${id}`)
    return repeated(world, "subscription", { first, again })
  }),
  promise("A refusal may be repeated under its Idempotency-Key.", async (world) => {
    const asked = {
      body: { from: world.from, to: "+2547", actions: goodbye },
      headers: { "idempotency-key": randomUUID() }
    }
    const first = await world.ask("POST", origin, asked)
    const again = await world.ask("POST", origin, asked)
    return notError(first, 422, "calls.invalid_destination") ?? notError(again, 422, "calls.invalid_destination")
  })
]

export const errors: Area = { name: "errors", promises: envelope }
export const requests: Area = { name: "http", promises: http }
export const idempotency: Area = { name: "repeats", promises: repeats }
