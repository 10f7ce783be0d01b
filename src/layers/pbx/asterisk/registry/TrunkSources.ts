// From where the calls of trunks come, and which trunks have an address in common.
import { type AddressRange, overlap, readRange } from "../../../../domain/targets/AddressRange.ts"
import { keyOf } from "../../../../domain/trunks/ServingPlaces.ts"

const wide = "wide"

interface Filed<A> {
  readonly item: A
  readonly ranges: ReadonlyArray<AddressRange>
}

const rangesOf = (hosts: ReadonlyArray<string>) => hosts.flatMap((host) => readRange(host) ?? [])
const keysOf = (hosts: ReadonlyArray<string>) => new Set(hosts.map((host) => keyOf(host) ?? wide))

export class TrunkSources<A> {
  private readonly filed = new Map<string, Map<string, Filed<A>>>()
  private readonly keys = new Map<string, ReadonlySet<string>>()

  /** Replaces what the item with this id had before. */
  set(id: string, item: A, hosts: ReadonlyArray<string>): void {
    this.delete(id)
    const keys = keysOf(hosts)
    this.keys.set(id, keys)
    for (const key of keys) {
      const sharing = this.filed.get(key) ?? new Map<string, Filed<A>>()
      this.filed.set(key, sharing.set(id, { item, ranges: rangesOf(hosts) }))
    }
  }

  delete(id: string): void {
    for (const key of this.keys.get(id) ?? []) {
      const sharing = this.filed.get(key)
      sharing?.delete(id)
      if (sharing?.size === 0) this.filed.delete(key)
    }
    this.keys.delete(id)
  }

  /** The items that have an address in common with the hosts: addresses and ranges. */
  meeting(hosts: ReadonlyArray<string>): ReadonlyArray<A> {
    const ranges = rangesOf(hosts)
    const near = [...keysOf(hosts), wide].flatMap((key) => [...(this.filed.get(key)?.values() ?? [])])
    const met = near.filter((each) => each.ranges.some((range) => ranges.some((other) => overlap(range, other))))
    return [...new Set(met.map(({ item }) => item))]
  }
}
