// The stored state of a top-up. Its id is the key of the row.
import { Schema } from "effect"
import { Origin } from "../access/Origin.ts"
import { type TopUpId, toTopUpId, WorkspaceId } from "../BrandedIds.ts"
import { storedState } from "../state/StoredState.ts"
import { Currency } from "../wallet/Currency.ts"
import { type PresentTopUp, topUpOf } from "./TopUp.ts"
import { SavedCard } from "./SavedCard.ts"
import { FailureCode, TopUpProvider } from "./TopUpRecord.ts"

const Instant = Schema.Int
const Minor = Schema.Int

const StoredTopUp = Schema.Struct({
  facts: Schema.Struct({
    workspace_id: WorkspaceId,
    provider: TopUpProvider,
    amount_minor: Minor,
    currency: Currency,
    phone_e164: Schema.NullOr(Schema.String),
    account_ref: Schema.String,
    created_at: Instant,
    save_card: Schema.optionalKey(Schema.Literal(true)),
    card: Schema.optionalKey(Schema.String)
  }),
  push: Schema.Literals(["none", "begun", "accepted", "refused"]),
  request_id: Schema.NullOr(Schema.String),
  queries: Schema.Int,
  confirmed_at: Schema.NullOr(Instant),
  proof: Schema.NullOr(
    Schema.Struct({
      receipt: Schema.String,
      amount_minor: Minor,
      from_suspense: Schema.Boolean,
      card: Schema.optionalKey(SavedCard)
    })
  ),
  credited: Schema.Boolean,
  failure: Schema.NullOr(Schema.Struct({ code: FailureCode, message: Schema.String })),
  expired: Schema.Boolean,
  page: Schema.NullOr(Schema.Struct({ url: Schema.String, expires_at: Instant })),
  checks: Schema.Int,
  checked: Schema.Int,
  taken_back_minor: Minor,
  reversed_by_hand: Schema.Boolean,
  reversal: Schema.NullOr(
    Schema.Struct({ entry_id: Schema.String, amount_minor: Minor, note: Schema.String, origin: Origin })
  ),
  reversed_minor: Minor,
  completed_at: Schema.NullOr(Instant),
  sequence: Schema.Int
})

interface Version0 {
  readonly proof: { readonly amount_minor: number } | null
  readonly reversal: object | null
  readonly reversed: boolean
}

/** In version 0 an operator reversed all of a top-up, or nothing. */
const fromVersion0 = (stored: Readonly<Record<string, unknown>>) => {
  const { proof, reversal, reversed, ...others } = stored as Readonly<Record<string, unknown>> & Version0
  const amount_minor = proof?.amount_minor ?? 0
  return {
    ...others,
    proof,
    page: null,
    checks: 0,
    checked: 0,
    taken_back_minor: 0,
    reversed_by_hand: reversal !== null,
    reversal: reversal === null || reversed ? null : { ...reversal, amount_minor },
    reversed_minor: reversed ? amount_minor : 0
  }
}

export const topUpState = storedState({ schema: StoredTopUp, upgrades: [fromVersion0] })

export const stateOfTopUp = ({ _tag, id, ...stored }: PresentTopUp): string => topUpState.write(stored)

export const restoreTopUp = topUpState.restore((stored, _row, id): PresentTopUp => topUpOf(toTopUpId(id), stored))

/** The top-up of a stored state, for reads. It is not checked against the schema. */
export const topUpOfState = (id: TopUpId, state: string | object): PresentTopUp => topUpOf(id, topUpState.view(state))
