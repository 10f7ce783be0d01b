// The journal's own connection to PostgreSQL. Readers cannot use it up, and it reconnects by itself.
import { PgConnection } from "@effect/sql-pg"
import { Effect, Exit, Scope, Semaphore } from "effect"
import type { SqlError } from "effect/sql"
import { toSubscriptionId } from "../../../domain/BrandedIds.ts"
import { isReadOnly } from "../../../domain/errors/Unavailable.ts"
import { wireTypes } from "./JournalColumns.ts"
import { type JournalSession, SessionFailure } from "./JournalSession.ts"
import { Statements } from "./JournalStatement.ts"

/**
 * It waits for a transaction that is still running, and a later one finds its id taken, so the result is final.
 * Claiming twice does no harm.
 */
const claimId = `INSERT INTO journal_batches (id, status, written_at) VALUES ($1::uuid, 'void', $2::timestamptz)
  ON CONFLICT (id) DO NOTHING`
const readOutcome = "SELECT status FROM journal_batches WHERE id = $1::uuid"
const prune = "DELETE FROM journal_batches WHERE written_at < $1::timestamptz"
const replan = "DISCARD PLANS"

/**
 * Without an answer in this time the connection counts as lost, because networks drop packets. Above
 * `statement_timeout`.
 */
const deadline = "8 seconds"

/**
 * The statements are planned once, by index: a plan that was made for small tables would scan large ones.
 * `synchronous_commit` makes a commit durable, whatever the server's default is.
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

/** SQLSTATE classes and codes (PostgreSQL manual, appendix A) of errors that are not caused by the rows. */
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
  /** Statements without an answer. */
  sent: number
}

type Query = (
  sql: string,
  params: ReadonlyArray<unknown>
) => Effect.Effect<ReadonlyArray<PgConnection.Row>, SessionFailure>

const openConnection = (config: PgConnection.Config): Effect.Effect<Query, SessionFailure, Scope.Scope> =>
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
      current = { connection, scope, sent: 0 }
      return current
    })
    const connected = connecting.withPermit(
      Effect.suspend(() => (current === undefined ? connect : Effect.succeed(current)))
    )
    yield* Effect.addFinalizer(() => Effect.suspend(() => close(current)))
    yield* connected
    return (sql, params) =>
      Effect.flatMap(connected, (open) => {
        // Closing the connection makes the statement fail, which ends the race.
        const giveUp = Effect.sleep(deadline).pipe(Effect.andThen(close(open)), Effect.andThen(Effect.never))
        // A session that began while its role was read-only stays so: the next statement is sent in another one.
        const isOver = (failure: SessionFailure) =>
          failure.kind === "lost" || (open.sent === 1 && isReadOnly(failure.cause))
        open.sent++
        return Effect.raceFirst(open.connection.query(sql, params), giveUp).pipe(
          Effect.map(({ rows }) => rows),
          Effect.mapError(classify),
          Effect.tapError((failure) => (isOver(failure) ? close(open) : Effect.void)),
          Effect.ensuring(Effect.sync(() => void open.sent--))
        )
      })
  })

const write =
  (query: Query, statements: Statements): JournalSession["write"] =>
  (id, written_at, batch) =>
    Effect.try({
      try: () => {
        const { parameters, text } = statements.of(batch)
        return { parameters: parameters(id, written_at, batch), text }
      },
      catch: (cause) => new SessionFailure({ kind: "refused", cause })
    }).pipe(
      Effect.flatMap(({ parameters, text }) => query(text, parameters)),
      Effect.map((rows) => rows.map((row) => toSubscriptionId(String(row["subscription_id"]))))
    )

/** Connects at once. Fails if that fails. `often`: see `Statements`. */
export const openSession = (
  config: PgConnection.Config,
  often: number
): Effect.Effect<JournalSession, SessionFailure, Scope.Scope> =>
  Effect.map(openConnection(config), (query) => ({
    write: write(query, new Statements(often)),
    claim: (id, at) =>
      Effect.andThen(query(claimId, [id, new Date(at)]), query(readOutcome, [id])).pipe(
        Effect.map(([row]) => (row?.["status"] === "written" ? "written" : "void"))
      ),
    forget: (before) => Effect.asVoid(query(prune, [new Date(before)])),
    replan: Effect.asVoid(query(replan, []))
  }))
