// `trunkline start`: runs an engine, as `npm start` does. The flags set variables of the environment; most settings
// have only a variable.
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { spawn } from "node:child_process"
import { isIPv6 } from "node:net"
import { constants } from "node:os"
import { fileURLToPath } from "node:url"
import { CommandFailure } from "./CommandFailure.ts"
import { Output } from "./Output.ts"

/** As in `npm start`: in a larger young generation, most objects of a call die before they are copied. */
const engineFlags = ["--max-semi-space-size=64"]

/** The repository has TypeScript, the package JavaScript. */
const engineFile = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "../main.ts" : "../main.js", import.meta.url)
)

const openers: Partial<Record<NodeJS.Platform, readonly [string, ReadonlyArray<string>]>> = {
  darwin: ["open", []],
  win32: ["cmd", ["/c", "start", ""]]
}

const openPage = (url: string, note: (text: string) => void): void => {
  const [command, args] = openers[process.platform] ?? ["xdg-open", []]
  spawn(command, [...args, url], { stdio: "ignore", detached: true })
    .on("error", () => note(`! No browser could be started. Open ${url}`))
    .unref()
}

/** Waits until the engine serves, or the signal ends it. */
const ready = async (url: string, signal: AbortSignal): Promise<boolean> => {
  while (!signal.aborted) {
    const isReady = await fetch(new URL("/readyz", url), {
      signal: AbortSignal.any([signal, AbortSignal.timeout(2_000)])
    }).then(
      ({ ok }) => ok,
      () => false
    )
    if (isReady) return true
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return false
}

/** Runs the engine until it ends, and ends with its exit code. Signals go to the engine, which drains. */
const runEngine = (
  environment: NodeJS.ProcessEnv,
  args: ReadonlyArray<string>,
  whileItRuns: (signal: AbortSignal) => void
) =>
  Effect.callback<never>(() => {
    const ended = new AbortController()
    const engine = spawn(process.execPath, [...engineFlags, engineFile, ...args], {
      env: environment,
      stdio: "inherit"
    })
    // A terminal signals every process of its group, so that the engine has the first Ctrl-C already.
    const forward = (signal: NodeJS.Signals) => void engine.kill(signal)
    process.once("SIGTERM", forward)
    engine.on("exit", (code, signal) => {
      ended.abort()
      process.exit(code ?? 128 + constants.signals[signal ?? "SIGKILL"])
    })
    whileItRuns(ended.signal)
  }).pipe(Effect.uninterruptible)

export const start = Command.make(
  "start",
  {
    port: Flag.Int("port").pipe(Flag.withDescription("The port of the API; PORT"), Flag.optional),
    host: Flag.String("host").pipe(Flag.withDescription("The address to listen on; HOST"), Flag.optional),
    data: Flag.String("data").pipe(Flag.withDescription("The folder for data; DATA_DIR"), Flag.optional),
    open: Flag.Boolean("open").pipe(
      Flag.withDescription("Open the console in a browser when the engine is ready"),
      Flag.withDefault(false)
    ),
    check: Flag.Boolean("check").pipe(
      Flag.withDescription("Say what a production start would refuse, without starting"),
      Flag.withDefault(false)
    )
  },
  ({ check, data, host, open, port }) =>
    Effect.gen(function* () {
      const { note } = yield* Output
      if (Option.isSome(port) && (port.value < 0 || port.value > 65_535))
        return yield* new CommandFailure({
          exit: "usage",
          message: `${port.value} is no port.`,
          help: "trunkline start --port 8081"
        })
      const given = {
        ...(Option.isSome(port) && { PORT: String(port.value) }),
        ...(Option.isSome(host) && { HOST: host.value }),
        ...(Option.isSome(data) && { DATA_DIR: data.value })
      }
      const environment = { ...process.env, ...given }
      const { HOST = "127.0.0.1", PORT = 8080 } = environment
      const url = `http://${isIPv6(HOST) ? `[${HOST}]` : HOST}:${PORT}`
      return yield* runEngine(environment, check ? ["--check"] : [], (signal) => {
        if (open && !check) void ready(url, signal).then((isReady) => isReady && openPage(url, note))
      })
    })
).pipe(Command.withDescription("Run an engine on this machine"))
