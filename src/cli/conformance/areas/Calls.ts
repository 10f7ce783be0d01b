// The promises about placing and ending calls.
import {
  type Area,
  expected,
  is,
  isE164,
  isInstant,
  isUuid,
  type Kept,
  member,
  nobody,
  notStatus,
  promise,
  refused,
  refusedFor
} from "../Kept.ts"
import {
  answered,
  busy,
  callTo,
  canceled,
  failed,
  goodbye,
  phones,
  reference,
  silent,
  referenceMember
} from "../PlacedCalls.ts"
import type { Asked, Json, World } from "../World.ts"

const path = "/v1/calls/originate"
const placed = async (world: World): Promise<Json> => (await answered(world)).answer.body
const record = async (world: World): Promise<Json> => (await answered(world)).record

const callback = "https://example.com/voice"
const to =
  (number: unknown, more: object = { actions: goodbye }) =>
  (world: World): Asked => ({ body: { ...callTo(world, phones.busy, more), to: number } })

const wrongUrl = (what: string, url: string): Kept =>
  refused(`A callback ${what} is refused.`, ["POST", path], [422, "calls.invalid_callback_url"], (world) => ({
    body: callTo(world, phones.busy, { voice_callback_url: url })
  }))

const missing = (sentence: string, body: (world: World) => object, field: string): Kept =>
  refusedFor(
    sentence,
    ["POST", path],
    [400, "validation.bad_request"],
    ({ details }) => Array.isArray(details) && details.some((each: Json) => each?.field === field),
    (world) => ({ body: body(world) })
  )

const ends = (sentence: string, call: (world: World) => Promise<{ readonly record: Json }>, status: string): Kept =>
  member(sentence, async (world) => (await call(world)).record, "status", is(status))

const originating: ReadonlyArray<Kept> = [
  promise("A call that is placed is answered with 201.", async (world) =>
    notStatus((await answered(world)).answer, 201)
  ),
  member("A call has a UUID.", placed, "id", isUuid),
  member("A call begins as ringing.", placed, "status", is("ringing")),
  member("A call that was originated is outbound.", placed, "direction", is("outbound")),
  promise("A call says whom it calls, from its beginning to its end.", async (world) => {
    const [first, last] = [await placed(world), await record(world)]
    return expected(/^\+9995\d{7}$/.test(first.to) && first.to === last.to, `${first.to}, then ${last.to}`)
  }),
  member("A call says which number it calls from.", placed, "from", (value, _, { from }) => value === from),
  member("A call says when it was made.", placed, "created_at", isInstant),
  promise("The answer names the place of the call in the header Location.", async (world) => {
    const { answer, id } = await answered(world)
    return expected(answer.headers.get("location") === `/v1/calls/${id}`, `it is ${answer.headers.get("location")}`)
  }),
  member("A call has a session whose id begins with HD_.", placed, "session_id", (value) => /^HD_./.test(String(value)))
]

const refusals: ReadonlyArray<Kept> = [
  missing("A call needs a destination.", ({ from }) => ({ from, actions: goodbye }), "/to"),
  missing("A call needs a number to call from.", () => ({ to: phones.busy, actions: goodbye }), "/from"),
  missing("A call needs a callback or actions.", ({ from }) => ({ from, to: phones.busy }), "/voice_callback_url"),
  missing("A destination must be a text.", ({ from }) => ({ from, to: 7, actions: goodbye }), "/to"),
  refusedFor(
    "A destination with letters is refused as invalid characters.",
    ["POST", path],
    [422, "calls.invalid_destination"],
    ({ reason }) => reason === "invalid_characters",
    to("abc")
  ),
  refusedFor(
    "A destination that is nearly right is answered with the corrected number.",
    ["POST", path],
    [422, "calls.invalid_destination"],
    ({ suggested_e164 }) => isE164(suggested_e164),
    to("00254722000000")
  ),
  refused(
    "A destination that is too short is refused.",
    ["POST", path],
    [422, "calls.invalid_destination"],
    to("+2547")
  ),
  refusedFor(
    "A destination without a rate is refused at once.",
    ["POST", path],
    [422, "calls.destination_refused"],
    ({ reason }) => reason === "rate_not_configured",
    to(phones.unrated)
  ),
  refused("A call from somebody else's number is refused.", ["POST", path], [404, "numbers.not_found"], {
    body: { from: "+254999999999", to: phones.busy, actions: goodbye }
  }),
  wrongUrl("that is not absolute", "/voice"),
  wrongUrl("without a host", "https://"),
  wrongUrl("of another scheme than http", "ftp://example.com/voice"),
  refused("A fallback that is no URL is refused.", ["POST", path], [422, "calls.invalid_callback_url"], (world) => ({
    body: callTo(world, phones.busy, { voice_callback_url: callback, voice_fallback_url: "nowhere" })
  })),
  missing(
    "Actions that do not exist are refused, with a pointer.",
    (world) => callTo(world, phones.busy, { actions: [{ fly: {} }] }),
    "/actions/0/fly"
  )
]

const states: ReadonlyArray<Kept> = [
  ends("A call that was answered and hung up is completed.", answered, "completed"),
  ends("A call to a busy phone ends as busy.", busy, "busy"),
  ends("A call that nobody answers ends as no_answer when its ring timeout has passed.", silent, "no_answer"),
  ends("A call that the carrier cannot connect ends as failed.", failed, "failed"),
  ends("A call that is ended while it rings is canceled.", canceled, "canceled"),
  promise("The ring timeout is 30 seconds by default.", async (world) => {
    const { answer } = await answered(world)
    return expected(answer.body.timeout_seconds === 30, `it is ${answer.body.timeout_seconds}`)
  }),
  promise("A call rings as long as its `timeout_seconds` says.", async (world) => {
    const { record: ended } = await silent(world)
    const rang_s = (Date.parse(ended.ended_at) - Date.parse(ended.created_at)) / 1_000
    return expected(rang_s >= 4.5 && rang_s < 20, `it rang for ${rang_s} s`)
  }),
  member(
    "A call that was never answered has no time of an answer.",
    async (w) => (await busy(w)).record,
    "answered_at",
    is(null)
  )
]

const ending: ReadonlyArray<Kept> = [
  promise("A call can be ended by its id.", async (world) => {
    const [first] = (await canceled(world)).terminated
    return first && notStatus(first, 200)
  }),
  promise("A call can be ended by the id of its session.", async (world) => {
    const [, again] = (await canceled(world)).terminated
    return again && notStatus(again, 200)
  }),
  promise("To end a call that has ended succeeds.", async (world) => {
    const [, , third] = (await canceled(world)).terminated
    return third && (notStatus(third, 200) ?? expected(third.body?.status === "canceled", "it has another status"))
  }),
  refused(
    "The end of a call that does not exist is not found.",
    ["POST", `/v1/calls/${nobody}/terminate`],
    [404, "calls.not_found"]
  ),
  refused(
    "The end of an unknown session is not found.",
    ["POST", "/v1/calls/HD_nothing/terminate"],
    [404, "calls.not_found"]
  ),
  refused(
    "A call that has ended cannot be given other actions.",
    ["POST", async (world) => `/v1/calls/${(await busy(world)).id}/update`],
    [409, "calls.not_in_progress"],
    { body: { actions: goodbye } }
  )
]

const record_: ReadonlyArray<Kept> = [
  promise("A call is read by its id.", async (world) => {
    const { id } = await answered(world)
    const answer = await world.ask("GET", `/v1/calls/${id}`)
    return notStatus(answer, 200) ?? expected(answer.body.id === id, `${answer.body.id} came`)
  }),
  promise("A call is read by the id of its session.", async (world) => {
    const { answer, id } = await answered(world)
    const found = await world.ask("GET", `/v1/calls/${answer.body.session_id}`)
    return notStatus(found, 200) ?? expected(found.body.id === id, `${found.body.id} came`)
  }),
  refused("A call that does not exist is not found.", ["GET", `/v1/calls/${nobody}`], [404, "calls.not_found"]),
  refused("An id that is none is not found.", ["GET", "/v1/calls/xyz"], [404, "calls.not_found"]),
  member(
    "A completed call says how long it was.",
    record,
    "duration_seconds",
    (value) => Number.isSafeInteger(value) && value >= 0
  ),
  member(
    "A completed call says what it cost.",
    record,
    "cost_minor",
    (value) => Number.isSafeInteger(value) && value > 0
  ),
  promise("A call has no duration and no cost before its end.", async (world) => {
    const { body } = (await answered(world)).answer
    return expected(!("duration_seconds" in body) && !("cost_minor" in body), "it has them at once")
  }),
  member("A call carries its past events.", record, "events", (value) => Array.isArray(value) && value.length >= 3),
  member("A completed call says when it was answered.", record, "answered_at", isInstant),
  member("A call that has ended says when.", record, "ended_at", isInstant),
  promise("A call was made before it was answered, and answered before it ended.", async (world) => {
    const call = await record(world)
    const times = [call.created_at, call.answered_at, call.ended_at].map((time) => Date.parse(time))
    return expected(
      times.every((time, index) => index === 0 || time >= (times[index - 1] ?? NaN)),
      times.join(", ")
    )
  }),
  member("A call that has ended says why.", record, "hangup_cause", is("normal_clearing")),
  member(
    "A busy call says that its user was busy.",
    async (w) => (await busy(w)).record,
    "hangup_cause",
    is("user_busy")
  ),
  member("A call keeps the reference that its client gave it.", record, referenceMember, is(reference)),
  member("A call keeps the metadata that its client gave it.", record, "metadata.purpose", is("conformance")),
  member("A call says its currency.", record, "currency", (value) => /^[A-Z]{3}$/.test(String(value))),
  member("A call says its rate.", record, "rate_per_min_minor", (value) => Number.isSafeInteger(value) && value > 0),
  promise("With `transcript=1` a call carries its transcript.", async (world) => {
    const { id } = await answered(world)
    const { body } = await world.ask("GET", `/v1/calls/${id}?transcript=1`)
    return expected(Array.isArray(body?.transcript), `it is ${JSON.stringify(body?.transcript)}`)
  }),
  promise("Without `transcript=1` a call carries no transcript.", async (world) => {
    const { id } = await answered(world)
    const answer = await world.ask("GET", `/v1/calls/${id}`)
    return notStatus(answer, 200) ?? expected(!("transcript" in answer.body), "it carries one")
  })
]

export const calls: Area = { name: "calls", promises: [...originating, ...states, ...ending] }
export const refusedCalls: Area = { name: "refusals", promises: refusals }
export const callRecords: Area = { name: "records", promises: record_ }
