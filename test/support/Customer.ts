// A customer of the engine: answers voice callbacks as a test defines, and records the webhooks that it receives.
import { Effect } from "effect"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import type { VoiceAction } from "../../src/domain/calls/verbs/VoiceAction.ts"
import type { Program } from "./Program.ts"
import { answering, type Behaviour, receiver } from "./Receiver.ts"
import type { CallId } from "../../src/domain/BrandedIds.ts"
import { untilHolds } from "./Until.ts"

export interface Told {
  readonly delivery_id: string
  readonly event_id: string
  readonly event_kind: string
  readonly call_id: CallId
}

export const acts = (...actions: ReadonlyArray<VoiceAction>): Behaviour => answering(200, JSON.stringify({ actions }))

/** A callback that never answers. */
export const silence: Behaviour = () => {}

/** Two minutes of speech. */
export const talk: VoiceAction = { say: { text: "x".repeat(20), loop: 100 } }

export const makeCustomer = Effect.gen(function* () {
  const voices: Array<Behaviour> = []
  const told: Array<Told> = []
  let workspace_id = ""
  const { port, requests } = yield* receiver((request, response) => {
    const [, room, index] = request.path.split("/")
    if (room === "voice") return voices[Number(index)]!(request, response)
    const { event_kind, id, payload } = JSON.parse(request.body) as {
      readonly id: string
      readonly event_kind: string
      readonly payload: CallRecord
    }
    const delivery_id = String(request.headers["x-service-idempotency-key"])
    told.push({ delivery_id, event_id: id, event_kind, call_id: payload.id })
    response.writeHead(204).end()
  })
  const base = `http://127.0.0.1:${port}`
  const asked = (url: string) => requests.filter(({ path }) => base + path === url)
  return {
    /** The received webhooks, including repetitions. */
    told: told as ReadonlyArray<Told>,
    /** The URL of a callback with this behaviour. */
    voice: (behaviour: Behaviour) => `${base}/voice/${voices.push(behaviour) - 1}`,
    asked,
    /** Returns once the callback has been requested. */
    wasAsked: (url: string) => untilHolds(`request to ${url}`, () => asked(url).length > 0, { every_ms: 5 }),
    /** Subscribes to every event of the demo workspace's calls. */
    subscribe: (program: Program) => {
      workspace_id = program.demo().workspace_id
      return program.ask("/v1/webhooks", { body: { url: `${base}/events`, events: ["call.*"] } })
    },
    /** The workspace of the subscription. */
    workspace_id: () => workspace_id
  }
})
export type Customer = Effect.Success<typeof makeCustomer>
