// What a vendor of a service declares: its settings and its layer. A vendor is a folder and one line in a list.
import type { Layer } from "effect"
import type { Variable } from "./Variable.ts"

// oxlint-disable-next-line typescript/no-explicit-any -- a variable of any type
export type Variables = Readonly<Record<string, Variable<any>>>

/** The values of the variables. */
export type Values<V extends Variables> = { readonly [K in keyof V]: V[K] extends Variable<infer A> ? A : never }

type Required<V extends Variables, K extends keyof V> = Omit<Values<V>, K> & {
  readonly [Key in K]: NonNullable<Values<V>[Key]>
}

export interface Declaration<Ports, Context, V extends Variables, K extends keyof V> {
  /** The vendor's environment variables, in the order of `--help`. Their keys begin with the vendor's name. */
  readonly variables: V
  /** The variables that must be set if the vendor is chosen. */
  readonly required: ReadonlyArray<K>
  readonly layer: (settings: Required<V, K>, context: Context) => Layer.Layer<Ports>
  /** What a production start refuses in these settings. Default: nothing. */
  readonly refusedInProduction?: (settings: Values<V>) => ReadonlyArray<Refusal>
}

/** One setting that a production start refuses. */
export interface Refusal {
  /** The variable, and what is wrong with it. It never has a secret. */
  readonly setting: string
  /** What would happen, and what to set instead. */
  readonly why: string
}

export interface Vendor<Ports, Context, V extends Variables> {
  readonly variables: V
  readonly required: ReadonlyArray<keyof V & string>
  /** Called only after the variables in `required` were found set. */
  readonly layer: (settings: Values<V>, context: Context) => Layer.Layer<Ports>
  readonly refusedInProduction: (settings: Values<V>) => ReadonlyArray<Refusal>
}

/**
 * Returns a function that declares a vendor of these ports. The settings check the required variables before the layer
 * is built, so the layer gets them non-null. `Context` is what the engine gives to every vendor.
 */
export const vendorOf =
  <Ports, Context>() =>
  <const V extends Variables, const K extends keyof V & string>({
    layer,
    refusedInProduction = () => [],
    required,
    variables
  }: Declaration<Ports, Context, V, K>): Vendor<Ports, Context, V> => ({
    variables,
    required,
    refusedInProduction,
    layer: (settings, context) => layer(settings as Required<V, K>, context)
  })
