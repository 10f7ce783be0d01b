// A program of examples/ as a user runs it: a process that is stopped when the scope closes.
import { Effect, type Scope } from "effect"
import { spawn } from "node:child_process"

export interface Example {
  /** All that it has printed. */
  readonly output: () => string
  /** Returns once it has printed this. Dies if it exits before. */
  readonly printed: (text: string) => Effect.Effect<void>
  readonly stop: Effect.Effect<void>
}

/** Runs `examples/<name>/main.ts` with these variables and no other configuration. */
export const runExample = (
  name: string,
  env: Readonly<Record<string, string>>
): Effect.Effect<Example, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      let output = ""
      const child = spawn(process.execPath, ["--conditions=trunkline-source", `examples/${name}/main.ts`], {
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
        Effect.suspend(() =>
          hasExited() && !output.includes(text)
            ? Effect.die(new Error(`examples/${name} ended before it printed "${text}". Its output:\n${output}`))
            : Effect.succeed(output.includes(text))
        ).pipe(Effect.delay("20 millis"), Effect.repeat({ until: (found) => found }), Effect.asVoid)
      const stop = Effect.callback<void>((resume) => {
        if (hasExited()) return resume(Effect.void)
        child.once("exit", () => resume(Effect.void))
        child.kill("SIGKILL")
      })
      return { output: () => output, printed, stop }
    }),
    ({ stop }) => stop
  )
