import type { RateRecord } from "./RateSheet.ts"

/** The price of one minute to the destinations of a prefix. */
export type Rate = Pick<RateRecord, "prefix" | "per_min_minor" | "class">

export interface RateFilter {
  readonly currency?: string
  readonly direction?: string
  readonly prefix?: string
}
