// `trunkline conformance`: checks the promises of the interface against a deployment, from outside.
import { Option } from "effect"
import { Command, Flag } from "effect/cli"
import { setTimeout as sleep } from "node:timers/promises"
import { Trunkline } from "../client/Client.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { type InterfacePromise, promises } from "./conformance/Promises.ts"
import { listenOnLoopback, type Receiver } from "./conformance/Receiver.ts"
import { junitOf, linesOf } from "./conformance/Report.ts"
import { beginSlow, type Result, run } from "./conformance/Run.ts"
import { makeWorld, SetUpFailed, type World } from "./conformance/World.ts"
import { connectionOf, isLoopback } from "./Connection.ts"
import { type Context, withKey } from "./Handler.ts"
import { writeText } from "./OutputFile.ts"
import { minorOf, money } from "./Output.ts"
import { neededSecret } from "./SecretFile.ts"

interface Given {
  readonly baseUrl: Option.Option<string>
  readonly keyFile: Option.Option<string>
  readonly only: Option.Option<string>
  readonly list: boolean
  readonly live: boolean
  readonly spendLimit: Option.Option<string>
  readonly junit: Option.Option<string>
}

/** The deployment and the key that the options name, else those of all commands. */
const contextOf = (given: Context, { baseUrl, keyFile }: Given): Context => {
  const url = Option.getOrUndefined(baseUrl)
  const found = url === undefined ? given : { ...given, ...connectionOf({ url }, process.env).asKey() }
  if (Option.isNone(keyFile)) return found
  const apiKey = neededSecret(keyFile.value)
  return { ...found, apiKey, client: new Trunkline({ apiKey, baseUrl: found.baseUrl }) }
}

const chosenBy = ({ only }: Given): ReadonlyArray<InterfacePromise> => {
  const chosen = promises.filter(({ area, id }) => Option.isNone(only) || id === only.value || area === only.value)
  if (chosen.length > 0) return chosen
  throw new CommandFailure({
    exit: "usage",
    message: "No promise has this name.",
    help: "trunkline conformance --list"
  })
}

/** Throws CommandFailure for a key that spends money which nobody offered, or that can show nothing. */
const worldOf = async (
  { apiKey, baseUrl, client, signal }: Context,
  { live, spendLimit }: Given,
  openReceiver: () => Promise<Receiver>
): Promise<World> => {
  const { env } = await client.keys.current()
  if (env === "live" && !(live && Option.isSome(spendLimit)))
    throw new CommandFailure({
      exit: "usage",
      message: "This key is live, and the calls cost money. Use a test key, or say how much may be spent.",
      help: "add --live --spend-limit 50, or trunkline keys create conformance --scopes …"
    })
  if (env === "test" && Option.isSome(spendLimit))
    throw new CommandFailure({ exit: "usage", message: "A test key spends nothing: leave --spend-limit out." })
  try {
    return await makeWorld({
      baseUrl,
      key: apiKey,
      signal,
      fetch,
      sleep: (milliseconds) => sleep(milliseconds, undefined, { signal }),
      random: Math.random,
      openReceiver: isLoopback(baseUrl) ? openReceiver : undefined
    })
  } catch (error) {
    if (!(error instanceof SetUpFailed)) throw error
    throw new CommandFailure({
      exit: "refused",
      message: error.message,
      help: "trunkline numbers available, then trunkline numbers claim NUMBER"
    })
  }
}

/** Says when so much was spent that nothing more may be. */
const spending = async ({ client }: Context, { spendLimit }: Given) => {
  if (Option.isNone(spendLimit)) return undefined
  const limit_minor = minorOf(spendLimit.value)
  const { balance_minor: before, currency } = await client.wallet.balance()
  return async (): Promise<string | undefined> => {
    const { balance_minor, held_minor } = await client.wallet.balance()
    const spent = before - balance_minor + held_minor
    return spent < limit_minor ? undefined : `${money(currency, spent)} of ${money(currency, limit_minor)} is spent`
  }
}

const checkAll = async (given: Context, options: Given): Promise<boolean> => {
  const { out } = given
  const chosen = chosenBy(options)
  if (options.list) {
    const width = Math.max(...chosen.map(({ id }) => id.length))
    for (const { area, id, sentence } of chosen)
      out.line(out.json ? JSON.stringify({ id, area, sentence }) : `${id.padEnd(width)}  ${sentence}`)
    return true
  }
  const context = contextOf(given, options)
  const opened: Array<Receiver> = []
  const openReceiver = async () => {
    const receiver = await listenOnLoopback()
    opened.push(receiver)
    return receiver
  }
  try {
    const world = await worldOf(context, options, openReceiver)
    const began = performance.now()
    beginSlow(chosen, world)
    const tell = (result: Result) => (out.json ? out.line(JSON.stringify(result)) : undefined)
    const results = await run(chosen, world, tell, await spending(context, options))
    if (!out.json) for (const line of linesOf(results, performance.now() - began)) out.line(line)
    if (Option.isSome(options.junit)) writeText(options.junit.value, junitOf(results))
    return results.every(({ status }) => status !== "broken")
  } finally {
    for (const receiver of opened) receiver.close()
  }
}

export const conformance = Command.make(
  "conformance",
  {
    baseUrl: Flag.String("base-url").pipe(
      Flag.withDescription("The deployment; default: as for all commands"),
      Flag.optional
    ),
    keyFile: Flag.String("key-file").pipe(
      Flag.withDescription("A file with the API key; default: as for all commands"),
      Flag.optional
    ),
    only: Flag.String("only").pipe(Flag.withDescription("One area, or one promise: money, money.3"), Flag.optional),
    list: Flag.Boolean("list").pipe(Flag.withDescription("List the promises"), Flag.withDefault(false)),
    live: Flag.Boolean("live").pipe(
      Flag.withDescription("Use a live key, and its money up to --spend-limit"),
      Flag.withDefault(false)
    ),
    spendLimit: Flag.String("spend-limit").pipe(
      Flag.withDescription("With a live key: the promises after this amount is spent are skipped"),
      Flag.optional
    ),
    junit: Flag.String("junit").pipe(Flag.withDescription("Also write the results as JUnit XML"), Flag.optional)
  },
  (options) => withKey((given) => checkAll(given, options))
).pipe(
  Command.withDescription("Check from outside whether a deployment keeps the promises of the interface"),
  Command.withExamples([
    { command: "trunkline conformance --base-url https://voice.example.com", description: "With a test key" }
  ])
)
