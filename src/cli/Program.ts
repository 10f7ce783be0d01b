// The tree of the commands, and what a run of it prints and answers.
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Layer, Option } from "effect"
import type { RequestLog } from "../client/Options.ts"
import { CliConfig, CliError, CliOutput, Command, Flag, GlobalFlag } from "effect/cli"
import { doctor, keys } from "./AccountCommands.ts"
import { call } from "./CallCommands.ts"
import { calls } from "./calls/CallListCommands.ts"
import { callerIds } from "./CallerIdCommands.ts"
import { CommandFailure, exitCodes, FaultFound } from "./CommandFailure.ts"
import { conformance } from "./ConformanceCommand.ts"
import { Connection, connectionOf } from "./Connection.ts"
import { db } from "./DatabaseCommand.ts"
import { events, listen } from "./EventCommands.ts"
import { numbers } from "./NumberCommands.ts"
import { openapi } from "./OpenApiCommand.ts"
import { Output } from "./Output.ts"
import { admin } from "./AdminCommand.ts"
import { gateway } from "./GatewayCommand.ts"
import { login, logout, profiles } from "./ProfileCommands.ts"
import { start } from "./StartCommand.ts"
import { simulate } from "./SimulateCommand.ts"
import { trigger } from "./TriggerCommand.ts"
import { wallet } from "./WalletCommands.ts"
import { replay, webhooks } from "./WebhookCommands.ts"

export const version = "0.1.0"

const say = (stream: NodeJS.WriteStream, text: string) => void stream.write(`${text}\n`)

const root = Command.make("trunkline").pipe(
  Command.withDescription("Calls, events and money of a telephone engine"),
  Command.withSharedFlags({
    url: Flag.String("url").pipe(
      Flag.withDescription("The engine; default: TRUNKLINE_URL, the profile's, else http://127.0.0.1:8080"),
      Flag.optional
    ),
    profile: Flag.String("profile").pipe(
      Flag.withDescription("A profile of trunkline login; default: TRUNKLINE_PROFILE, else the current one"),
      Flag.optional
    ),
    quiet: Flag.Boolean("quiet").pipe(
      Flag.withDescription("Print the answer and errors only"),
      Flag.withDefault(false)
    ),
    debug: Flag.Boolean("debug").pipe(
      Flag.withDescription("Print each request: method, path, status, time and request id"),
      Flag.withDefault(false)
    ),
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("Print JSON, one document or line each"),
      Flag.withDefault(false)
    )
  })
)

interface Shared {
  readonly json: boolean
  readonly quiet: boolean
  readonly debug: boolean
  readonly url: Option.Option<string>
  readonly profile: Option.Option<string>
}

const requestLine = ({ attempt, method, ms, path, requestId, status }: RequestLog): string =>
  `${method} ${path}  ${status ?? "no answer"}  ${Math.round(ms)} ms  ${requestId ?? "-"}${attempt > 1 ? `  attempt ${attempt}` : ""}`

const services = ({ debug, json, profile, quiet, url }: Shared) =>
  Layer.merge(
    Layer.succeed(Output)({
      json,
      line: (text) => say(process.stdout, text),
      note: quiet ? () => {} : (text) => say(process.stderr, text)
    }),
    Layer.succeed(Connection)(
      connectionOf(
        {
          url: Option.getOrUndefined(url),
          profile: Option.getOrUndefined(profile),
          onRequest: debug ? (log) => say(process.stderr, requestLine(log)) : undefined
        },
        process.env
      )
    )
  )

export const command = root.pipe(
  Command.withSubcommands([
    { group: "Try", commands: [call, simulate, trigger, doctor] },
    { group: "Build", commands: [calls, events, listen, webhooks, replay, openapi] },
    { group: "Account", commands: [login, logout, profiles, keys, numbers, callerIds, wallet] },
    { group: "Operate", commands: [start, admin, gateway, conformance, db] }
  ]),
  Command.provide(services)
)

const messageOf = (error: CliError.NonShowHelpErrors): string => {
  if (error._tag !== "UnknownSubcommand") return error.message
  const [nearest] = error.suggestions
  return `Command ${error.subcommand} does not exist.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`
}

/** Wrong usage is told in two lines; help goes to stdout. */
const presenterFor = (json: boolean): CliOutput.Presenter => ({
  present: (event) =>
    Effect.sync(() => {
      if (event._tag === "Version") return say(process.stdout, event.version)
      if (event._tag === "Help")
        return say(process.stdout, CliOutput.defaultFormatter({ colors: false }).formatHelpDoc(event.helpDoc))
      const messages = event.errors.map(messageOf)
      const help = `${event.commandPath.join(" ")} --help`
      if (json) return say(process.stderr, JSON.stringify(bodyOfFailure("usage", messages.join(" "), help)))
      for (const message of messages) say(process.stderr, `✗ ${message}`)
      say(process.stderr, `  ${help}`)
    })
})

/** The body of a failure that no engine told, as an engine would. */
const bodyOfFailure = (what: string, message: string, resolution?: string): object => ({
  error: { code: `command.${what}`, message, ...(resolution !== undefined && { resolution }) }
})

const builtIns = [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions]

/** The exit code of a failure, which is printed unless the command did so. */
const told = (cause: Cause.Cause<unknown>, json: boolean): number => {
  if (Cause.hasInterruptsOnly(cause)) return 130
  const failure = Cause.squash(cause)
  if (failure instanceof FaultFound) return exitCodes.fault
  if (failure instanceof CliError.ShowHelp) return failure.errors.length > 0 ? exitCodes.usage : 0
  if (!(failure instanceof CommandFailure)) {
    const message = `A defect of this command: ${Cause.pretty(cause)}`
    say(process.stderr, json ? JSON.stringify(bodyOfFailure("defect", message)) : `✗ ${message}`)
    return 70
  }
  const { body, exit, help, message } = failure
  if (json) say(process.stderr, JSON.stringify(body ?? bodyOfFailure(exit, message, help)))
  else say(process.stderr, `✗ ${message}${help === undefined ? "" : `\n  ${help}`}`)
  return exitCodes[exit]
}

/** Runs the command with these arguments. Returns its exit code, and never fails. */
export const run = (args: ReadonlyArray<string>): Effect.Effect<number> => {
  const json = args.includes("--json")
  return Command.runWith(command, { version })(args).pipe(
    Effect.provide(NodeServices.layer),
    Effect.provide(CliOutput.layerPresenter(presenterFor(json))),
    Effect.provide(CliConfig.layer({ builtIns })),
    Effect.matchCause({ onSuccess: () => 0, onFailure: (cause) => told(cause, json) })
  )
}
