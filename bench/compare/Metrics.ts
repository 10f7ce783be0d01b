export interface Metric {
  readonly name: string
  readonly unit: string
  /** Whether a rise of it can fail the gate. Times of a shared machine cannot. */
  readonly judged: boolean
}

export type Figures = Readonly<Record<string, number>>
