// What a new sandbox begins with: money, and a number that its calls can be from. So its first request can be a call.
import { Effect } from "effect"
import { systemOrigin as origin } from "../../domain/access/Origin.ts"
import { type NumberId, toNumberId, type WorkspaceId } from "../../domain/BrandedIds.ts"
import { Failure } from "../../domain/errors/Failure.ts"
import { NumberWalletUnavailable } from "../../domain/errors/NumberErrors.ts"
import { ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { startingCredit_minor } from "../../domain/numbers/TestNetwork.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { WalletReads } from "../../domain/ports/money/WalletReads.ts"
import { NumberReads } from "../../domain/ports/numbers/NumberReads.ts"
import { traced } from "../../domain/Traced.ts"
import type { Currency } from "../../domain/wallet/Currency.ts"
import { WalletCommands } from "../../domain/wallet/WalletCommand.ts"
import { makeSettleClaim } from "../numbers/ClaimNumber.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"

/** How many free numbers are read. A sandbox tries one of them by its id, so that two rarely try the same. */
const choice = 20

/** Gives a sandbox its first money and number. A repetition changes nothing. It may fail, and is tried again. */
export const makeStartSandbox = Effect.gen(function* () {
  const ids = yield* Ids
  const numbers = yield* NumberReads
  const settle = yield* makeSettleClaim
  const system = yield* ActorSystem
  const wallets = yield* WalletReads

  /** The wallet knows its latest entries alone, so the ledger is asked first. */
  const credit = Effect.fnUntraced(function* (id: WorkspaceId, currency: Currency) {
    const entry_id = ids.named(`starting credit of ${id}`)
    if ((yield* wallets.entry(id, entry_id)) !== undefined) return
    yield* system.ask(WalletCommands.Credit, id, {
      entry_id,
      kind: "manual_credit",
      amount_minor: startingCredit_minor(currency),
      reference_type: "sandbox",
      reference_id: entry_id,
      description: "Credit that test mode begins with",
      origin
    })
  })

  /** Claims a number that is free. One that another sandbox has just taken makes this fail. */
  const claim = Effect.fnUntraced(function* (id: WorkspaceId, currency: Currency) {
    const free = yield* numbers.available(id, currency, {}, choice)
    const [first] = free
      .map(({ inventory_id }) => toNumberId(inventory_id))
      .toSorted((a, b) => order(id, a) - order(id, b))
    const offer = first === undefined ? undefined : yield* numbers.offer(first, currency)
    // Without a number that it can claim, a sandbox begins with money alone.
    if (first === undefined || offer === undefined) return
    const entry_id = ids.named(`starting number of ${id}: ${first}`)
    yield* settle(first, {
      workspace_id: id,
      terms: offer.terms,
      entry_id,
      origin,
      kept_under: null,
      starts_sandbox: true
    })
  })

  const order = (id: WorkspaceId, number_id: NumberId): number =>
    Number.parseInt(ids.named(`${id} ${number_id}`).slice(0, 8), 16)

  const number = Effect.fnUntraced(function* (id: WorkspaceId, currency: Currency) {
    const held = yield* numbers.held(id)
    if (held.some(({ claiming }) => claiming)) return yield* new ServiceUnavailable()
    if (held.length === 0) yield* claim(id, currency)
  })

  return traced("Sandboxes.start")(function* (id: WorkspaceId, currency: Currency) {
    yield* credit(id, currency)
    yield* Effect.catchIf(number(id, currency), isFinal, (cause) =>
      Effect.logWarning("A sandbox begins without a number", cause).pipe(Effect.annotateLogs({ workspace_id: id }))
    )
  })
})

/** A refusal that another attempt would get again. */
const isFinal = (error: unknown): error is Failure =>
  error instanceof Failure &&
  !(error instanceof ServiceUnavailable) &&
  !(error instanceof NumberWalletUnavailable) &&
  error._tag !== "numbers.already_claimed"
