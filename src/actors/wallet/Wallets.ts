// Wallets for HTTP, the library and other actors. A repeated credit or debit is made once.
import { Context, Effect, Layer } from "effect"
import type { Origin } from "../../domain/access/Origin.ts"
import { IdempotencyConflict } from "../../domain/errors/GeneralErrors.ts"
import { WalletInvalidAmount, WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { WalletReads } from "../../domain/ports/money/WalletReads.ts"
import {
  adjustmentOf,
  type AdjustmentRefusal,
  type AdjustmentRequest,
  isEntryOf
} from "../../domain/wallet/Adjustment.ts"
import type { StatementEntry } from "../../domain/wallet/StatementEntry.ts"
import type { WalletBalance, WalletPatch } from "../../domain/wallet/WalletBalance.ts"
import type { Currency } from "../../domain/wallet/Currency.ts"
import type { Refusal, Tag } from "../../domain/Command.ts"
import { type Credit, type Debit, WalletCommands } from "../../domain/wallet/WalletCommand.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import { traced } from "../../domain/Traced.ts"

/** The balance after a movement, in minor units. */
export interface Moved {
  readonly balance_minor: number
}

type Refused<T extends Tag<WalletCommands>> = Refusal<WalletCommands, T> | NotCommitted

export class Wallets extends Context.Service<
  Wallets,
  {
    /** Opens the wallet. A wallet that is open is not changed. */
    readonly open: (workspace_id: WorkspaceId, currency: Currency) => Effect.Effect<void, NotCommitted>
    /** Credits once for each entry id. A repeated credit gets the reply of the first. */
    readonly credit: (
      workspace_id: WorkspaceId,
      credit: Omit<Credit, "_tag">
    ) => Effect.Effect<Moved, Refused<"Credit">>
    /** Debits once for each entry id. Fails if the money is not available, unless the debit may overdraw. */
    readonly debit: (workspace_id: WorkspaceId, debit: Omit<Debit, "_tag">) => Effect.Effect<Moved, Refused<"Debit">>
    /**
     * Calls a debit off that was refused or is undecided. Returns it if it was made; otherwise it never will be,
     * although an earlier question may still be on its way. So what was to be paid for may be given up.
     */
    readonly callOff: (workspace_id: WorkspaceId, entry_id: string) => Effect.Effect<Moved | undefined, NotCommitted>
    /** Sets the balance below which the customer is warned. Returns the wallet after the change. */
    readonly setThreshold: (
      workspace_id: WorkspaceId,
      patch: WalletPatch,
      origin: Origin
    ) => Effect.Effect<WalletBalance, Refused<"SetThreshold"> | WalletInvalidAmount | ReadFailed>
    /**
     * Credits or debits as an operator requests. Returns the ledger entry: for a known entry id that of the first
     * request. Fails with IdempotencyConflict if the entry is of another movement.
     */
    readonly adjust: (
      workspace_id: WorkspaceId,
      request: AdjustmentRequest,
      origin: Origin,
      entry_id?: string
    ) => Effect.Effect<
      StatementEntry,
      Refused<"Credit" | "Debit"> | AdjustmentRefusal | IdempotencyConflict | ReadFailed
    >
  }
>()("trunkline/actors/Wallets") {
  static readonly layer = Layer.effect(
    Wallets,
    Effect.gen(function* () {
      const system = yield* ActorSystem
      const reads = yield* WalletReads
      const ids = yield* Ids

      const balance = (workspace_id: WorkspaceId) =>
        Effect.flatMap(reads.balance(workspace_id), (found): Effect.Effect<WalletBalance, WalletNotFound> =>
          found === undefined ? Effect.fail(new WalletNotFound()) : Effect.succeed(found)
        )

      const findBooked = (workspace_id: WorkspaceId, entry_id: string) =>
        reads.entry(workspace_id, entry_id).pipe(
          Effect.map((entry) => entry && { balance_minor: entry.balance_after_minor }),
          Effect.mapError(({ cause }) => new NotCommitted({ reason: "unavailable", cause }))
        )

      /**
       * Looks into the ledger first, because the actor knows only the latest entries. Looks again after a failure: the
       * write may have been committed, another process may have written the same entry, or the question was asked
       * twice, and the second time the money is missing that the first one took.
       */
      const once = <E>(
        workspace_id: WorkspaceId,
        entry_id: string,
        move: Effect.Effect<Moved, E | NotCommitted>
      ): Effect.Effect<Moved, E | NotCommitted> =>
        Effect.flatMap(findBooked(workspace_id, entry_id), (booked) =>
          booked !== undefined
            ? Effect.succeed(booked)
            : Effect.catch(move, (error) =>
                Effect.flatMap(findBooked(workspace_id, entry_id), (booked): Effect.Effect<Moved, E | NotCommitted> =>
                  booked === undefined ? Effect.fail(error) : Effect.succeed(booked)
                )
              )
        )

      const credit = traced("Wallets.credit")((workspace_id: WorkspaceId, credit: Omit<Credit, "_tag">) =>
        once(workspace_id, credit.entry_id, system.ask(WalletCommands.Credit, workspace_id, credit))
      )
      const debit = traced("Wallets.debit")((workspace_id: WorkspaceId, debit: Omit<Debit, "_tag">) =>
        once(workspace_id, debit.entry_id, system.ask(WalletCommands.Debit, workspace_id, debit))
      )

      /** The wallet writes that the debit is called off. After that, the ledger has it now or never. */
      const callOff = traced("Wallets.callOff")((workspace_id: WorkspaceId, entry_id: string) =>
        system.ask(WalletCommands.CallOff, workspace_id, { entry_id }).pipe(
          Effect.catchTag("wallet.not_found", () => Effect.succeed(null)),
          Effect.flatMap((made) => (made === null ? findBooked(workspace_id, entry_id) : Effect.succeed(made)))
        )
      )

      return Wallets.of({
        callOff,
        open: traced("Wallets.open")((workspace_id, currency) =>
          system.ask(WalletCommands.Open, workspace_id, { currency })
        ),
        credit,
        debit,
        setThreshold: traced("Wallets.setThreshold")(function* (workspace_id, patch, origin) {
          if (patch.low_balance_threshold_minor < 0) return yield* new WalletInvalidAmount()
          yield* system.ask(WalletCommands.SetThreshold, workspace_id, { ...patch, origin })
          return yield* balance(workspace_id)
        }),
        adjust: traced("Wallets.adjust")(function* (workspace_id, request, origin, entry_id = ids.uuid()) {
          const { currency } = yield* balance(workspace_id)
          const movement = yield* Effect.fromResult(adjustmentOf(request, currency, { entry_id, origin }))
          if (movement._tag === "Credit") yield* credit(workspace_id, movement)
          else yield* debit(workspace_id, movement)
          const entry = yield* reads.entry(workspace_id, entry_id)
          if (entry === undefined)
            return yield* new ReadFailed({ cause: new Error("A committed entry cannot be read") })
          return isEntryOf(entry, movement) ? entry : yield* new IdempotencyConflict()
        })
      })
    })
  )
}
