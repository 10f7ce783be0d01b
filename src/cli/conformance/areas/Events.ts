// The promises about the events of calls and the live stream.
import {
  type Area,
  expected,
  isInstant,
  isUuid,
  type Kept,
  member,
  nobody,
  notError,
  notStatus,
  promise,
  refused
} from "../Kept.ts"
import { answered, busy, callTo, canceled, eventsOf, phones, place, withReference } from "../PlacedCalls.ts"
import type { Answer, Json, World } from "../World.ts"

const ofAnswered = eventsOf(answered)
const ofBusy = eventsOf(busy)
const kinds = (events: Json): ReadonlyArray<string> =>
  Array.isArray(events) ? events.map(({ kind }: Json) => kind) : []
const last = async (world: World): Promise<Json> => (await ofAnswered(world)).at(-1)

const past: ReadonlyArray<Kept> = [
  promise("The events of a call begin with its ringing.", async (world) => {
    const [first] = kinds(await ofAnswered(world))
    return expected(first === "call.ringing", `${first} is the first`)
  }),
  promise("The answer of a call is an event.", async (world) =>
    expected(kinds(await ofAnswered(world)).includes("call.answered"), "there is none")
  ),
  promise("The events of a completed call end with its end.", async (world) => {
    const end = kinds(await ofAnswered(world)).at(-1)
    return expected(end === "call.completed", `${end} is the last`)
  }),
  promise("The events of a busy call end with `call.busy`.", async (world) => {
    const end = kinds(await ofBusy(world)).at(-1)
    return expected(end === "call.busy", `${end} is the last`)
  }),
  promise("The events of a call that is ended while it rings tell that it was canceled.", async (world) => {
    const told = kinds(await eventsOf(canceled)(world))
    return expected(told.includes("call.canceled"), told.join(", "))
  }),
  promise("The events of a call are counted upwards.", async (world) => {
    const events: ReadonlyArray<Json> = await ofAnswered(world)
    return expected(
      events.every(({ sequence }, index) => index === 0 || sequence > events[index - 1].sequence) &&
        events[0]?.sequence === 1,
      "their sequence does not rise from 1"
    )
  }),
  member("An event has an id.", last, "id", isUuid),
  member("An event says when it occurred.", last, "occurred_at", isInstant),
  promise("An event names its call.", async (world) => {
    const { id } = await answered(world)
    const { payload } = await last(world)
    return expected(payload?.id === id, `it names ${payload?.id}`)
  }),
  promise("The events that a call carries are those of its list.", async (world) => {
    const { id } = await answered(world)
    const { body } = await world.ask("GET", `/v1/calls/${id}`)
    const listed: ReadonlyArray<Json> = await ofAnswered(world)
    const ids = (events: ReadonlyArray<Json>) => events.map((event) => event.id).join()
    return expected(Array.isArray(body?.events) && ids(body.events) === ids(listed), "they differ")
  }),
  promise("Events are read by the id of the session, too.", async (world) => {
    const { answer } = await answered(world)
    const { body } = await world.ask("GET", `/v1/calls/${answer.body.session_id}/events`)
    return expected(kinds(body).includes("call.completed"), `${kinds(body).join(", ")} came`)
  }),
  refused(
    "The events of a call that does not exist are not found.",
    ["GET", `/v1/calls/${nobody}/events`],
    [404, "calls.not_found"]
  )
]

/** What a stream tells: an event each, its data read. */
const toldBy = ({ text }: Answer): ReadonlyArray<{ readonly event: string; readonly data: Json }> =>
  text.split("\n\n").flatMap((block) => {
    const event = /^event: (.+)$/m.exec(block)?.[1]
    const data = /^data: (.+)$/m.exec(block)?.[1]
    return event === undefined ? [] : [{ event, data: data === undefined ? undefined : JSON.parse(data) }]
  })

const streamed = (world: World) =>
  world.shared("the stream of a call", async () => {
    const { answer, id } = await place(world, { ...callTo(world, phones.busy), ...withReference("conformance-stream") })
    const accept = { accept: "text/event-stream" }
    const stream = await world.ask("GET", `/v1/calls/${id}/stream`, { headers: accept })
    const ended = await world.ask("GET", `/v1/calls/${answer.body.session_id}/stream`, { headers: accept })
    return { id, stream, ended, told: toldBy(stream) }
  })

const live: ReadonlyArray<Kept> = [
  promise("The stream of a call is answered with 200.", async (world) =>
    notStatus((await streamed(world)).stream, 200)
  ),
  promise("The stream of a call is a `text/event-stream`.", async (world) => {
    const type = (await streamed(world)).stream.headers.get("content-type")
    return expected(type?.startsWith("text/event-stream") === true, `it is ${type}`)
  }),
  promise("A stream opens with the comment `: ready`.", async (world) => {
    const { stream } = await streamed(world)
    return expected(stream.text.startsWith(": ready"), `it opened with ${JSON.stringify(stream.text.slice(0, 20))}`)
  }),
  promise("A stream tells the end of its call.", async (world) => {
    const { told } = await streamed(world)
    return expected(
      told.some(({ event }) => event === "call.busy"),
      `it told ${told.map(({ event }) => event).join(", ")}`
    )
  }),
  promise("What a stream tells names its call.", async (world) => {
    const { id, told } = await streamed(world)
    const end = told.find(({ event }) => event === "call.busy")
    return expected(end?.data?.call_id === id, `it names ${end?.data?.call_id}`)
  }),
  promise("What a stream tells says its kind and the status of the call.", async (world) => {
    const end = (await streamed(world)).told.find(({ event }) => event === "call.busy")
    return expected(
      end?.data?.kind === "call.busy" && end.data.status === "busy",
      JSON.stringify(end?.data) ?? "nothing"
    )
  }),
  promise("A stream closes when its call has ended.", async (world) => {
    const { told } = await streamed(world)
    return expected(told.at(-1)?.event === "end", `its last event is ${told.at(-1)?.event}`)
  }),
  promise("Who joins after the end is told the state, and the stream closes.", async (world) => {
    const { ended } = await streamed(world)
    return expected(
      ended.text.startsWith(": ready") && toldBy(ended).at(-1)?.event === "end",
      JSON.stringify(ended.text.slice(0, 80))
    )
  }),
  promise("The stream of a call that does not exist is not found, after some seconds.", async (world) =>
    notError(await world.ask("GET", `/v1/calls/${nobody}/stream`), 404, "calls.not_found")
  )
]

export const callEvents: Area = { name: "events", promises: past }
export const stream: Area = { name: "stream", promises: live }
