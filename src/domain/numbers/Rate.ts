/** The price of one minute to the destinations of a prefix. */
export interface Rate {
  readonly prefix: string
  readonly per_min_minor: number
  readonly class: "normal" | "high_risk" | "premium" | "blocked" | "byo"
}

export interface RateFilter {
  readonly currency?: string
  readonly direction?: string
  readonly prefix?: string
}
