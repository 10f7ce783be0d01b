#!/usr/bin/env node
// The command `trunkline` (docs/command.md). It talks to an engine over HTTP and loads no part of it.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Cause, Effect, Exit, Layer, Option } from "effect"
import { CliConfig, CliError, CliOutput, Command, Flag, GlobalFlag } from "effect/cli"
import { doctor, keys } from "./AccountCommands.ts"
import { call, calls } from "./CallCommands.ts"
import { CommandFailure, exitCodes, FaultFound } from "./CommandFailure.ts"
import { conformance } from "./ConformanceCommand.ts"
import { Connection, connectionOf } from "./Connection.ts"
import { events, listen } from "./EventCommands.ts"
import { numbers } from "./NumberCommands.ts"
import { Output } from "./Output.ts"
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
      Flag.withDescription("The engine; default: TRUNKLINE_URL, else http://127.0.0.1:8080"),
      Flag.optional
    ),
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("Print JSON, one document or line each"),
      Flag.withDefault(false)
    )
  })
)

const services = (json: boolean, url: Option.Option<string>) =>
  Layer.merge(
    Layer.succeed(Output)({
      json,
      line: (text) => say(process.stdout, text),
      note: (text) => say(process.stderr, text)
    }),
    Layer.effect(
      Connection,
      Effect.try({
        try: () => connectionOf(Option.getOrUndefined(url), process.env),
        catch: (error) => error as CommandFailure
      })
    )
  )

const command = root.pipe(
  Command.withSubcommands([
    { group: "Try", commands: [call, simulate, trigger, doctor] },
    { group: "Build", commands: [calls, events, listen, webhooks, replay] },
    { group: "Account", commands: [keys, numbers, wallet] },
    { group: "Operate", commands: [conformance] }
  ]),
  Command.provide(({ json, url }) => services(json, url))
)

const messageOf = (error: CliError.NonShowHelpErrors): string => {
  if (error._tag !== "UnknownSubcommand") return error.message
  const [nearest] = error.suggestions
  return `Command ${error.subcommand} does not exist.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`
}

/** Wrong usage is told in two lines; help goes to stdout. */
const presenter: CliOutput.Presenter = {
  present: (event) =>
    Effect.sync(() => {
      if (event._tag === "Version") return say(process.stdout, event.version)
      if (event._tag === "Help")
        return say(process.stdout, CliOutput.defaultFormatter({ colors: false }).formatHelpDoc(event.helpDoc))
      for (const error of event.errors) say(process.stderr, `✗ ${messageOf(error)}`)
      say(process.stderr, `  ${event.commandPath.join(" ")} --help`)
    })
}

const builtIns = [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions]

/** The exit code of a failure, which is printed unless the command did so. */
const told = (cause: Cause.Cause<unknown>): number => {
  if (Cause.hasInterruptsOnly(cause)) return 130
  const failure = Cause.squash(cause)
  if (failure instanceof FaultFound) return exitCodes.fault
  if (failure instanceof CliError.ShowHelp) return failure.errors.length > 0 ? exitCodes.usage : 0
  if (!(failure instanceof CommandFailure)) {
    say(process.stderr, `✗ A defect of this command: ${Cause.pretty(cause)}`)
    return 70
  }
  if (process.argv.includes("--json") && failure.body !== undefined) say(process.stderr, JSON.stringify(failure.body))
  else say(process.stderr, `✗ ${failure.message}${failure.help === undefined ? "" : `\n  ${failure.help}`}`)
  return exitCodes[failure.exit]
}

// `trunkline calls | head` closes the pipe, which is no fault.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1))

const program = Command.run(command, { version }).pipe(
  Effect.provide(NodeServices.layer),
  Effect.provide(CliOutput.layerPresenter(presenter)),
  Effect.provide(CliConfig.layer({ builtIns }))
)

NodeRuntime.runMain(program, {
  disableErrorReporting: true,
  teardown: (exit, onExit) => onExit(Exit.isSuccess(exit) ? 0 : told(exit.cause))
})
