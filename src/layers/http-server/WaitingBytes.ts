// The rule for readers that do not take what is sent to them. Pure: NodeServer's connections are in SlowReaders.ts.

/** Limits on bytes that wait in this process for clients to take them. */
export interface WaitingLimits {
  readonly connection: number
  /** The limit for all connections from one address together. */
  readonly address: number
  readonly total: number
  /** A reader that takes nothing for this long is cut off, in milliseconds. */
  readonly stalled_ms: number
}

export interface Reader {
  /** Whose share the bytes count for; undefined for connections that have no such share, such as a proxy's. */
  readonly address: string | undefined
  /** Bytes that wait for the client. */
  waiting: number
  /** Bytes that the client has taken, or any other value that changes when it takes some. */
  taken: string
  /** When it last took some, or when bytes began to wait. */
  since: number
}

export const cutReasons = ["stalled", "connection", "address", "total"] as const
export type CutReason = (typeof cutReasons)[number]

/** Which readers are cut off. `K` identifies a connection. */
export class WaitingBytes<K> {
  private readonly limits: WaitingLimits
  private readonly readers = new Map<K, Reader>()
  private readonly ofAddress = new Map<string, number>()
  private sum = 0

  constructor(limits: WaitingLimits) {
    this.limits = limits
  }

  /** Bytes that wait for all readers. */
  get total(): number {
    return this.sum
  }

  add(id: K, address: string | undefined, now: number): void {
    this.readers.set(id, { address, waiting: 0, taken: "", since: now })
  }

  remove(id: K): void {
    const reader = this.readers.get(id)
    if (reader === undefined) return
    this.count(reader, 0)
    this.readers.delete(id)
  }

  /** Takes a measurement. Returns the connection to be cut off because of it, and why. */
  measured(
    id: K,
    waiting: number,
    taken: string,
    now: number
  ): { readonly id: K; readonly reason: CutReason } | undefined {
    const reader = this.readers.get(id)
    if (reader === undefined) return undefined
    if (waiting === 0 || reader.waiting === 0 || taken !== reader.taken) reader.since = now
    reader.taken = taken
    this.count(reader, waiting)
    if (waiting > 0 && now - reader.since >= this.limits.stalled_ms) return { id, reason: "stalled" }
    if (waiting > this.limits.connection) return { id, reason: "connection" }
    const { address } = reader
    if (address !== undefined && (this.ofAddress.get(address) ?? 0) > this.limits.address)
      return this.longest("address", address)
    return this.sum > this.limits.total ? this.longest("total") : undefined
  }

  ids(): IterableIterator<K> {
    return this.readers.keys()
  }

  /** The reader that has taken nothing for the longest time, of an address or of all. */
  private longest(reason: CutReason, address?: string): { readonly id: K; readonly reason: CutReason } | undefined {
    let worst: K | undefined
    let since = Number.POSITIVE_INFINITY
    for (const [id, reader] of this.readers) {
      if (reader.waiting === 0 || reader.since >= since || (address !== undefined && reader.address !== address))
        continue
      worst = id
      since = reader.since
    }
    return worst === undefined ? undefined : { id: worst, reason }
  }

  private count(reader: Reader, waiting: number): void {
    const more = waiting - reader.waiting
    reader.waiting = waiting
    this.sum += more
    if (reader.address === undefined) return
    const ofAddress = (this.ofAddress.get(reader.address) ?? 0) + more
    if (ofAddress === 0) this.ofAddress.delete(reader.address)
    else this.ofAddress.set(reader.address, ofAddress)
  }
}
