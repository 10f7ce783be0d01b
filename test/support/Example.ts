// A program of examples/ as a user runs it: a process that is stopped when the scope closes.
import { Effect, type Scope } from "effect"
import { spawn } from "node:child_process"
import type { Program } from "./Program.ts"
import { until } from "./Until.ts"

export interface Example {
  /** All that it has printed. */
  readonly output: () => string
  /** Returns once it has printed this. Dies if it exits before. */
  readonly printed: (text: string) => Effect.Effect<void>
  /** The exit code, once it has ended and all of its output is read; null if a signal ended it. */
  readonly exited: Effect.Effect<number | null>
  readonly stop: Effect.Effect<void>
}

/** Runs a command with these variables and no other configuration. */
export const runCommand = (
  [command, ...args]: readonly [string, ...ReadonlyArray<string>],
  env: Readonly<Record<string, string>>
): Effect.Effect<Example, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      let output = ""
      const child = spawn(command, args, {
        env: { PATH: process.env["PATH"], ...env },
        stdio: ["ignore", "pipe", "pipe"]
      })
      for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (chunk: Buffer) => {
          output += chunk.toString()
        })
      }
      const hasExited = () => child.exitCode !== null || child.signalCode !== null
      const printed = (text: string) =>
        until(
          `"${text}" in the output of ${args.at(-1)}`,
          Effect.suspend(() =>
            hasExited() && !output.includes(text)
              ? Effect.die(new Error(`${args.at(-1)} ended before it printed "${text}". Its output:\n${output}`))
              : Effect.succeed(output)
          ),
          (printed) => printed.includes(text)
        ).pipe(Effect.asVoid)
      const exited = Effect.callback<number | null>((resume) => {
        if (hasExited()) return resume(Effect.succeed(child.exitCode))
        child.once("close", (code) => resume(Effect.succeed(code)))
      })
      const stop = Effect.suspend(() => {
        if (!hasExited()) child.kill("SIGKILL")
        return Effect.asVoid(exited)
      })
      return { output: () => output, printed, exited, stop }
    }),
    ({ stop }) => stop
  )

/** Runs `examples/<name>/main.ts` until it ends. */
export const runExample = (name: string, env: Readonly<Record<string, string>>) =>
  runCommand([process.execPath, "--conditions=trunkline-source", `examples/${name}/main.ts`], env)

/** A new voice secret of the demo workspace. */
export const rotateVoiceSecret = ({ base_url, demo }: Program) =>
  Effect.promise(async () => {
    const response = await fetch(`${base_url}/v1/workspace/rotate-voice-secret`, {
      method: "POST",
      headers: { cookie: `session=${demo().owner_session}`, "content-type": "application/json" },
      body: "{}"
    })
    if (!response.ok) throw new Error(await response.text())
    return ((await response.json()) as { readonly voice_secret: string }).voice_secret
  })
