// A place in the events of a workspace: the `id` of an event in its live stream (docs/api.md).

/** Events are ordered by `order`, then by `sequence`, then by `id`. */
export interface EventPosition {
  /** The place of the transaction that stored the event. Later transactions have higher ones. */
  readonly order: bigint
  /** The sequence of the event among those of its subject. */
  readonly sequence: number
  /** The id of the event. */
  readonly id: string
}

const nil = "00000000-0000-0000-0000-000000000000"

/** The place before all events of a transaction and of later ones. */
export const positionBefore = (order: bigint): EventPosition => ({ order, sequence: 0, id: nil })

const written = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.(\d{1,18})\.(\d{1,9})$/

/** The text that a client sends back as `Last-Event-ID`. */
export const positionText = ({ id, order, sequence }: EventPosition): string => `${id}.${order}.${sequence}`

/** Undefined: the text is no position. */
export const readPosition = (text: string): EventPosition | undefined => {
  const [, id, order, sequence] = written.exec(text) ?? []
  return id === undefined || order === undefined || sequence === undefined
    ? undefined
    : { order: BigInt(order), sequence: Number(sequence), id }
}
