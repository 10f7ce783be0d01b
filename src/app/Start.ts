// The engine from the command line, from its first line of output to its last.
// First of all: schemas that are made later are compiled, which makes the long lists of the API ten times as fast.
// oxlint-disable-next-line import/no-unassigned-import -- it changes what schemas do
import "effect/schema/SchemaJITCompiler/enable"
import { NodeRuntime } from "@effect/platform-node"
import { Cause, Console, Effect, Exit, Layer, Logger, References, type Runtime, Schedule } from "effect"
import { SqlError } from "effect/sql/SqlError"
import { Engine, Seeded } from "./Engine.ts"
import { InstanceLock } from "../layers/postgres/embedded/InstanceLock.ts"
import { SessionFailure } from "../layers/postgres/journal/JournalSession.ts"
import { redacting } from "../layers/telemetry/RedactingLogger.ts"
import { describeSettings, Settings } from "./Settings.ts"
import * as Telemetry from "../layers/telemetry/Telemetry.ts"
import type { Demo } from "../layers/postgres/seed/SeedFile.ts"

const usage = `trunkline: a prepaid voice-calling engine.

  npm start              starts the engine
  npm start -- --help    shows this

Configuration, from the environment:
${describeSettings()}`

/** One screen: where it is, how to come in, and a call. */
const greeting = (base_url: string, demo: Demo | undefined): string => {
  const links = `
  trunkline is ready   ${base_url}
  API reference        ${base_url}/docs`
  if (demo === undefined) return `${links}\n`
  const body = JSON.stringify({
    to: "+99900000001",
    from: demo.number.number,
    voice_callback_url: "http://127.0.0.1:9090/voice"
  })
  return `${links}
  API key              ${demo.api_key}

  Place a call to a simulated phone:

  curl -s ${base_url}/v1/calls/originate \\
    -H 'Authorization: Bearer ${demo.api_key}' \\
    -H 'Content-Type: application/json' \\
    -d '${body}'

  Or watch one: npm run demo
`
}

const logging = Layer.unwrap(
  Effect.map(Settings, ({ log_format, log_level }) =>
    Layer.mergeAll(
      Logger.layer([redacting(log_format === "pretty" ? Logger.consolePretty() : Logger.consoleJson)]),
      Layer.succeed(References.MinimumLogLevel)(log_level)
    )
  )
)

const telemetry = Layer.unwrap(Effect.map(Settings, Telemetry.layer)).pipe(Layer.provideMerge(logging))

const program = Effect.gen(function* () {
  const { base_url } = yield* Settings
  const { demo } = yield* Seeded
  yield* Console.log(greeting(base_url, demo))
  return yield* Effect.flatMap(InstanceLock, ({ lost }) => lost)
})

const reasonOf = (error: Error): string =>
  error.message === "" && error.cause !== undefined ? String(error.cause) : `${error.name}: ${error.message}`

/** The database has no connection to give: it may be starting as well, after a power cut for one. */
const isAway = (error: Error): boolean =>
  error instanceof SqlError
    ? error.reason._tag === "ConnectionError"
    : error instanceof SessionFailure && error.kind === "away"

const engine = program.pipe(
  Effect.provide(Engine.pipe(Layer.provideMerge(telemetry))),
  Effect.tapError((error) =>
    isAway(error) ? Console.error(`trunkline waits for its database: ${reasonOf(error)}`) : Effect.void
  ),
  Effect.retry({
    while: isAway,
    schedule: Schedule.spaced("1 second").pipe(Schedule.upTo({ duration: "30 seconds" }))
  }),
  Effect.provide(Settings.layer),
  Effect.tapCause((cause) => {
    const error = Cause.squash(cause)
    if (Cause.hasInterruptsOnly(cause)) return Effect.void
    // Of what nobody expected to fail the whole is told.
    return Console.error(
      `trunkline cannot run: ${error instanceof Error && !Cause.hasDies(cause) ? reasonOf(error) : Cause.pretty(cause)}`
    )
  })
)

/** Being told to stop is no failure. */
const teardown: Runtime.Teardown = (exit, onExit) =>
  onExit(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)

/** A terminal tells every process of a Ctrl-C, and npm, having heard of it, tells its child once more. */
const same_signal_seconds = 0.3

/** The first signal drains the engine; whoever sends a second one does not want to wait. */
let stopping_since: number | undefined
const stopAtOnce = () => {
  const now = process.uptime()
  stopping_since ??= now
  if (now - stopping_since > same_signal_seconds) process.exit(130)
}

/** Runs the engine until it is told to stop, or says how it is configured where `--help` asks for it. */
export const start = async (): Promise<void> => {
  if (process.argv.includes("--help")) return await Effect.runPromise(Console.log(usage))
  process.on("SIGINT", stopAtOnce)
  process.on("SIGTERM", stopAtOnce)
  NodeRuntime.runMain(engine, { disableErrorReporting: true, teardown })
}
