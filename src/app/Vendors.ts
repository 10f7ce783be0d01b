// The vendors of payments by name, and what they add to the settings.
import * as cards from "../layers/card/Vendors.ts"
import * as mobileMoney from "../layers/mobilemoney/Vendors.ts"
import { keysOf } from "../domain/KeysOf.ts"

interface AnyVendor {
  readonly variables: object
}

/** The variables of all vendors in one record: an intersection, from a union of the vendors' own. */
type AllVariables<L extends Readonly<Record<string, AnyVendor>>> = (
  { readonly [N in keyof L]: (variables: L[N]["variables"]) => void }[keyof L] extends (variables: infer All) => void
    ? All
    : never
) extends infer All
  ? { readonly [K in keyof All]: All[K] }
  : never

const variablesOf = <L extends Readonly<Record<string, AnyVendor>>>(vendors: L): AllVariables<L> =>
  Object.assign({}, ...Object.values(vendors).map(({ variables }) => variables))

export const mobileMoneyVendors = { ...mobileMoney }
export const mobileMoneyVendorNames = keysOf(mobileMoneyVendors)
export const mobileMoneyVariables = variablesOf(mobileMoneyVendors)

export const cardVendors = { ...cards }
export const cardVendorNames = keysOf(cardVendors)
export const cardVariables = variablesOf(cardVendors)
