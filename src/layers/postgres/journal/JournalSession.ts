// The writer's own connection: readers cannot starve it, and it comes back by itself.
import { PgConnection } from "@effect/sql-pg"
import { Data, Effect, Exit, Scope, Semaphore } from "effect"
import type { SqlError } from "effect/sql"
import { wireTypes } from "./JournalColumns.ts"

/**
 * `away`: no connection, nothing was sent. `lost`: the connection broke, and nobody knows what became of what was
 * sent. `busy`: the database takes no such statement now. `refused`: the rows themselves were refused.
 */
export class SessionFailure extends Data.TaggedError("SessionFailure")<{
  readonly kind: "away" | "lost" | "busy" | "refused"
  /** Of the constraint that refused, where one did. */
  readonly constraint?: string
  readonly cause: unknown
}> {}

export interface JournalSession {
  readonly query: (
    sql: string,
    params: ReadonlyArray<unknown>
  ) => Effect.Effect<ReadonlyArray<PgConnection.Row>, SessionFailure>
}

/** PostgreSQL answers or is taken for lost: above `statement_timeout`, for networks that swallow packets. */
const deadline = "8 seconds"

/**
 * Batches are planned once, for tables of any size: by index, since a plan made while they were small would scan them
 * later. `synchronous_commit` is what makes a commit a promise, whatever the server's default.
 */
const settings = {
  statement_timeout: "5s",
  synchronous_commit: "on",
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  jit: "off"
}

/** SQLSTATE classes and codes (PostgreSQL manual, appendix A) that say nothing about the rows. */
const busyStates = /^(25006|42|53|54|55|57|58|F0|XX)/

const classify = (error: SqlError.SqlError): SessionFailure => {
  const { reason } = error
  const fields = (reason.cause ?? {}) as Readonly<Record<string, unknown>>
  const lost = reason._tag === "ConnectionError" || fields["severity"] === "FATAL" || fields["severity"] === "PANIC"
  if (lost) return new SessionFailure({ kind: "lost", cause: error })
  const state = String(fields["code"])
  if (busyStates.test(state)) return new SessionFailure({ kind: "busy", cause: error })
  const constraint = fields["constraint"]
  return new SessionFailure({ kind: "refused", cause: error, ...(typeof constraint === "string" && { constraint }) })
}

interface Open {
  readonly connection: PgConnection.PgConnection
  readonly scope: Scope.Closeable
}

/** Connects at once, and fails where that fails. */
export const openSession = (config: PgConnection.Config): Effect.Effect<JournalSession, SessionFailure, Scope.Scope> =>
  Effect.gen(function* () {
    let current: Open | undefined
    const close = (open: Open | undefined) =>
      Effect.suspend(() => {
        if (current === open) current = undefined
        return open === undefined ? Effect.void : Scope.close(open.scope, Exit.void)
      })
    const connecting = yield* Semaphore.make(1)
    const connect = Effect.gen(function* () {
      const scope = yield* Scope.make()
      const connection = yield* PgConnection.make({
        ...config,
        multiplex: true,
        connectTimeout: "2 seconds",
        types: wireTypes,
        startupParameters: { ...config.startupParameters, ...settings }
      }).pipe(
        Scope.provide(scope),
        Effect.tapError(() => Scope.close(scope, Exit.void)),
        Effect.mapError((cause) => new SessionFailure({ kind: "away", cause }))
      )
      current = { connection, scope }
      return current
    })
    const connected = connecting.withPermit(
      Effect.suspend(() => (current === undefined ? connect : Effect.succeed(current)))
    )
    yield* Effect.addFinalizer(() => Effect.suspend(() => close(current)))
    yield* connected
    return {
      query: (sql, params) =>
        Effect.flatMap(connected, (open) => {
          // Closing the connection makes the statement fail, which ends the race.
          const giveUp = Effect.sleep(deadline).pipe(Effect.andThen(close(open)), Effect.andThen(Effect.never))
          return Effect.raceFirst(open.connection.query(sql, params), giveUp).pipe(
            Effect.map(({ rows }) => rows),
            Effect.mapError(classify),
            Effect.tapError((failure) => (failure.kind === "lost" ? close(open) : Effect.void))
          )
        })
    }
  })
