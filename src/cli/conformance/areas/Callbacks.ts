// The promises about the questions to a voice callback. The deployment must reach this machine.
import { type Area, expected, is, type Kept, member, promise } from "../Kept.ts"
import { callTo, endOf, type Ended, goodbye, phones, place, someone } from "../PlacedCalls.ts"
import type { Received, Reply } from "../Receiver.ts"
import type { Json, World } from "../World.ts"

interface Asked extends Ended {
  readonly questions: ReadonlyArray<Received>
}

const calledBack = (name: string, reply: Reply) => (world: World) =>
  world.shared(`a call whose callback ${name}`, async (): Promise<Asked> => {
    const receiver = await world.receiver()
    const path = `/voice/${name.replaceAll(" ", "-")}`
    receiver.answer(path, () => reply)
    const body = callTo(world, someone(world), { voice_callback_url: `${receiver.url}${path}` })
    const placed = await place(world, body)
    const record = await endOf(world, placed.id)
    return { ...placed, record, questions: receiver.received.filter((request) => request.path === path) }
  })

const obeyed = calledBack("answers actions", { status: 200, body: { actions: goodbye } })
const failing = calledBack("answers 500", { status: 500 })
const missing = calledBack("answers 404", { status: 404 })
const malformed = calledBack("answers no actions", { status: 200, body: { hello: "world" } })
/** It takes the ten seconds that a callback has. */
export const silent = calledBack("does not answer", null)

const question = async (world: World): Promise<Json> => {
  const [first] = (await obeyed(world)).questions
  return first === undefined ? undefined : JSON.parse(first.body)
}

const cause = (sentence: string, call: (world: World) => Promise<Ended>, hangup_cause: string): Kept =>
  member(sentence, async (world) => (await call(world)).record, "hangup_cause", is(hangup_cause))

export const callbacks: Area = {
  name: "callbacks",
  promises: [
    promise("When a call is answered, its callback is asked.", async (world) =>
      expected((await obeyed(world)).questions.length > 0, "nothing came")
    ),
    promise("A callback is asked by POST.", async (world) => {
      const [first] = (await obeyed(world)).questions
      return expected(first?.method === "POST", `${first?.method} came`)
    }),
    promise("A callback is asked in JSON.", async (world) => {
      const type = (await obeyed(world)).questions[0]?.headers.get("content-type")
      return expected(type?.startsWith("application/json") === true, `${type} came`)
    }),
    promise("A callback learns which call is meant.", async (world) => {
      const { id } = await obeyed(world)
      const text = JSON.stringify(await question(world))
      return expected(text?.includes(id) === true, "its id is not in the question")
    }),
    promise("A question to a callback is signed.", async (world) => {
      const signature = (await obeyed(world)).questions[0]?.headers.get("x-service-signature")
      return expected(/^t=\d+,v1=[0-9a-f]{64}/.test(signature ?? ""), `the signature is ${signature}`)
    }),
    member(
      "The actions that a callback answers are carried out.",
      async (w) => (await obeyed(w)).record,
      "hangup_source",
      is("workspace")
    ),
    member(
      "A call whose callback answered is completed.",
      async (w) => (await obeyed(w)).record,
      "status",
      is("completed")
    ),
    promise("A busy call asks no callback.", async (world) => {
      const receiver = await world.receiver()
      const path = "/voice/busy"
      const placed = await place(world, callTo(world, phones.busy, { voice_callback_url: `${receiver.url}${path}` }))
      const { status } = await endOf(world, placed.id)
      return expected(
        status === "busy" && receiver.received.every((request) => request.path !== path),
        `it ended ${status}, or its callback was asked`
      )
    }),
    cause("A callback that answers 500 ends the call.", failing, "callback_failed"),
    cause("A callback that answers 404 ends the call.", missing, "callback_failed"),
    cause("A callback that answers no VoiceAction document ends the call.", malformed, "voice_action_invalid"),
    cause("A callback that does not answer ends the call.", silent, "callback_timeout"),
    promise("A callback has ten seconds to answer.", async (world) => {
      const { record } = await silent(world)
      const waited_s = (Date.parse(record.ended_at) - Date.parse(record.answered_at)) / 1_000
      return expected(waited_s > 8.5 && waited_s < 20, `the call ended after ${waited_s} s`)
    })
  ]
}
