// What a vendor of mobile money declares. A vendor is one folder beside this file and one line in Vendors.ts.
import { type Layer, type Redacted } from "effect"
import type { MobileMoneyNotices } from "../../domain/ports/MobileMoneyNotices.ts"
import type { MobileMoney } from "../../domain/ports/PaymentProvider.ts"
import type { Variable } from "../settings/Variable.ts"

// oxlint-disable-next-line typescript/no-explicit-any -- a variable of any type
type Variables = Readonly<Record<string, Variable<any>>>

/** The values of the variables. */
export type Values<V extends Variables> = { readonly [K in keyof V]: V[K] extends Variable<infer A> ? A : never }

/** What the engine gives to every vendor. */
export interface VendorContext {
  /** Where the vendor reaches the engine: `https://host` and `mobileMoneyIngestPath`. */
  readonly callbacks: string
  /** For the `:secret` of the vendor's routes. The first one goes into new URLs; the others are still accepted. */
  readonly callback_secrets: readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]
}

type Required<V extends Variables, K extends keyof V> = Omit<Values<V>, K> & {
  readonly [Key in K]: NonNullable<Values<V>[Key]>
}

interface Declaration<V extends Variables, K extends keyof V> {
  /** The vendor's environment variables, in the order of `--help`. Their keys begin with the vendor's name. */
  readonly variables: V
  /** The variables that must be set if the vendor is chosen. */
  readonly required: ReadonlyArray<K>
  readonly layer: (settings: Required<V, K>, context: VendorContext) => Layer.Layer<MobileMoney | MobileMoneyNotices>
}

export interface Vendor<V extends Variables> {
  readonly variables: V
  readonly required: ReadonlyArray<keyof V & string>
  /** Called only after the variables in `required` were found set. */
  readonly layer: (settings: Values<V>, context: VendorContext) => Layer.Layer<MobileMoney | MobileMoneyNotices>
}

/**
 * Declares a vendor. The settings check the required variables before the layer is built, so the layer gets them
 * non-null.
 */
export const vendor = <const V extends Variables, const K extends keyof V & string>({
  layer,
  required,
  variables
}: Declaration<V, K>): Vendor<V> => ({
  variables,
  required,
  layer: (settings, context) => layer(settings as Required<V, K>, context)
})
