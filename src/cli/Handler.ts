// Runs the promises of a command as an Effect: interrupted by Ctrl-C, and with failures that say what helps.
import { Effect } from "effect"
import type { Trunkline } from "../client/Client.ts"
import { type CommandFailure, FaultFound, failureOf, Interrupted } from "./CommandFailure.ts"
import { Connection, type Found } from "./Connection.ts"
import { Output } from "./Output.ts"

export interface Context extends Found {
  readonly client: Trunkline
  readonly out: Output["Service"]
  readonly signal: AbortSignal
}

/** `false`: the command has printed a fault. */
type Work = (context: Context) => Promise<void | boolean>

/** How long a command may take to clean up after Ctrl-C. */
const cleanup_ms = 10_000

/** Ctrl-C aborts the signal, and waits until the command has cleaned up. */
const interruptible = (work: (signal: AbortSignal) => Promise<void | boolean>) =>
  Effect.callback<void | boolean, CommandFailure>((resume) => {
    const stop = new AbortController()
    const done = work(stop.signal).then(
      (isFine) => resume(Effect.succeed(isFine)),
      (cause: unknown) =>
        resume(cause instanceof Interrupted ? Effect.interrupt : Effect.suspend(() => Effect.fail(failureOf(cause))))
    )
    return Effect.promise(async () => {
      stop.abort()
      await Promise.race([done, new Promise((resolve) => setTimeout(resolve, cleanup_ms).unref())])
    })
  })

const handled = (
  as: "asKey" | "asMember" | "asOperator",
  work: Work
): Effect.Effect<void, CommandFailure | FaultFound, Connection | Output> =>
  Effect.gen(function* () {
    const connection = yield* Connection
    const out = yield* Output
    const isFine = yield* interruptible(async (signal) => await work({ ...connection[as](), out, signal }))
    if (isFine === false) return yield* new FaultFound()
  })

/** Without a key or a session. */
export const asStranger = (work: (context: Pick<Context, "baseUrl" | "out" | "signal">) => Promise<void>) =>
  Effect.gen(function* () {
    const connection = yield* Connection
    const out = yield* Output
    yield* interruptible(async (signal) => await work({ baseUrl: connection.baseUrl(), out, signal }))
  })

export const withKey = (work: Work) => handled("asKey", work)
export const asMember = (work: Work) => handled("asMember", work)
export const asOperator = (work: Work) => handled("asOperator", work)
