// Which process runs which actors: shards, each by a lease that its owner renews, by the clock of the database.

export const shards = 12
export const lease_ms = 6_000

const hash = (text: string): number => {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return value >>> 0
}

export const shardOf = (id: string): number => hash(id) % shards

export interface Claimed {
  readonly mine: ReadonlySet<number>
  /** Held, but another process is to have them. */
  readonly unwanted: ReadonlyArray<number>
  readonly owners: ReadonlyMap<number, string>
}

export class LeaseTable {
  private readonly owners = new Map<number, { readonly name: string; readonly until: number }>()
  private readonly members = new Map<string, number>()

  /** Renews what the process has, gives back what it no longer needs, and takes what is free and meant for it. */
  claim(name: string, now: number, given: ReadonlyArray<number>): Claimed {
    for (const shard of given) if (this.owners.get(shard)?.name === name) this.owners.delete(shard)
    this.members.set(name, now + lease_ms)
    for (const [member, until] of this.members) if (until <= now) this.members.delete(member)
    const mine = new Set<number>()
    const unwanted: Array<number> = []
    for (let shard = 0; shard < shards; shard++) {
      const owner = this.owners.get(shard)
      const isFree = owner === undefined || owner.until <= now
      const isMeant = this.meantFor(shard) === name
      if (isFree ? !isMeant : owner.name !== name) continue
      this.owners.set(shard, { name, until: now + lease_ms })
      mine.add(shard)
      if (!isMeant) unwanted.push(shard)
    }
    return { mine, unwanted, owners: new Map([...this.owners].map(([shard, owner]) => [shard, owner.name])) }
  }

  private meantFor(shard: number): string {
    return [...this.members.keys()].reduce((best, each) =>
      hash(`${shard}/${each}`) > hash(`${shard}/${best}`) ? each : best
    )
  }
}
