// One call, shown live: placed, answered, callback, connected to a second phone, ended, charged.
import { Clock, Data, Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { StreamedEvent } from "../../src/domain/calls/views/CallNotice.ts"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import { verifySignature } from "../../src/layers/http-client/VerifySignature.ts"
import type { Demo } from "../../src/layers/postgres/seed/SeedFile.ts"
import { type Api, makeApi } from "./Api.ts"
import { type Received, type Reply, serve } from "./Customer.ts"
import { fact, heading, moment, money, print, verdict } from "./Screen.ts"
import { Sightings } from "./Sightings.ts"
import { type CallId, toCallId } from "../../src/domain/BrandedIds.ts"

/** Phones of the simulated network: the first two answer after a second, the third is busy. */
const callee = "+254722000000"
const second = "+254733000000"
const busy = "+99900000002"

const actions = [{ say: { text: "Hello! This is trunkline. One moment, please." } }, { dial: { number: second } }]
const script = `say "${actions[0]?.say?.text}", then dial ${second}`

const talk = "3 seconds"
const timeout = "50 seconds"

export class NotSeen extends Data.TaggedError("NotSeen")<{ readonly message: string }> {}

interface Delivery {
  readonly event_kind: string
  readonly payload: CallRecord
}

/** What the steps of the demo share. */
interface Stage {
  readonly api: Api
  readonly demo: Demo
  readonly sightings: Sightings
  /** Milliseconds since the call was placed. */
  readonly elapsed: () => number
  /** What the calls of this demo carry as metadata: others may be in progress. */
  readonly mark: string
  /** The calls of this demo. */
  readonly own: Set<string>
  /** The secret of the subscription; empty until it exists. */
  secret: string
}

/** Whether an event is of a call that this demo placed, or of a leg of it. */
const isOwn = ({ mark, own }: Stage, { id, metadata, parent_call_id }: CallRecord): boolean => {
  if (metadata["demo"] === mark || (parent_call_id !== null && own.has(parent_call_id))) own.add(id)
  return own.has(id)
}

const meaning: Readonly<Record<string, string>> = {
  ringing: "the call is accepted, the first minute is held",
  progress: "the network rings the phone",
  answered: `${callee} has answered: the clock runs`,
  bridged: `${second} has answered: the two talk with each other`,
  completed: "the call is over and paid for"
}

const answerCallback = ({ elapsed, sightings }: Stage, { body }: Received): Reply => {
  const { reason, remaining_seconds } = JSON.parse(body.toString()) as Readonly<Record<string, unknown>>
  moment(
    elapsed(),
    "callback",
    `the engine asks what to do (${String(reason)}; ${String(remaining_seconds)} s are paid for)`,
    "cyan"
  )
  moment(elapsed(), "", `we answer: ${script}`, "cyan")
  sightings.see("callback")
  return { status: 200, body: { actions } }
}

const receiveWebhook = (stage: Stage, { body, headers }: Received, now_seconds: number): Reply => {
  const signature = String(headers["x-service-signature"])
  const verification = verifySignature({ body, signature, secret: stage.secret, now_seconds })
  if (!verification.ok) {
    moment(stage.elapsed(), "webhook", `signature ${verification.reason}: refused`, "red")
    return { status: 401 }
  }
  const { event_kind, payload } = JSON.parse(body.toString()) as Delivery
  if (!isOwn(stage, payload)) return { status: 200 }
  const leg = payload.parent_call_id === null ? "" : " of the second leg"
  moment(stage.elapsed(), "webhook", `${event_kind}${leg}, signature verified`, "magenta")
  stage.sightings.see(`webhook ${event_kind} ${payload.id}`)
  return { status: 200 }
}

const showNotice =
  ({ elapsed, sightings }: Stage) =>
  (notice: StreamedEvent): void => {
    const step = notice.kind.slice("call.".length)
    moment(elapsed(), step, meaning[step] ?? "", notice.kind === "call.completed" ? "green" : "bold")
    sightings.see(`stream ${notice.kind}`)
  }

/** Places the call and follows it to its end. Returns the final records of both legs. */
const placeCall = Effect.fnUntraced(function* (stage: Stage, customer_url: string) {
  const {
    api,
    demo: { number },
    elapsed,
    mark,
    sightings
  } = stage
  const voice_callback_url = `${customer_url}/voice`
  const call = yield* api.originate({ to: callee, from: number.number, voice_callback_url, metadata: { demo: mark } })
  yield* Effect.forkScoped(api.follow(call.id, showNotice(stage)))
  yield* sightings.await("stream call.bridged")
  yield* Effect.sleep(talk)
  moment(elapsed(), "terminate", "we end the call")
  yield* api.terminate(call.id)
  yield* sightings.await("stream call.completed")
  const { child_call_ids } = yield* api.call(call.id)
  const ids = [call.id, ...child_call_ids]
  const webhooks = ["call.ringing", "call.answered", "call.completed"].flatMap((kind) =>
    ids.map((id) => `webhook ${kind} ${id}`)
  )
  yield* sightings.await("stream call.ringing", "stream call.answered", "callback", ...webhooks)
  return yield* Effect.forEach(ids, api.call)
})

const receipt = Effect.fnUntraced(function* ({ api }: Stage, legs: ReadonlyArray<CallRecord>, before_minor: number) {
  heading("Receipt")
  for (const { cost_minor = 0, currency, duration_seconds, rate_per_min_minor, to } of legs) {
    const minute = `${money(rate_per_min_minor, currency)} a minute`
    fact(to, `${duration_seconds} s, ${minute}, every started minute counts: ${money(cost_minor, currency)}`)
  }
  const cost_minor = legs.reduce((sum, leg) => sum + (leg.cost_minor ?? 0), 0)
  const { balance_minor, currency, held_minor } = yield* api.balance
  fact("Balance before", money(before_minor, currency))
  fact("Balance now", `${money(balance_minor, currency)}, of which ${money(held_minor, currency)} is held`)
  const charges = (yield* api.charges).filter(({ reference_id }) => legs.some(({ id }) => id === reference_id))
  print()
  return [
    [
      "the call and its second leg are completed",
      legs.length === 2 && legs.every(({ status }) => status === "completed")
    ],
    [
      "the wallet was charged the cost of both",
      cost_minor > 0 && charges.reduce((sum, { amount_minor }) => sum - amount_minor, 0) === cost_minor
    ],
    [
      "the statement has one charge for each leg",
      charges.length === 2 &&
        charges.every((charge) =>
          legs.some(({ cost_minor, id }) => id === charge.reference_id && cost_minor === -charge.amount_minor)
        )
    ]
  ] as const
})

/** A call that is not answered costs nothing. */
const callBusyPhone = Effect.fnUntraced(function* (stage: Stage, customer_url: string) {
  const {
    api,
    demo: { number }
  } = stage
  const voice_callback_url = `${customer_url}/voice`
  const call = yield* api.originate({
    to: busy,
    from: number.number,
    voice_callback_url,
    metadata: { demo: stage.mark }
  })
  yield* api.follow(call.id, () => undefined)
  const { cost_minor, status } = yield* api.call(call.id)
  const charged = (yield* api.charges).some(({ reference_id }) => reference_id === call.id)
  return [["a busy phone costs nothing", status === "busy" && cost_minor === 0 && !charged]] as const
})

const timeline = Effect.fnUntraced(function* ({ api }: Stage, call_id: CallId) {
  heading("The call's log in the API")
  const { created_at, events } = yield* api.call(call_id)
  for (const { kind, occurred_at, sequence } of events) {
    moment(Date.parse(occurred_at) - Date.parse(created_at), kind.slice("call.".length), `event ${sequence}`)
  }
})

/** Subscribes to the events of calls until the scope closes. */
const subscribed = (stage: Stage, customer_url: string) =>
  Effect.acquireRelease(
    Effect.tap(stage.api.subscribe(`${customer_url}/events`), ({ secret }) =>
      Effect.sync(() => {
        stage.secret = secret
      })
    ),
    ({ id }) => Effect.ignore(stage.api.unsubscribe(id))
  )

const story = Effect.fnUntraced(function* (demo: Demo, sightings: Sightings) {
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const api = makeApi(demo.base_url, demo.api_key)
  let placed_at = now()
  const stage: Stage = {
    api,
    demo,
    sightings,
    elapsed: () => now() - placed_at,
    mark: randomUUID(),
    own: new Set(),
    secret: ""
  }
  const customer_url = yield* serve((request) =>
    request.path === "/voice"
      ? answerCallback(stage, request)
      : receiveWebhook(stage, request, Math.floor(now() / 1000))
  )
  const paidCall = Effect.gen(function* () {
    const before = yield* api.balance
    yield* subscribed(stage, customer_url)
    fact("Balance", money(before.balance_minor, before.currency))
    fact("Our callback", `${customer_url}/voice`)
    fact("Our webhook", `${customer_url}/events, for call.*`)
    heading(`A call from ${demo.number.number} to ${callee}`)
    placed_at = now()
    const legs = yield* placeCall(stage, customer_url)
    yield* timeline(stage, legs[0]?.id ?? toCallId(""))
    return yield* receipt(stage, legs, before.balance_minor)
  })
  const checks = [
    ["every webhook arrived with a valid signature", true] as const,
    ...(yield* Effect.scoped(paidCall)),
    ...(yield* callBusyPhone(stage, customer_url))
  ]
  for (const [text, ok] of checks) verdict(ok, text)
  print()
  if (!checks.every(([, ok]) => ok)) return yield* new NotSeen({ message: "A check failed, see above." })
})

/** Runs the demo. Fails unless every step was seen in time. */
export const tell = (demo: Demo) =>
  Effect.suspend(() => {
    const sightings = new Sightings()
    const late = () =>
      new NotSeen({ message: `After ${timeout} these steps are missing: ${sightings.missing.join(", ")}.` })
    return story(demo, sightings).pipe(
      Effect.scoped,
      Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail(late()) })
    )
  })
