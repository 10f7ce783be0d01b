/** Where a page begins: after the row with this sort key (epoch milliseconds) and id, newest first. */
export interface After {
  readonly at: number
  readonly id: string
}
