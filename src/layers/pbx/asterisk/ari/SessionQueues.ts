// Queues of session commands for Asterisk: in order within a session, concurrent between sessions, and by turns between
// tenants.
import { Effect } from "effect"
import { type FairShares, makeFairShares } from "../../../../domain/access/FairShares.ts"
import type { PbxCommand } from "../../../../domain/pbx/PbxCommand.ts"
import type { AriAway } from "./Ari.ts"
import type { SessionId } from "../../../../domain/BrandedIds.ts"

export interface SessionQueuesOptions {
  /** Fails if Asterisk is unreachable. */
  readonly carryOut: (command: PbxCommand) => Effect.Effect<void, AriAway>
  readonly acknowledge: (command_ids: ReadonlyArray<string>) => Effect.Effect<void>
  readonly run: (effect: Effect.Effect<void>) => void
  /** How many sessions are served at once; three quarters of them may be of one tenant. */
  readonly concurrency: number
}

/** The engine gives up its calls sooner. */
const wait_ms = 3_600_000

export class SessionQueues {
  /** The waiting commands of each session that is being served. */
  private readonly queues = new Map<SessionId, Array<PbxCommand>>()
  private readonly options: SessionQueuesOptions
  private readonly places: FairShares

  constructor(options: SessionQueuesOptions) {
    this.options = options
    const total = options.concurrency
    const each = Math.ceil((total * 3) / 4)
    // The commands that wait are in memory anyway, so that their number is not limited here.
    this.places = makeFairShares({ total, each, waiting: Number.POSITIVE_INFINITY, wait_ms })
  }

  /** Returns at once. Commands that are waiting already are not added again. */
  add(commands: ReadonlyArray<PbxCommand>): void {
    for (const [session_id, added] of Map.groupBy(commands, (command) => command.session_id)) {
      const queue = this.queues.get(session_id)
      const [first] = added
      if (queue === undefined && first !== undefined) {
        this.queues.set(session_id, added)
        this.options.run(this.serveInTurn(first.tenant_pbx_id, session_id))
      } else if (queue !== undefined) {
        queue.push(...added.filter(({ id }) => !queue.some((waiting) => waiting.id === id)))
      }
    }
  }

  private take(session_id: SessionId): ReadonlyArray<PbxCommand> {
    const commands = this.queues.get(session_id) ?? []
    this.queues.set(session_id, [])
    return commands
  }

  private serveInTurn(tenant_pbx_id: string, session_id: SessionId): Effect.Effect<void> {
    return Effect.catch(this.places.run(tenant_pbx_id, this.serve(session_id)), () =>
      Effect.andThen(
        Effect.sync(() => this.queues.delete(session_id)),
        Effect.logWarning(`The commands of ${session_id} waited too long; they will be repeated`)
      )
    )
  }

  private serve(session_id: SessionId): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      for (let commands = this.take(session_id); commands.length > 0; commands = this.take(session_id))
        yield* this.options.acknowledge(yield* this.carryOutInOrder(session_id, commands))
    }).pipe(Effect.ensuring(Effect.sync(() => this.queues.delete(session_id))))
  }

  /**
   * Returns the ids of the commands that were carried out. After a failure, the engine sends the remaining ones again.
   */
  private carryOutInOrder(session_id: SessionId, commands: ReadonlyArray<PbxCommand>) {
    const carried_out: Array<string> = []
    return Effect.forEach(
      commands,
      (command) =>
        this.options.carryOut(command).pipe(
          Effect.catchDefect((defect) => Effect.logError(`Command ${command.id} failed unexpectedly`, defect)),
          Effect.andThen(Effect.sync(() => carried_out.push(command.id)))
        ),
      { discard: true }
    ).pipe(
      Effect.catch((error) =>
        Effect.andThen(
          Effect.sync(() => this.queues.set(session_id, [])),
          Effect.logWarning(`Asterisk is unreachable; the commands of ${session_id} will be repeated`, error.cause)
        )
      ),
      Effect.map((): ReadonlyArray<string> => carried_out)
    )
  }
}
