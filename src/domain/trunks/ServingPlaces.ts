// The places of all trunks that carry calls, in memory: each probe of each trunk asks for those near its own.
import type { WorkspaceId } from "../BrandedIds.ts"
import { type AddressRange, readRange } from "../targets/AddressRange.ts"
import { nameOf, type SipTarget, type TrunkPlace } from "../targets/HostCheck.ts"

export interface ServingPlace extends TrunkPlace {
  readonly workspace_id: WorkspaceId
}

/** No range of a trunk is wider than these prefixes (`widest_prefix`), so that each lies within one network of them. */
const networkBits = { 32: 16, 128: 48 } as const

const keyOfV4 = (first: number, second: number): string => `${first}.${second}`

/** The network that the range lies in; undefined if the range is wider. */
const networkOf = ({ base, bits, shift }: AddressRange): string | undefined => {
  const rest = BigInt(bits - networkBits[bits])
  if (shift > rest) return undefined
  const network = base >> rest
  return bits === 32 ? keyOfV4(Number(network >> 8n), Number(network & 255n)) : `${network}`
}

const plainV4 = /^(\d{1,3})\.(\d{1,3})\.\d{1,3}\.\d{1,3}(?:\/(\d{1,2}))?$/

/**
 * Under which key a host is filed and looked up. Two hosts with an address in common have the same key, unless one is a
 * wider range than a trunk may have: undefined.
 */
export const keyOf = (host: string): string | undefined => {
  // Most hosts are such, and there may be many.
  const [, first, second, length = networkBits[32]] = plainV4.exec(host) ?? []
  if (first !== undefined && second !== undefined)
    return Number(length) < networkBits[32] ? undefined : keyOfV4(Number(first), Number(second))
  const range = readRange(host)
  return range === undefined ? nameOf(host) : networkOf(range)
}

export class ServingPlaces {
  private readonly of_workspace = new Map<WorkspaceId, TrunkPlace>()
  private readonly near = new Map<string, Set<ServingPlace>>()
  /** Those with a range that is wider than any trunk may have now. */
  private readonly wide = new Set<ServingPlace>()

  constructor(places: Iterable<ServingPlace>) {
    for (const place of places) {
      this.of_workspace.set(place.workspace_id, place)
      for (const host of [place.host, ...place.addresses, ...place.allowed_ips]) {
        const key = keyOf(host)
        if (key === undefined) this.wide.add(place)
        else this.near.set(key, (this.near.get(key) ?? new Set()).add(place))
      }
    }
  }

  /** The place of the workspace's own trunk; undefined if none carries calls. */
  ownOf(workspace_id: WorkspaceId): TrunkPlace | undefined {
    return this.of_workspace.get(workspace_id)
  }

  /** The trunks of other workspaces that may have a name or an address in common with the target. */
  othersNear(workspace_id: WorkspaceId, { addresses, host, ranges = [] }: SipTarget): ReadonlyArray<TrunkPlace> {
    const keys = [host, ...addresses, ...ranges].flatMap((each) => keyOf(each) ?? [])
    const found = new Set([...this.wide, ...keys.flatMap((key) => [...(this.near.get(key) ?? [])])])
    return [...found].filter((place) => place.workspace_id !== workspace_id)
  }
}
