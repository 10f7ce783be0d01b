// From where devices have authenticated by UDP. Asterisk's security events tell it once. So that devices can be called
// after a restart of the engine too, a global variable of Asterisk keeps the addresses of those that are registered.
import { Effect, Schema } from "effect"
import { addressKey, type PacketAddress } from "../../../../domain/credentials/DeviceContact.ts"
import type { Ari, AriAway } from "../ari/Ari.ts"
import { deviceOf } from "./UserObjects.ts"

/** Longer than a phone's registration, which authenticates again before its end. */
const known_ms = 20 * 60_000
/** What is remembered of each endpoint, and of how many: the oldest is forgotten first. */
export const provenBounds = { addresses: 32, endpoints: 100_000 } as const

/** Sets a value as the newest, and forgets the oldest beyond the bound. */
const remember = <V>(map: Map<string, V>, key: string, value: V, most: number): void => {
  map.delete(key)
  map.set(key, value)
  if (map.size <= most) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}

/** An address of an endpoint's device. */
export interface EndpointAddress extends PacketAddress {
  readonly endpoint: string
}

const entryOf = (from: EndpointAddress): string => `${from.endpoint}/${addressKey(from)}`

const isVariable = Schema.is(Schema.Struct({ value: Schema.String }))
const variableOf = (username: string): string => `TRUNKLINE_DEVICES_${username}`

/** Times are Unix times in milliseconds. */
export class ProvenAddresses {
  private readonly ari: Ari
  /** By endpoint: when it last authenticated from each address. */
  private readonly seen = new Map<string, Map<string, number>>()
  /** By user: the addresses that Asterisk keeps. */
  private readonly kept = new Map<string, ReadonlyArray<string>>()

  constructor(ari: Ari) {
    this.ari = ari
  }

  add(from: EndpointAddress, now: number): void {
    const addresses = this.seen.get(from.endpoint) ?? new Map<string, number>()
    remember(addresses, addressKey(from), now, provenBounds.addresses)
    remember(this.seen, from.endpoint, addresses, provenBounds.endpoints)
  }

  has(from: EndpointAddress, now: number): boolean {
    const seen_at = this.seen.get(from.endpoint)?.get(addressKey(from)) ?? -Infinity
    const kept = this.kept.get(deviceOf(from.endpoint).username) ?? []
    return now < seen_at + known_ms || kept.includes(entryOf(from))
  }

  /** Reads what an engine before this one has kept, once. */
  load(username: string): Effect.Effect<void, AriAway> {
    return Effect.suspend(() =>
      this.kept.has(username)
        ? Effect.void
        : Effect.map(this.ari.request("GET", "/asterisk/variable", { variable: variableOf(username) }), ({ body }) => {
            if (!this.kept.has(username))
              this.kept.set(username, isVariable(body) && body.value !== "" ? body.value.split(",") : [])
          })
    )
  }

  /** Keeps the address of a registered device, beside others of the user. */
  keep(from: EndpointAddress): Effect.Effect<void, AriAway> {
    return this.set(from, (kept) => [...kept, entryOf(from)])
  }

  /** The device is no longer registered. */
  drop(from: EndpointAddress): Effect.Effect<void, AriAway> {
    return this.set(from, (kept) => kept.filter((each) => each !== entryOf(from)))
  }

  /** Keeps these addresses of the user's devices, and no others. */
  keepOnly(username: string, from: ReadonlyArray<EndpointAddress>): Effect.Effect<void, AriAway> {
    return this.replace(username, from.map(entryOf))
  }

  /** An Asterisk that was restarted has lost what it kept. */
  keepAgain(username: string): Effect.Effect<void, AriAway> {
    return Effect.suspend(() => {
      const kept = this.kept.get(username) ?? []
      return kept.length === 0 ? Effect.void : this.write(username, kept)
    })
  }

  forget(username: string): Effect.Effect<void, AriAway> {
    return Effect.suspend(() => {
      const kept = this.kept.get(username) ?? []
      this.kept.delete(username)
      return kept.length === 0 ? Effect.void : this.write(username, [])
    })
  }

  private set(
    { endpoint }: EndpointAddress,
    next: (kept: ReadonlyArray<string>) => ReadonlyArray<string>
  ): Effect.Effect<void, AriAway> {
    const { username } = deviceOf(endpoint)
    return Effect.suspend(() => this.replace(username, next(this.kept.get(username) ?? [])))
  }

  private replace(username: string, entries: ReadonlyArray<string>): Effect.Effect<void, AriAway> {
    return Effect.suspend(() => {
      const next = [...new Set(entries)].sort()
      if (next.join(",") === (this.kept.get(username) ?? []).join(",")) return Effect.void
      this.kept.set(username, next)
      return this.write(username, next)
    })
  }

  /** Without a value, Asterisk removes the variable. */
  private write(username: string, entries: ReadonlyArray<string>): Effect.Effect<void, AriAway> {
    const value = entries.length === 0 ? undefined : entries.join(",")
    return Effect.asVoid(this.ari.request("POST", "/asterisk/variable", { variable: variableOf(username), value }))
  }
}
