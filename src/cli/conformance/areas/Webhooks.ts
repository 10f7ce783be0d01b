// The promises about webhook subscriptions, deliveries and their signatures.
import { createHmac } from "node:crypto"
import { verifyWebhook } from "../../../client/Webhooks.ts"
import {
  type Area,
  expected,
  is,
  isInstant,
  isText,
  isUuid,
  type Kept,
  member,
  nobody,
  notError,
  notStatus,
  promise,
  refused,
  refusedFor
} from "../Kept.ts"
import { callTo, endOf, phones, place, withReference } from "../PlacedCalls.ts"
import { type Json, SetUpFailed, Skipped, type World } from "../World.ts"

const url = "https://example.com/conformance"

/** A subscription that sends nowhere, with what became of it. */
const lifecycle = (world: World) =>
  world.shared("a webhook subscription", async () => {
    const { ask } = world
    const created = await ask("POST", "/v1/webhooks", { body: { url, events: ["call.completed", "wallet.*"] } })
    const id: Json = created.body?.id
    if (typeof id !== "string") throw new SetUpFailed(created.text.slice(0, 200))
    const path = `/v1/webhooks/${id}`
    const read = await ask("GET", path)
    const listed = await ask("GET", "/v1/webhooks")
    const changed = await ask("PATCH", path, { body: { events: ["call.busy"], description: "changed" } })
    const wrong = await ask("PATCH", path, { body: { events: ["call.nothing"] } })
    const paused = await ask("PATCH", path, { body: { status: "paused" } })
    const rotated = await ask("POST", `${path}/rotate-secret`)
    const deliveries = await ask("GET", `${path}/deliveries`)
    const deleted = await ask("DELETE", path)
    const gone = await ask("GET", path)
    return { id, created, read, listed, changed, wrong, paused, rotated, deliveries, deleted, gone }
  })

const created = async (world: World): Promise<Json> => (await lifecycle(world)).created.body

const unsupported = (what: string, events: ReadonlyArray<string>, field: string): Kept =>
  refusedFor(
    `${what} is refused.`,
    ["POST", "/v1/webhooks"],
    [422, "webhooks.event_unsupported"],
    ({ details }) => Array.isArray(details) && details[0]?.field === field,
    { body: { url, events } }
  )

/** Subscribes to selectors, and unsubscribes at once. */
const subscribes = (what: string, events: ReadonlyArray<string>): Kept =>
  promise(`A subscription takes ${what}.`, async ({ ask }) => {
    const answer = await ask("POST", "/v1/webhooks", { body: { url, events } })
    if (typeof answer.body?.id === "string") await ask("DELETE", `/v1/webhooks/${answer.body.id}`)
    return (
      notStatus(answer, 201) ?? expected(JSON.stringify(answer.body.events) === JSON.stringify(events), "it has others")
    )
  })

const unknown = (what: string, method: string, rest: string, body?: object): Kept =>
  refused(
    `${what} of a webhook that does not exist is not found.`,
    [method, `/v1/webhooks/${nobody}${rest}`],
    [404, "webhooks.not_found"],
    {
      body
    }
  )

const subscriptions: ReadonlyArray<Kept> = [
  promise("A subscription is made with 201.", async (world) => notStatus((await lifecycle(world)).created, 201)),
  member("A subscription has a UUID.", created, "id", isUuid),
  member("A subscription keeps its URL.", created, "url", is(url)),
  member(
    "A subscription keeps its selectors.",
    created,
    "events",
    (value) => JSON.stringify(value) === '["call.completed","wallet.*"]'
  ),
  member("A new subscription is active.", created, "status", is("active")),
  member("The secret of a subscription is shown when it is made.", created, "secret", (value) =>
    /^whsec_./.test(String(value))
  ),
  promise("The secret of a subscription is not shown again.", async (world) => {
    const { listed, read } = await lifecycle(world)
    return expected(
      !/whsec_/.test(read.text + listed.text) && !/"secret":/.test(read.text + listed.text),
      "it is shown again"
    )
  }),
  promise("Subscriptions are listed.", async (world) => {
    const { id, listed } = await lifecycle(world)
    return expected(Array.isArray(listed.body) && listed.body.some((each: Json) => each.id === id), "it is not there")
  }),
  promise("A subscription can be read.", async (world) => {
    const { id, read } = await lifecycle(world)
    return notStatus(read, 200) ?? expected(read.body.id === id, `${read.body.id} came`)
  }),
  promise("The selectors of a subscription can be changed.", async (world) => {
    const { changed } = await lifecycle(world)
    return (
      notStatus(changed, 200) ?? expected(JSON.stringify(changed.body.events) === '["call.busy"]', "they are the same")
    )
  }),
  promise("A change leaves what it does not name.", async (world) => {
    const { changed } = await lifecycle(world)
    return expected(changed.body?.url === url && changed.body?.description === "changed", "the URL has changed, too")
  }),
  promise("Selectors cannot be changed to an unknown event.", async (world) =>
    notError((await lifecycle(world)).wrong, 422, "webhooks.event_unsupported")
  ),
  promise("A subscription can be paused.", async (world) => {
    const { paused } = await lifecycle(world)
    return notStatus(paused, 200) ?? expected(paused.body.status === "paused", `it is ${paused.body.status}`)
  }),
  promise("The secret of a subscription can be rotated, and the new one is shown.", async (world) => {
    const { created: made, rotated } = await lifecycle(world)
    return (
      notStatus(rotated, 200) ??
      expected(isText(rotated.body.secret) && rotated.body.secret !== made.body.secret, "it is the same, or absent")
    )
  }),
  promise("The deliveries of a subscription are an array.", async (world) => {
    const { deliveries } = await lifecycle(world)
    return notStatus(deliveries, 200) ?? expected(Array.isArray(deliveries.body), "it is none")
  }),
  promise("A subscription can be deleted.", async (world) => notStatus((await lifecycle(world)).deleted, 200, 204)),
  promise("A deleted subscription is not found.", async (world) =>
    notError((await lifecycle(world)).gone, 404, "webhooks.not_found")
  ),
  subscribes("a literal kind", ["call.completed"]),
  subscribes("a wildcard", ["call.*"]),
  subscribes("a family", ["call_lifecycle"]),
  subscribes("`storage.tier_changed`", ["storage.tier_changed"]),
  unsupported("An unknown kind", ["call.exploded"], "/events/0"),
  unsupported("An unknown wildcard", ["call.busy", "cat.*"], "/events/1"),
  unsupported("A turn of a transcript", ["transcript.turn"], "/events/0"),
  unsupported("A piece of a transcript", ["transcript.delta"], "/events/0"),
  refused("A subscription needs a URL.", ["POST", "/v1/webhooks"], [400, "validation.bad_request"], {
    body: { events: ["call.*"] }
  }),
  refused("A subscription needs selectors.", ["POST", "/v1/webhooks"], [400, "validation.bad_request"], {
    body: { url }
  }),
  unknown("The record", "GET", ""),
  unknown("The end", "DELETE", ""),
  unknown("A change", "PATCH", "", { events: ["call.*"] }),
  unknown("The rotation", "POST", "/rotate-secret"),
  unknown("The deliveries", "GET", "/deliveries")
]

/** A subscription to this machine, with all events of two calls, and one whose receiver fails. */
const delivered = (world: World) =>
  world.shared("webhooks to this machine", async () => {
    const { ask } = world
    const receiver = await world.receiver()
    receiver.answer("/failing", () => ({ status: 500 }))
    const made = await ask("POST", "/v1/webhooks", { body: { url: `${receiver.url}/hooks`, events: ["*"] } })
    if (made.status !== 201) throw new Skipped(`the deployment refuses ${receiver.url}: ${made.body?.error?.code}`)
    const bare = { url: `${receiver.url}/bare`, events: ["call.busy"], signature_format: "body_hex" }
    const failing = await ask("POST", "/v1/webhooks", {
      body: { url: `${receiver.url}/failing`, events: ["call.busy"] }
    })
    const hex = await ask("POST", "/v1/webhooks", { body: bare })
    const test = await ask("POST", `/v1/webhooks/${made.body.id}/test`)
    const { id } = await place(world, { ...callTo(world, phones.busy), ...withReference("conformance-webhooks") })
    await endOf(world, id)
    const at = (path: string) => receiver.received.filter((request) => request.path === path)
    const ofCall = () => at("/hooks").filter(({ body }) => body.includes(id))
    const [ringing, ...others] = await world.wait("the events of a call", async () =>
      ofCall().some(({ body }) => body.includes("busy")) ? ofCall() : undefined
    )
    const end = others.find(({ body }) => body.includes("busy"))
    if (end === undefined) throw new SetUpFailed("the call has one event only")
    const hexEnd = await world.wait("call.busy in the other format", async () => at("/bare")[0])
    const path = `/v1/webhooks/${failing.body.id}/deliveries`
    const waiting = await world.wait("the failed delivery", async () => {
      const { body } = await ask("GET", path)
      return Array.isArray(body) && body[0]?.attempts > 0 ? (body[0] as Json) : undefined
    })
    const retried = await ask("POST", `${path}/${waiting.id}/retry`)
    await world.wait("the next attempt", async () => (at("/failing").length > 1 ? true : undefined))
    const attempts = at("/failing")
    const done = await world.wait("the delivery", async () => {
      const { body } = await ask("GET", `/v1/webhooks/${made.body.id}/deliveries?limit=50`)
      const found: Json = Array.isArray(body)
        ? body.find((each: Json) => each.event_kind !== "call.ringing")
        : undefined
      return found?.attempts > 0 && found.finished_at !== null ? found : undefined
    })
    const refusal = await ask("POST", `/v1/webhooks/${made.body.id}/deliveries/${done.id}/retry`)
    const removed = [made, failing, hex].map(({ body }) => ask("DELETE", `/v1/webhooks/${body?.id}`))
    await Promise.all(removed)
    return {
      id,
      secret: String(made.body.secret),
      hexSecret: String(hex.body.secret),
      test,
      end,
      hexEnd,
      ringing,
      waiting,
      retried,
      attempts,
      done,
      refusal
    }
  })

const event = async (world: World): Promise<Json> => JSON.parse((await delivered(world)).end.body)
const test = async (world: World): Promise<Json> => (await delivered(world)).test.body
const done = async (world: World): Promise<Json> => (await delivered(world)).done
const waiting = async (world: World): Promise<Json> => (await delivered(world)).waiting

const header = (sentence: string, name: string, isRight: (value: string | null, body: Json) => boolean): Kept =>
  promise(sentence, async (world) => {
    const { end } = await delivered(world)
    const value = end.headers.get(name)
    return expected(isRight(value, JSON.parse(end.body)), `${name} is ${value}`)
  })

/** The raw key that a secret stands for. */
const keyOf = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ""), "base64")

const hmacs = (secret: string, message: string): ReadonlyArray<string> =>
  [secret, keyOf(secret)].map((key) => createHmac("sha256", key).update(message).digest("hex"))

const deliveries: ReadonlyArray<Kept> = [
  promise("A webhook is sent by POST.", async (world) => {
    const { method } = (await delivered(world)).end
    return expected(method === "POST", `${method} came`)
  }),
  header("A webhook is sent as JSON.", "content-type", (value) => value?.startsWith("application/json") === true),
  header("A webhook names its kind in X-Service-Event.", "x-service-event", (value) => value === "call.busy"),
  header("A webhook has the id of its delivery in X-Service-Idempotency-Key.", "x-service-idempotency-key", isUuid),
  header("The header names the kind of the body.", "x-service-event", (value, body) => value === body.event_kind),
  member("The body of a webhook says its kind.", event, "event_kind", is("call.busy")),
  member(
    "The body of a webhook has a payload.",
    event,
    "payload",
    (value) => typeof value === "object" && value !== null
  ),
  member("An event has an id.", event, "id", isUuid),
  member("An event says when it occurred.", event, "occurred_at", isInstant),
  member("An event says which workspace it belongs to.", event, "workspace_id", isUuid),
  member("The payload of a call's event says the status of the call.", event, "payload.status", is("busy")),
  promise("The payload of a call's event names the call.", async (world) => {
    const { id } = await delivered(world)
    const { payload } = await event(world)
    return expected(payload?.id === id, `it names ${payload?.id}`)
  }),
  promise("A call is told of from its ringing on.", async (world) =>
    expected(
      (await delivered(world)).ringing?.body.includes("call.ringing") === true,
      "call.ringing did not come first"
    )
  ),
  promise("A test event can be sent, and its result is answered.", async (world) => {
    const answer = (await delivered(world)).test
    return notStatus(answer, 200) ?? expected(answer.body.http_status === 204, `${answer.body.http_status} came`)
  }),
  member("A test event has the id of a delivery.", test, "delivery_id", isUuid),
  member("A delivery that was answered 2xx has succeeded.", done, "status", is("succeeded")),
  member("A delivery names its event.", done, "event_id", isUuid),
  member("A delivery says the kind of its event.", done, "event_kind", is("call.busy")),
  promise("A delivery that has succeeded cannot be retried.", async (world) =>
    notError((await delivered(world)).refusal, 409, "webhooks.delivery_not_retryable")
  ),
  member("A delivery that was answered 500 waits for its next attempt.", waiting, "next_attempt_at", isInstant),
  member("The failure of a delivery is shown.", waiting, "last_error.http_status", is(500)),
  promise("A delivery that waits can be retried by hand.", async (world) =>
    notStatus((await delivered(world)).retried, 200, 202)
  ),
  promise("Each attempt of a delivery has the same X-Service-Idempotency-Key.", async (world) => {
    const ids = (await delivered(world)).attempts.map(({ headers }) => headers.get("x-service-idempotency-key"))
    return expected(ids.length > 1 && new Set(ids).size === 1 && isUuid(ids[0]), ids.join(", "))
  }),
  promise("Each attempt of a delivery has the same body.", async (world) => {
    const bodies = (await delivered(world)).attempts.map(({ body }) => body)
    return expected(bodies.length > 1 && new Set(bodies).size === 1, "they differ")
  }),
  refused(
    "A delivery that does not exist is not found.",
    ["POST", async (world) => `/v1/webhooks/${(await lifecycle(world)).id}/deliveries/${nobody}/retry`],
    [404, "webhooks.not_found"]
  )
]

const signatures: ReadonlyArray<Kept> = [
  header("A webhook has a signature of the form `t=…,v1=…`.", "x-service-signature", (value) =>
    /^t=\d+,v1=[0-9a-f]{64}(,v1=[0-9a-f]{64})*$/.test(value ?? "")
  ),
  promise("The signature is the HMAC-SHA256 of the raw body, a dot and the time.", async (world) => {
    const { end, secret } = await delivered(world)
    const [, time = "", signature = ""] =
      /^t=(\d+),v1=([0-9a-f]{64})/.exec(end.headers.get("x-service-signature") ?? "") ?? []
    return expected(hmacs(secret, `${end.body}.${time}`).includes(signature), "it is of something else")
  }),
  promise("The time of a signature is within 300 seconds of this machine's.", async (world) => {
    const { end } = await delivered(world)
    const [, time = ""] = /^t=(\d+)/.exec(end.headers.get("x-service-signature") ?? "") ?? []
    const { body } = await world.ask("GET", "/v1/calls?limit=1")
    const now = Date.parse(body?.[0]?.created_at) / 1_000
    return expected(Math.abs(now - Number(time)) <= 300, `it is ${time}`)
  }),
  promise("The client of this package verifies a webhook.", async (world) => {
    const { end, secret } = await delivered(world)
    const [, time = "0"] = /^t=(\d+)/.exec(end.headers.get("x-service-signature") ?? "") ?? []
    await verifyWebhook({ headers: end.headers, body: end.body }, secret, { now: () => Number(time) * 1_000 })
    return undefined
  }),
  promise("A subscription may want the bare hexadecimal HMAC of the body.", async (world) => {
    const { hexEnd, hexSecret } = await delivered(world)
    const signature = hexEnd.headers.get("x-service-signature") ?? ""
    return expected(hmacs(hexSecret, hexEnd.body).includes(signature), `it is ${signature.slice(0, 20)}`)
  })
]

export const webhooks: Area = { name: "webhooks", promises: subscriptions }
export const webhookDeliveries: Area = { name: "deliveries", promises: deliveries }
export const webhookSignatures: Area = { name: "signatures", promises: signatures }
