// Runs the engine from the command line: help, greeting, logging, signals and the exit code. This import comes first:
// only schemas made after it are compiled. Compiled, long lists of the API encode ten times as fast.
// oxlint-disable-next-line import/no-unassigned-import -- it changes how schemas are built
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import {
  Cause,
  Console,
  Effect,
  Exit,
  Layer,
  Logger,
  Redacted,
  References,
  Result,
  type Runtime,
  Schedule
} from "effect"
import { SqlError } from "effect/sql/SqlError"
import { Engine, Seeded } from "./Engine.ts"
import { databaseFault } from "./DatabaseFault.ts"
import { greeting } from "./Greeting.ts"
import { apiKeyFile } from "../layers/postgres/seed/SeedFile.ts"
import { InstanceLock } from "../layers/postgres/embedded/InstanceLock.ts"
import { SessionFailure } from "../layers/postgres/journal/JournalSession.ts"
import { redacting } from "../layers/telemetry/RedactingLogger.ts"
import { productionRefusals, Settings } from "./Settings.ts"
import { describeSettings } from "./SettingsTable.ts"
import { startOption } from "./StartOptions.ts"
import * as Telemetry from "../layers/telemetry/Telemetry.ts"
import { traced } from "../layers/telemetry/TracedLogger.ts"

const usage = `trunkline: a prepaid voice-calling engine.

  npm start              start the engine
  npm start -- --check   say what a production start would refuse, without starting
  npm start -- --help    show this help

Environment variables, with the values they accept and their defaults:
${describeSettings()}`

const logging = Layer.unwrap(
  Effect.map(Settings, ({ log_format, log_level }) =>
    Layer.mergeAll(
      Logger.layer([redacting(log_format === "pretty" ? Logger.consolePretty() : traced(Logger.consoleJson))]),
      Layer.succeed(References.MinimumLogLevel)(log_level)
    )
  )
)

const telemetry = Layer.unwrap(Effect.map(Settings, Telemetry.layer)).pipe(Layer.provideMerge(logging))

const program = Effect.gen(function* () {
  const { demo } = yield* Seeded
  const settings = yield* Settings
  const has_demo = import.meta.url.endsWith(".ts")
  yield* Console.log(greeting({ ...settings, demo, has_demo, api_key_file: apiKeyFile(settings.data_dir) }))
  return yield* Effect.flatMap(InstanceLock, ({ lost }) => lost)
})

/** What is wrong, without the name of the error, which is one of the program's own. */
const reasonOf = ({ cause, message, name }: Error): string => {
  if (message !== "") return message
  return cause instanceof Error ? reasonOf(cause) : cause === undefined ? name : String(cause)
}

/** The database cannot be reached. It may be starting at the same time, for example after a power cut. */
const isUnreachable = (error: Error): boolean =>
  error instanceof SqlError
    ? error.reason._tag === "ConnectionError"
    : error instanceof SessionFailure && error.kind === "away"

/** What is wrong with the database, in the server's own words if it has said any. */
const databaseReason = (error: Error, { database_url }: Settings["Service"]): string =>
  (database_url && databaseFault(error, Redacted.value(database_url))) ?? reasonOf(error)

/** An error of the database gets a message for the operator. */
const explained = (error: Error, settings: Settings["Service"]): Error =>
  error instanceof SqlError ? new Error(databaseReason(error, settings), { cause: error }) : error

/** What was told last: a database that is away for half a minute has one line, and not thirty. */
let told: string | undefined
const tellOnce = (reason: string): Effect.Effect<void> => {
  if (reason === told) return Effect.void
  told = reason
  return Console.error(`trunkline cannot reach its database; it retries each second for 30 s: ${reason}`)
}

const engine = program.pipe(
  Effect.provide(Engine.pipe(Layer.provideMerge(telemetry))),
  Effect.tapError((error) =>
    isUnreachable(error)
      ? Effect.flatMap(Settings, (settings) => tellOnce(databaseReason(error, settings)))
      : Effect.void
  ),
  Effect.retry({
    while: isUnreachable,
    schedule: Schedule.spaced("1 second").pipe(Schedule.upTo({ duration: "30 seconds" }))
  }),
  Effect.catch((error) => Effect.flatMap(Settings, (settings) => Effect.fail(explained(error, settings)))),
  Effect.provide(Settings.layer),
  Effect.tapCause((cause) => {
    const error = Cause.squash(cause)
    if (Cause.hasInterruptsOnly(cause)) return Effect.void
    // An unexpected error is printed whole, with its stack.
    return Console.error(
      `trunkline stopped: ${error instanceof Error && !Cause.hasDies(cause) ? reasonOf(error) : Cause.pretty(cause)}`
    )
  })
)

/** A stop by a signal exits with 0. */
const teardown: Runtime.Teardown = (exit, onExit) =>
  onExit(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)

/** After Ctrl-C the terminal signals every process, and npm signals its child again. Signals this close are one. */
const sameSignalSeconds = 0.3

/** The first signal drains the engine; a second one ends it at once. */
let stoppingSince: number | undefined
const stopAtOnce = () => {
  const now = process.uptime()
  stoppingSince ??= now
  if (now - stoppingSince > sameSignalSeconds) process.exit(130)
}

/** Judges the environment as `ENVIRONMENT=production` would. The exit code is 1 if such a start would be refused. */
const check = Effect.gen(function* () {
  const env = Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => !!entry[1]))
  const refusals = yield* productionRefusals(env)
  if (refusals.length === 0) return yield* Console.log("A production start accepts this configuration.")
  process.exitCode = 1
  yield* Console.log(["A production start refuses this configuration:", ...refusals].join("\n  "))
})

/** Wrong usage: nothing was opened. */
const refuse = (problem: string): void => {
  process.stderr.write(`✗ ${problem}\n`)
  process.exitCode = 2
}

/**
 * Runs the engine until it receives a signal. With `--help` it prints the usage instead, with `--check` what a
 * production start would refuse. Anything else is refused before the database is opened.
 */
export const start = async (): Promise<void> => {
  const option = startOption(process.argv.slice(2))
  if (Result.isFailure(option)) return refuse(option.failure)
  if (option.success === "--help") return await Effect.runPromise(Console.log(usage))
  if (option.success === "--check") return await Effect.runPromise(check)
  process.on("SIGINT", stopAtOnce)
  process.on("SIGTERM", stopAtOnce)
  NodeRuntime.runMain(engine, { disableErrorReporting: true, teardown })
}
