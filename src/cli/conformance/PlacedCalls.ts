// The calls that promises share: each is placed once, to the phones of the test network.
import { randomUUID } from "node:crypto"
import type { Answer, Json, World } from "./World.ts"
import { SetUpFailed, Skipped } from "./World.ts"

export const phones = {
  answers: "+99900000001",
  busy: "+99900000002",
  silent: "+99900000003",
  fails: "+99900000004",
  unrated: "+99900000007"
}
/** A phone of the test network that answers, and that few calls have called: each may be called so often an hour. */
export const someone = ({ random }: World): string => `+9995${String(Math.floor(1_000_000 + random() * 9_000_000))}`

export const goodbye = [{ say: { text: "Goodbye." } }, { hangup: {} }]

/** The body of a request that places a call. */
export const callTo = ({ from }: World, to: string, more: object = { actions: goodbye }) => ({ from, to, ...more })

const pause_ms = 700

/** Places a call, and waits where calls are placed too fast for the calling policy. */
export const originate = async (world: World, body: object, headers = {}): Promise<Answer> => {
  for (let attempt = 1; ; attempt++) {
    const answer = await world.ask("POST", "/v1/calls/originate", { body, headers })
    const { code, reason } = answer.body?.error ?? {}
    if (reason === "max_calls_per_destination_per_hour")
      throw new Skipped("the calling policy allows no more calls to a test number in this hour")
    if (attempt === 30 || (code !== "calls.rate_limited" && code !== "calls.concurrency_limit_reached")) return answer
    await world.sleep(pause_ms)
  }
}

export interface Placed {
  /** The answer of the request that placed it. */
  readonly answer: Answer
  readonly id: string
}

export interface Ended extends Placed {
  /** The record after its end. */
  readonly record: Json
}

export const place = async (world: World, body: object, headers = {}): Promise<Placed> => {
  const answer = await originate(world, body, headers)
  const id: Json = answer.body?.id
  if (typeof id !== "string") throw new SetUpFailed(`no call was placed: ${answer.text.slice(0, 200)}`)
  return { answer, id }
}

const terminal = ["completed", "no_answer", "busy", "failed", "canceled"]

export const endOf = (world: World, id: string): Promise<Json> =>
  world.wait(`the end of call ${id.slice(-8)}`, async () => {
    const { body } = await world.ask("GET", `/v1/calls/${id}`)
    return terminal.includes(body?.status) && body.ended_at !== null ? (body as Json) : undefined
  })

const played = (name: string, body: (world: World) => object) => (world: World) =>
  world.shared(name, async (): Promise<Ended> => {
    const placed = await place(world, body(world))
    return { ...placed, record: await endOf(world, placed.id) }
  })

/** The member by which a client finds its calls again. */
export const referenceMember = "client_reference"

export const withReference = (value: string) => ({ [referenceMember]: value })

export const reference = `conformance-${randomUUID().slice(0, 8)}`

export const answered = played("an answered call", (world) =>
  callTo(world, someone(world), { actions: goodbye, ...withReference(reference), metadata: { purpose: "conformance" } })
)
export const busy = played("a busy call", (world) => callTo(world, phones.busy))
export const silent = played("a call that is not answered", (world) =>
  callTo(world, phones.silent, { actions: goodbye, timeout_seconds: 5 })
)
export const failed = played("a call that fails", (world) => callTo(world, phones.fails))

export interface Canceled extends Ended {
  readonly terminated: ReadonlyArray<Answer>
}

/** Ended twice while it rang, by its id and by its session. */
export const canceled = (world: World) =>
  world.shared("a canceled call", async (): Promise<Canceled> => {
    const placed = await place(world, callTo(world, phones.silent))
    const first = await world.ask("POST", `/v1/calls/${placed.id}/terminate`)
    const again = await world.ask("POST", `/v1/calls/${placed.answer.body.session_id}/terminate`)
    const record = await endOf(world, placed.id)
    const ended = await world.ask("POST", `/v1/calls/${placed.id}/terminate`)
    return { ...placed, record, terminated: [first, again, ended] }
  })

export const eventsOf = (call: (world: World) => Promise<Placed>) => async (world: World) => {
  const { id } = await call(world)
  return await world.shared(`the events of ${id}`, async () => (await world.ask("GET", `/v1/calls/${id}/events`)).body)
}

/** The charges of a call in the statement of the wallet. */
export const chargesOf = async (world: World, { id }: Placed): Promise<ReadonlyArray<Json>> => {
  const { body } = await world.ask("GET", "/v1/wallet/statements?kind=call_charge&limit=200")
  return (Array.isArray(body) ? body : []).filter((entry: Json) => entry?.reference_id === id)
}
