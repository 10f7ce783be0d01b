// The vendors of mobile money by name, and what they add to the settings.
import * as listed from "../layers/mobilemoney/Vendors.ts"

export const vendors = { ...listed }
type Vendors = typeof vendors
export type VendorName = keyof Vendors

/** The variables of all vendors in one record: an intersection, from a union of the vendors' own. */
type AllVariables = (
  { readonly [N in VendorName]: (variables: Vendors[N]["variables"]) => void }[VendorName] extends (
    variables: infer All
  ) => void
    ? All
    : never
) extends infer All
  ? { readonly [K in keyof All]: All[K] }
  : never

export const vendorNames = Object.keys(vendors) as ReadonlyArray<VendorName>

export const vendorVariables = Object.assign(
  {},
  ...Object.values(vendors).map(({ variables }) => variables)
) as AllVariables
