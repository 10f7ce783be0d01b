// `trunkline simulate`: what a call would do, without a call.
import { Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import {
  ApiError,
  type SimulatedCall,
  type SimulatedPhone,
  type SimulationRequest,
  type Trunkline
} from "../client/Client.ts"
import { defaultNumber } from "./CallCommands.ts"
import { actionText, asked, callbackFault, type Detail, detailOf } from "./calls/CallLines.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { type Context, withKey } from "./Handler.ts"
import { type ActionsFile, readActions } from "./calls/ActionsFile.ts"
import { positionOf } from "./JsonPosition.ts"
import { money } from "./Output.ts"
import { spanOf } from "./Times.ts"

const clock = (from: string, to: string): string => {
  const seconds = Math.floor((Date.parse(to) - Date.parse(from)) / 1000)
  return `${String(Math.floor(seconds / 60)).padStart(2)}:${String(seconds % 60).padStart(2, "0")}`
}

/** A line for each action and each request to a callback, and one for the end. */
export const linesOf = ({
  call,
  cost_minor,
  currency,
  duration_seconds,
  entries,
  legs,
  stopped
}: SimulatedCall): ReadonlyArray<string> => {
  const own = entries.filter(({ call_id }) => call_id === call.id)
  const at = (instant: string) => clock(call.created_at, instant)
  const line = (instant: string, what: string, text: string) => `${at(instant)}  ${what.padEnd(9)}  ${text}`.trimEnd()
  const steps = own.flatMap((entry) => {
    const detail = detailOf(entry)
    if (entry.kind === "callback.attempt") return [line(entry.at, "callback", asked(detail))]
    const { action, step, verb } = detail
    // The last line says how the call ended.
    if (entry.kind !== "action.started" || verb === "hangup") return []
    const finished = own.find((other) => other.kind === "action.finished" && detailOf(other)["step"] === step)
    const result = (finished === undefined ? {} : (detailOf(finished)["result"] ?? {})) as Detail
    return [line(entry.at, String(verb), actionText(String(verb), (action ?? {}) as Detail, result, legs))]
  })
  const answered = call.answered_at === null ? undefined : Date.parse(call.answered_at) + duration_seconds * 1000
  const last = answered === undefined ? own.at(-1)?.at : new Date(answered).toISOString()
  const ended = call.ended_at ?? last ?? call.created_at
  const end = stopped === null ? call.status : "stopped"
  const why = call.status === "completed" || call.hangup_cause === null ? "" : ` (${call.hangup_cause})`
  const limit = stopped === null ? "" : ` at ${stopped}`
  const cost = `${money(currency, cost_minor)}${stopped === null ? "" : " so far"}`
  return [...steps, line(ended, end, `${duration_seconds} s${why}${limit}, would cost ${cost}. Nothing rang.`)]
}

const faultOf = ({ call, entries }: SimulatedCall): string | undefined => {
  const fault = callbackFault(call, entries, false)
  return fault === undefined ? undefined : `${fault}; the call would end ${call.hangup_cause}.`
}

const isUrl = (text: string): boolean => /^https?:\/\//.test(text)

const attestations = ["A", "B", "C", "passed", "failed", "not_validated"] as const
const behaviours = ["person", "machine", "busy", "declined", "no-answer", "unreachable"] as const

const phoneOf = (
  behaviour: Option.Option<(typeof behaviours)[number]>,
  more: SimulatedPhone = {}
): SimulatedPhone | undefined => {
  const answers = Option.getOrUndefined(behaviour)?.replace("-", "_") as SimulatedPhone["answers"]
  const phone = { ...more, ...(answers !== undefined && { answers }) }
  return Object.keys(phone).length === 0 ? undefined : phone
}

const run = async (client: Trunkline, source: string, request: SimulationRequest): Promise<SimulatedCall> => {
  if (isUrl(source)) return await client.voiceActions.simulate({ ...request, voice_callback_url: source })
  const { actions, text }: ActionsFile = readActions(source)
  try {
    return await client.voiceActions.simulate({ ...request, actions })
  } catch (error) {
    const detail =
      error instanceof ApiError ? error.details.find(({ field }) => field.startsWith("/actions")) : undefined
    if (!(error instanceof ApiError) || detail === undefined) throw error
    const { column, line } = positionOf(text, detail.field)
    throw new CommandFailure({
      exit: "refused",
      message: `${source}:${line}:${column} ${detail.field} ${detail.message}`,
      body: { error: { code: error.code, message: error.message, details: error.details } }
    })
  }
}

const print = ({ out }: Context, simulated: SimulatedCall): boolean => {
  const fault = faultOf(simulated)
  if (out.json) out.line(JSON.stringify(simulated))
  else {
    for (const line of linesOf(simulated)) out.line(line)
    if (fault !== undefined) out.note(`✗ ${fault}`)
    else if (simulated.stopped !== null) out.note("! The call had not ended.  trunkline simulate --max 30m")
  }
  return simulated.stopped === null && simulated.call.status === "completed" && fault === undefined
}

export const simulate = Command.make(
  "simulate",
  {
    source: Argument.String("source").pipe(
      Argument.withDescription("A file with voice actions, the URL of a callback, or - for stdin"),
      Argument.optional
    ),
    to: Flag.String("to").pipe(Flag.withDescription("The number to call; default: a test number"), Flag.optional),
    from: Flag.String("from").pipe(Flag.withDescription("Your number; default: the first active one"), Flag.optional),
    phone: Flag.Literals("phone", behaviours).pipe(Flag.withDescription("Who takes the call"), Flag.optional),
    dialled: Flag.Literals("dialled", behaviours).pipe(
      Flag.withDescription("Who takes the calls that it dials"),
      Flag.optional
    ),
    keys: Flag.String("keys").pipe(
      Flag.withDescription("What the phone presses, with a comma between two questions: 1,2#"),
      Flag.optional
    ),
    says: Flag.String("says").pipe(Flag.withDescription("What it says when it is asked to speak"), Flag.optional),
    inbound: Flag.Boolean("inbound").pipe(
      Flag.withDescription("Somebody calls your number (--to)"),
      Flag.withDefault(false)
    ),
    attestation: Flag.Literals("attestation", attestations).pipe(
      Flag.withDescription("With --inbound: what the network says of the caller's number"),
      Flag.optional
    ),
    max: Flag.String("max").pipe(Flag.withDescription("Stop after this time of the call: 10m"), Flag.withDefault("10m"))
  },
  ({ attestation, dialled, from, inbound, keys, max, phone, says, source, to }) =>
    withKey(async (context) => {
      const { client } = context
      const number = async (given: Option.Option<string>) =>
        Option.isSome(given) ? given.value : await defaultNumber(client)
      const party = phoneOf(phone, {
        ...(Option.isSome(keys) && { keys: keys.value.split(",") }),
        ...(Option.isSome(says) && { says: [says.value] })
      })
      const others = phoneOf(dialled)
      const request: SimulationRequest = {
        max_seconds: Math.round(spanOf(max) / 1000),
        ...(party && { phone: party }),
        ...(others && { dialled: others }),
        ...(Option.isSome(attestation) && { attestation: attestation.value }),
        ...(inbound
          ? { direction: "inbound", to: await number(to), ...(Option.isSome(from) && { from: from.value }) }
          : { from: await number(from), ...(Option.isSome(to) && { to: to.value }) })
      }
      if (Option.isSome(source)) return print(context, await run(client, source.value, request))
      if (inbound) return print(context, await client.voiceActions.simulate(request))
      throw new CommandFailure({
        exit: "usage",
        message: "Say what to try: a file, a URL, or - for stdin.",
        help: "trunkline simulate menu.json"
      })
    })
).pipe(
  Command.withDescription("Try voice actions or a callback without a call"),
  Command.withExamples([{ command: "trunkline simulate menu.json --keys 2", description: "What a menu would do" }])
)
