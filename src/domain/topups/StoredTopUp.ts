// The stored state of a top-up.
import { type TopUpId, toTopUpId } from "../BrandedIds.ts"
import { storedState } from "../state/StoredState.ts"
import { type PresentTopUp, StoredTopUp, topUpOf } from "./TopUp.ts"

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
