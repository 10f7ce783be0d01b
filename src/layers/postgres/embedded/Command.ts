// Runs a program to its end, as another user if one is given.
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"

/** The user that the server runs as. Absent: the user of the engine. */
export interface RunAs {
  readonly uid: number
  readonly gid: number
}

/**
 * The environment of the programs. It is fixed, because PostgreSQL reads PG* variables and the locale. The path
 * includes /usr/sbin and the like, where the programs that create users are.
 */
export const environment = { PATH: `${process.env["PATH"] ?? "/usr/bin:/bin"}:/usr/sbin:/sbin`, LC_ALL: "C" }

/** Returns the standard output. Fails if the program cannot be run or its exit status is not 0. */
export const run = (command: string, args: ReadonlyArray<string>, user?: RunAs) =>
  Effect.callback<string, EmbeddedPostgresError>((resume) => {
    const options = { ...user, env: environment, cwd: "/", timeout: 60_000 }
    execFile(command, args, options, (cause, stdout, stderr) => {
      if (cause === null) return resume(Effect.succeed(stdout.trim()))
      const message = `${command} failed: ${stderr.trim() || cause.message}`
      resume(Effect.fail(new EmbeddedPostgresError({ message, cause })))
    })
  })

/** Runs a file operation. The error message says what was attempted. */
export const attempt = <A>(what: string, operation: () => Promise<A>) =>
  Effect.tryPromise({
    try: operation,
    catch: (cause) => new EmbeddedPostgresError({ message: `Cannot ${what}: ${String(cause)}`, cause })
  })
