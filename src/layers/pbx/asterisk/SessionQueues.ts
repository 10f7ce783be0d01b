// Commands of sessions on their way to an Asterisk: in the order of each session, and no session waits for another's.
import { Effect, Semaphore } from "effect"
import type { PbxCommand } from "../../../domain/pbx/PbxCommand.ts"
import type { AriAway } from "./Ari.ts"

export interface SessionQueuesOptions {
  /** Fails where Asterisk cannot be asked. */
  readonly carryOut: (command: PbxCommand) => Effect.Effect<void, AriAway>
  readonly acknowledge: (command_ids: ReadonlyArray<string>) => Effect.Effect<void>
  readonly run: (effect: Effect.Effect<void>) => void
  /** Sessions that are worked on at once. */
  readonly at_once: number
}

export class SessionQueues {
  /** What waits, of each session that is worked on. */
  private readonly waiting = new Map<string, Array<PbxCommand>>()
  private readonly options: SessionQueuesOptions
  private readonly turns: Semaphore.Semaphore

  constructor(options: SessionQueuesOptions) {
    this.options = options
    this.turns = Semaphore.makeUnsafe(options.at_once)
  }

  /** Takes them in at once. What waits already is not taken twice. */
  add(commands: ReadonlyArray<PbxCommand>): void {
    for (const [session_id, ofSession] of Map.groupBy(commands, (command) => command.session_id)) {
      const lane = this.waiting.get(session_id)
      if (lane === undefined) {
        this.waiting.set(session_id, ofSession)
        this.options.run(this.turns.withPermits(1)(this.workOff(session_id)))
      } else {
        lane.push(...ofSession.filter(({ id }) => !lane.some((waits) => waits.id === id)))
      }
    }
  }

  private workOff(session_id: string): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      for (
        let commands = this.waiting.get(session_id)!;
        commands.length > 0;
        commands = this.waiting.get(session_id)!
      ) {
        this.waiting.set(session_id, [])
        yield* this.options.acknowledge(yield* this.inOrder(session_id, commands))
      }
    }).pipe(Effect.ensuring(Effect.sync(() => this.waiting.delete(session_id))))
  }

  /** From one on that fails they are left without acknowledgement, and come again. */
  private inOrder(session_id: string, commands: ReadonlyArray<PbxCommand>): Effect.Effect<ReadonlyArray<string>> {
    const taken: Array<string> = []
    return Effect.forEach(
      commands,
      (command) =>
        this.options.carryOut(command).pipe(
          Effect.catchDefect((defect) => Effect.logError(`Command ${command.id} cannot be carried out`, defect)),
          Effect.andThen(Effect.sync(() => taken.push(command.id)))
        ),
      { discard: true }
    ).pipe(
      Effect.catch((error) =>
        Effect.andThen(
          Effect.sync(() => this.waiting.set(session_id, [])),
          Effect.logWarning("Asterisk cannot be asked", error.cause)
        )
      ),
      Effect.map(() => taken)
    )
  }
}
