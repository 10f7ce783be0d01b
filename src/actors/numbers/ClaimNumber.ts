import { Effect, Queue } from "effect"
import type { NotFound } from "../../domain/errors/GeneralErrors.ts"
import {
  NumberAlreadyClaimed,
  NumberNotFound,
  type NumberPriceMissing,
  NumberRetired,
  NumberWalletUnavailable
} from "../../domain/errors/NumberErrors.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { WorkspaceLockedToByoc, type WorkspaceLockedToPlatformNumbers } from "../../domain/errors/TrunkErrors.ts"
import { WalletInsufficientFunds, WalletNotFound } from "../../domain/errors/WalletErrors.ts"
import { type ClaimRefusal, isClaimRefusal } from "../../domain/numbers/ClaimRefusal.ts"
import { type ClaimSettled, NumberCommands, type NumberMessage } from "../../domain/numbers/NumberCommand.ts"
import type { NumberRecord } from "../../domain/numbers/NumberRecord.ts"
import type { NumberTerms } from "../../domain/numbers/PhoneNumber.ts"
import { Directory } from "../../domain/ports/access/Directory.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { NumberReads } from "../../domain/ports/numbers/NumberReads.ts"
import { WalletReads } from "../../domain/ports/money/WalletReads.ts"
import type { Currency } from "../../domain/wallet/Currency.ts"
import { mayHold } from "../../domain/kit/Sandbox.ts"
import type { Workspace } from "../../domain/workspace/Workspace.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { type RequestContext, systemContext } from "../shared/RequestContext.ts"
import { NumberActor } from "./NumberActor.ts"
import type { NumberId, WorkspaceId } from "../../domain/BrandedIds.ts"
import { traced } from "../../domain/Traced.ts"

/** How long a request waits for its claim. The claim itself continues. */
const claimTimeout = "5 seconds"

/** Claims a number for the workspace and debits its first month. */
export type ClaimNumber = (
  workspace_id: WorkspaceId,
  id: NumberId,
  context?: RequestContext
) => Effect.Effect<
  NumberRecord,
  | NumberNotFound
  | NumberRetired
  | NumberAlreadyClaimed
  | NumberPriceMissing
  | NumberWalletUnavailable
  | Exclude<ClaimRefusal, NotFound | WorkspaceLockedToPlatformNumbers>
  | NotCommitted
  | ReadFailed
>

/** The workspace with its currency. Fails if it has no wallet yet. */
export const payingWorkspace = (
  workspace: Workspace | undefined
): Effect.Effect<Workspace & { readonly currency: Currency }, WalletNotFound> => {
  const currency = workspace?.currency ?? null
  return workspace === undefined || currency === null
    ? Effect.fail(new WalletNotFound())
    : Effect.succeed({ ...workspace, currency })
}

/** Waits for the notice of the claim with this ledger entry. */
const settledClaim = (
  notices: Queue.Dequeue<ClaimSettled, unknown>,
  entry_id: string
): Effect.Effect<ClaimSettled, unknown> =>
  Effect.flatMap(Queue.take(notices), (notice) =>
    notice.entry_id === entry_id ? Effect.succeed(notice) : settledClaim(notices, entry_id)
  )

const recordOf = ({ failure, record }: ClaimSettled) => {
  if (record !== null) return Effect.succeed(record)
  if (failure === null) return Effect.fail(new NumberAlreadyClaimed())
  if (!isClaimRefusal(failure)) return Effect.fail(new NumberWalletUnavailable({ cause: failure }))
  // The workspace of a request exists, and one that is locked to numbers of the platform may claim them.
  return Effect.catchTag(Effect.fail(failure), ["not_found", "workspace.locked_to_platform_numbers"], Effect.die)
}

/** Begins a claim, and waits until the workspace and its wallet have agreed. */
export const makeSettleClaim = Effect.map(ActorSystem, (system) =>
  Effect.fnUntraced(function* (id: NumberId, claim: Omit<NumberMessage<"Claim">, "_tag">) {
    const notices = yield* system.subscribe(NumberActor, id)
    const { entry_id } = yield* system.ask(NumberCommands.Claim, id, claim)
    const settled = yield* settledClaim(notices, entry_id).pipe(
      Effect.timeout(claimTimeout),
      Effect.mapError((cause) => new NumberWalletUnavailable({ cause }))
    )
    return yield* recordOf(settled)
  }, Effect.scoped)
)

export const makeClaimNumber = Effect.gen(function* () {
  const directory = yield* Directory
  const ids = yield* Ids
  const reads = yield* NumberReads
  const settle = yield* makeSettleClaim
  const wallets = yield* WalletReads

  /** Refuses what would fail anyway, before the claim blocks the number for other workspaces. */
  const refuseEarly = Effect.fnUntraced(function* (
    { id, number_mode }: Workspace,
    { monthly_price_minor }: NumberTerms
  ) {
    if (number_mode === "byoc") return yield* new WorkspaceLockedToByoc()
    const balance = yield* Effect.mapError(wallets.balance(id), (cause) => new NumberWalletUnavailable({ cause }))
    if (balance === undefined) return yield* new WalletNotFound()
    if (balance.available_minor < monthly_price_minor) return yield* new WalletInsufficientFunds()
  })

  const claim: ClaimNumber = traced("Numbers.claim")(function* (workspace_id, id, context = systemContext) {
    const workspace = yield* Effect.flatMap(directory.workspace(workspace_id), payingWorkspace)
    const offer = yield* reads.offer(id, workspace.currency)
    if (offer === undefined || !mayHold(workspace_id, offer.number)) return yield* new NumberNotFound()
    if (offer.status === "retired") return yield* new NumberRetired()
    if (offer.status === "available" && offer.terms !== null) yield* refuseEarly(workspace, offer.terms)
    const { idempotency = null, origin } = context
    return yield* settle(id, {
      workspace_id,
      terms: offer.terms,
      entry_id: ids.uuid(),
      origin,
      kept_under: idempotency
    })
  })
  return claim
})
