// `trunkline call`.
import { Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { OriginateRequest, Trunkline } from "../client/Client.ts"
import { readActions } from "./calls/ActionsFile.ts"
import { placeCall } from "./calls/CallPlacing.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { confirmLive, consent } from "./Confirm.ts"
import { type Context, withKey } from "./Handler.ts"
import { money } from "./Output.ts"

interface Sources {
  readonly actions: Option.Option<string>
  readonly callback: Option.Option<string>
  readonly say: Option.Option<string>
}

const greeting = "Hello. This is a call of your telephone engine. Goodbye."

export const defaultNumber = async (client: Trunkline): Promise<string> => {
  const [number] = await client.numbers.list({ status: "active", limit: 1 }).toArray({ max: 1 })
  if (number !== undefined) return number.number
  throw new CommandFailure({
    exit: "refused",
    message: "The workspace has no number.",
    help: "trunkline numbers available"
  })
}

type What = { readonly actions: NonNullable<OriginateRequest["actions"]> } | { readonly voice_callback_url: string }

/** What the flags say is to be done. Throws CommandFailure. */
const whatOf = ({ actions, callback, say }: Sources): What => {
  if ([say, actions, callback].filter(Option.isSome).length > 1)
    throw new CommandFailure({
      exit: "usage",
      message: "Give one of --say, --actions and --callback.",
      help: "trunkline call --help"
    })
  if (Option.isSome(callback)) return { voice_callback_url: callback.value }
  if (Option.isSome(actions)) return { actions: readActions(actions.value).actions }
  return { actions: [{ say: { text: Option.getOrElse(say, () => greeting) } }, { hangup: {} }] }
}

/** A number of the test network costs nothing real: a live workspace can call it in development only. */
const isTestNumber = (to: string): boolean => to.startsWith("+999")

/** The question before a live call, with its price. Throws what the engine refuses such a number for. */
const questionOf = async ({ client }: Context, from: string, to: string): Promise<string> => {
  const { currency, rate_per_min_minor: rate } = await client.calls.checkDestination({ from, to })
  const price = typeof rate === "number" ? `, ${money(currency ?? "", rate)} a minute` : ""
  return `Call ${to}${price}, with live money?`
}

export const call = Command.make(
  "call",
  {
    to: Argument.String("to").pipe(Argument.withDescription("The number to call, in E.164 form")),
    say: Flag.String("say").pipe(Flag.withDescription("What to say"), Flag.optional),
    actions: Flag.String("actions").pipe(Flag.withDescription("A file with voice actions; - is stdin"), Flag.optional),
    callback: Flag.String("callback").pipe(Flag.withDescription("The URL that is asked what to do"), Flag.optional),
    from: Flag.String("from").pipe(Flag.withDescription("Your number; default: the first active one"), Flag.optional),
    timeout: Flag.Int("timeout").pipe(Flag.withDescription("Seconds to ring"), Flag.optional),
    record: Flag.Boolean("record").pipe(Flag.withDescription("Record the call"), Flag.withDefault(false)),
    machine: Flag.Boolean("machine").pipe(
      Flag.withDescription("Find out whether a person or a machine answers"),
      Flag.withDefault(false)
    ),
    ...consent,
    detach: Flag.Boolean("detach").pipe(Flag.withDescription("Print the id and do not wait"), Flag.withDefault(false)),
    key: Flag.String("idempotency-key").pipe(Flag.withDescription("Place the call once for this key"), Flag.optional)
  },
  ({ actions, callback, detach, from, key, live, machine, record, say, timeout, to, yes }) =>
    withKey(async (context) => {
      const what = whatOf({ actions, callback, say })
      const caller = Option.isSome(from) ? from.value : await defaultNumber(context.client)
      if (!isTestNumber(to)) await confirmLive(context, () => questionOf(context, caller, to), { live, yes })
      const body: OriginateRequest = {
        to,
        from: caller,
        ...what,
        ...(Option.isSome(timeout) && { timeout_seconds: timeout.value }),
        ...(record && { record: true }),
        ...(machine && { machine_detection: "detect" as const })
      }
      return await placeCall(context, body, detach, Option.getOrUndefined(key))
    })
).pipe(
  Command.withDescription("Place a call and follow it to its end"),
  Command.withExamples([{ command: 'trunkline call +99900000001 --say "Hello"', description: "A call that speaks" }])
)
