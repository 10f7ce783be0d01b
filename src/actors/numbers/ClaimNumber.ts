// A claim as its workspace sees it: it asks for a number, waits for what the number makes of it, and is told.
import { Effect, Queue } from "effect"
import {
  NumberAlreadyClaimed,
  NumberNotFound,
  NumberRetired,
  NumberWalletUnavailable
} from "../../domain/errors/NumberErrors.ts"
import { WorkspaceLockedToByoc } from "../../domain/errors/TrunkErrors.ts"
import { WalletInsufficientFunds, WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import type { Failure } from "../../domain/errors/Failure.ts"
import type { NumberSettled } from "../../domain/numbers/NumberCommand.ts"
import type { NumberRecord } from "../../domain/numbers/NumberRecord.ts"
import type { NumberTerms } from "../../domain/numbers/PhoneNumber.ts"
import { Directory } from "../../domain/ports/Directory.ts"
import type { Currency } from "../../domain/wallet/Currency.ts"
import type { Workspace } from "../../domain/workspace/Workspace.ts"
import { Ids } from "../../domain/ports/Ids.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import { NumberReads } from "../../domain/ports/NumberReads.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { WalletReads } from "../../domain/ports/WalletReads.ts"
import { type RequestContext, systemContext } from "../shared/RequestContext.ts"
import { NumberActor } from "./NumberActor.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"

/** How long a claim is waited for. It goes on without whoever waited, and ends one way or the other. */
const patience = "5 seconds"

export type ClaimNumber = (
  workspace_id: string,
  id: string,
  context?: RequestContext
) => Effect.Effect<NumberRecord, Failure | NotCommitted | ReadFailed>

/** The workspace with its currency, if it has a wallet. */
export const payingWorkspace = (
  workspace: Workspace | undefined
): Effect.Effect<Workspace & { readonly currency: Currency }, WalletNotFound> => {
  const currency = workspace?.currency ?? null
  return workspace === undefined || currency === null
    ? Effect.fail(new WalletNotFound())
    : Effect.succeed({ ...workspace, currency })
}

export const makeClaimNumber = Effect.gen(function* () {
  const directory = yield* Directory
  const ids = yield* Ids
  const reads = yield* NumberReads
  const system = yield* ActorSystem
  const wallets = yield* WalletReads

  /** What would refuse the claim anyhow is said before the number is taken from others for it. */
  const refuseEarly = Effect.fnUntraced(function* (
    { id, number_mode }: Workspace,
    { monthly_price_minor }: NumberTerms
  ) {
    if (number_mode === "byoc") return yield* new WorkspaceLockedToByoc()
    const balance = yield* Effect.mapError(wallets.balance(id), (cause) => new NumberWalletUnavailable({ cause }))
    if (balance === undefined) return yield* new WalletNotFound()
    if (balance.available_minor < monthly_price_minor) return yield* new WalletInsufficientFunds()
  })

  const ofEntry = (
    notices: Queue.Dequeue<NumberSettled, unknown>,
    entry_id: string
  ): Effect.Effect<NumberSettled, unknown> =>
    Effect.flatMap(Queue.take(notices), (notice) =>
      notice.entry_id === entry_id ? Effect.succeed(notice) : ofEntry(notices, entry_id)
    )

  const claim: ClaimNumber = (workspace_id, id, context = systemContext) =>
    Effect.gen(function* () {
      const workspace = yield* Effect.flatMap(directory.workspace(workspace_id), payingWorkspace)
      const offer = yield* reads.offer(id, workspace.currency)
      if (offer === undefined) return yield* new NumberNotFound()
      if (offer.status === "retired") return yield* new NumberRetired()
      if (offer.status === "available" && offer.terms !== null) yield* refuseEarly(workspace, offer.terms)
      const { idempotency = null, origin } = context
      const notices = yield* system.subscribe(NumberActor, id)
      const reply = yield* system.ask(NumberActor, id, {
        _tag: "Claim",
        workspace_id,
        terms: offer.terms,
        entry_id: ids.uuid(),
        origin,
        kept_under: idempotency
      })
      if (reply._tag !== "Claiming") return yield* new NumberAlreadyClaimed()
      const settled = yield* ofEntry(notices, reply.entry_id).pipe(
        Effect.timeout(patience),
        Effect.mapError((cause) => new NumberWalletUnavailable({ cause }))
      )
      return settled.record ?? (yield* Effect.fail(settled.failure ?? new NumberAlreadyClaimed()))
    }).pipe(Effect.scoped)
  return claim
})
