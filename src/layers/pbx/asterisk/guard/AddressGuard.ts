// Counts the refused SIP requests of each address, and says which addresses are due to be blocked (docs/asterisk.md).
//
// Anybody can forge the source of a UDP packet. So no block by UDP hits an address from which a device has
// authenticated. Over TCP and TLS the address is certain.
import { parseIpv6 } from "../../../../domain/targets/AddressClass.ts"

/** A security event of Asterisk. `failed`: a wrong password. `unknown`: nobody known by this name or address. */
export interface Attempt {
  readonly kind: "authenticated" | "failed" | "unknown"
  readonly address: string
  readonly transport: string
  /** The endpoint whose password was tried. Absent if it is unknown. */
  readonly endpoint?: string
}

/** Browsers reach Asterisk through the gate, which knows their addresses and authenticates them itself. */
export const isOfGate = ({ transport }: Attempt): boolean => /^WSS?$/.test(transport)

export interface Blocked {
  /** In CIDR notation: an IPv4 address, or an IPv6 network of 64 bits. */
  readonly network: string
  readonly until: number
  /** Whether the requests may have come from elsewhere. */
  readonly forgeable: boolean
}

interface Counted {
  readonly since: number
  readonly failed: number
  readonly all: number
}

const minute_ms = 60_000
/** Wrong passwords within a minute, and how long the address is then blocked. */
const guesses = { max: 10, blocked_ms: 15 * minute_ms } as const
/** Refused requests of any kind within a minute, and how long the address is then blocked. */
const flood = { max: 50, blocked_ms: minute_ms } as const
/** How long an address from which a device has authenticated counts as known. */
const known_ms = 24 * 60 * minute_ms
/** Everything that is remembered is bounded: the oldest is forgotten first. */
export const bounds = { addresses: 10_000, blocked: 500 } as const

/** The engine's own gate connects from here. */
const isOwn = (address: string): boolean => address === "127.0.0.1" || address === "::1"

/** What is blocked together: an IPv4 address, or the IPv6 network from which each host chooses its addresses. */
export const networkOf = (address: string): string => {
  const six = parseIpv6(address)
  if (six === undefined) return `${address}/32`
  const words = [112n, 96n, 80n, 64n].map((shift) => ((six >> shift) & 0xffffn).toString(16))
  return `${words.join(":")}::/64`
}

/** Sets a value as the newest, and forgets the oldest beyond the bound. */
const remember = <V>(map: Map<string, V>, key: string, value: V, most: number): void => {
  map.delete(key)
  map.set(key, value)
  if (map.size <= most) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}

const lasts_ms = ({ all, failed }: Counted): number | undefined => {
  if (failed >= guesses.max) return guesses.blocked_ms
  return all >= flood.max ? flood.blocked_ms : undefined
}

/** Times are Unix times in milliseconds. */
export class AddressGuard {
  private readonly counted = new Map<string, Counted>()
  private readonly known = new Map<string, number>()
  private readonly providers = new Map<string, number>()
  private readonly blocks = new Map<string, Omit<Blocked, "network">>()

  /** Counts the attempt. Returns the block that it makes due; undefined if none is. */
  add(attempt: Attempt, now: number): Blocked | undefined {
    const { address, kind, transport } = attempt
    const network = networkOf(address)
    if (isOwn(address) || isOfGate(attempt)) return undefined
    if (kind === "authenticated") {
      remember(this.known, network, now, bounds.addresses)
      return undefined
    }
    const forgeable = transport === "UDP"
    if (!forgeable && now < (this.providers.get(network) ?? -Infinity) + known_ms) return undefined
    if ((this.blocks.get(network)?.until ?? -Infinity) > now || (forgeable && this.isKnown(network, now)))
      return undefined
    const before = this.counted.get(network)
    const current = before === undefined || now >= before.since + minute_ms ? { since: now, failed: 0, all: 0 } : before
    const counted = {
      ...current,
      all: current.all + 1,
      failed: current.failed + (kind === "failed" ? 1 : 0)
    }
    remember(this.counted, network, counted, bounds.addresses)
    const blocked_ms = lasts_ms(counted)
    return blocked_ms === undefined ? undefined : { network, until: now + blocked_ms, forgeable }
  }

  /**
   * The provider of a chat app has authenticated from here. Its calls for all workspaces come from a few addresses, and
   * each begins as one of nobody: Asterisk knows it by its answer to the challenge alone. So what is refused of one
   * workspace, or of strangers whom the provider serves too, must not shut out the others.
   */
  addProvider({ address, transport }: Attempt, now: number): void {
    if (transport !== "UDP") remember(this.providers, networkOf(address), now, bounds.addresses)
  }

  /** Beyond the bound the oldest block by UDP ends, so that forged packets end no block of a true address. */
  block({ forgeable, network, until }: Blocked): void {
    this.counted.delete(network)
    this.blocks.delete(network)
    this.blocks.set(network, { until, forgeable })
    if (this.blocks.size <= bounds.blocked) return
    const [oldest] = [...this.blocks].find(([, block]) => block.forgeable) ?? [...this.blocks.keys()]
    if (oldest !== undefined) this.blocks.delete(oldest)
  }

  /** Does not block the address, and counts its attempts from zero again. */
  spare({ network }: Blocked): void {
    this.counted.delete(network)
  }

  /** Ends the blocks whose time is over. Returns whether there were any. */
  expire(now: number): boolean {
    const over = [...this.blocks].filter(([, { until }]) => until <= now)
    for (const [network] of over) this.blocks.delete(network)
    return over.length > 0
  }

  /** The blocked networks. */
  get blocked(): ReadonlyArray<string> {
    return [...this.blocks.keys()]
  }

  /** How many networks are remembered. */
  get size(): number {
    return this.counted.size + this.known.size + this.providers.size + this.blocks.size
  }

  private isKnown(network: string, now: number): boolean {
    return now < (this.known.get(network) ?? -Infinity) + known_ms
  }
}
