// Runs a program to its end, as another user where one is given.
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"

/** The user under whom the server runs. Absent: the one who runs the engine. */
export interface RunAs {
  readonly uid: number
  readonly gid: number
}

/**
 * PostgreSQL reads PG* variables and the locale of its environment: a stranger's must not change how it runs. The
 * programs that make users are often not on the path.
 */
export const environment = { PATH: `${process.env["PATH"] ?? "/usr/bin:/bin"}:/usr/sbin:/sbin`, LC_ALL: "C" }

/** Standard output of the program; fails when it cannot be run or exits other than 0. */
export const run = (command: string, args: ReadonlyArray<string>, user?: RunAs) =>
  Effect.callback<string, EmbeddedPostgresError>((resume) => {
    const options = { ...user, env: environment, cwd: "/", timeout: 60_000 }
    execFile(command, args, options, (cause, stdout, stderr) => {
      if (cause === null) return resume(Effect.succeed(stdout.trim()))
      const message = `${command} failed: ${stderr.trim() || cause.message}`
      resume(Effect.fail(new EmbeddedPostgresError({ message, cause })))
    })
  })

/** A file operation; its failure names what was attempted. */
export const attempt = <A>(what: string, operation: () => Promise<A>) =>
  Effect.tryPromise({
    try: operation,
    catch: (cause) => new EmbeddedPostgresError({ message: `Cannot ${what}: ${String(cause)}`, cause })
  })
