// The addresses by which Asterisk identifies an endpoint: the `match` values of its identify object.
import { Effect } from "effect"
import { parseIpv4, parseIpv6 } from "../../../../domain/targets/AddressClass.ts"
import { isWithin } from "../../../../domain/targets/AddressRange.ts"
import type { Ari, AriAway } from "./Ari.ts"
import { namesIn, readObject } from "./AsteriskObjects.ts"

/** Where a request came from. */
export interface Remote {
  readonly address: string
  readonly port: string
}

/** Reads `192.0.2.9:5060` or `[2001:db8::9]:5060`, as `CHANNEL(pjsip,remote_addr)` shows it. */
export const readRemote = (text: string): Remote | undefined => {
  const [, address, port] = /^\[?([^\]]+?)\]?:(\d+)$/.exec(text) ?? []
  return address === undefined || port === undefined ? undefined : { address, port }
}

/** The prefix length of a mask such as `255.255.255.0`, `ffff:ffff::` or `24`. */
export const prefixLength = (mask: string): number => {
  const bits = parseIpv4(mask) ?? parseIpv6(mask)
  return bits === undefined ? Number(mask) : bits.toString(2).replaceAll("0", "").length
}

/** A value such as `198.51.100.0/255.255.255.0` or `203.0.113.7:5060/32`: its range, and its port if it has one. */
export const readMatch = (match: string): { readonly range: string; readonly port: number | undefined } => {
  const [, base = "", mask] = /^([^/]*)(?:\/(.+))?$/.exec(match) ?? []
  const withPort = /^\[(.+)\]:(\d+)$/.exec(base) ?? /^([^:]+):(\d+)$/.exec(base)
  const address = withPort?.[1] ?? base.replaceAll(/[[\]]/g, "")
  const port = withPort?.[2]
  return {
    range: mask === undefined ? address : `${address}/${prefixLength(mask)}`,
    port: port === undefined ? undefined : Number(port)
  }
}

/** `203.0.113.0:5060/255.255.255.0` as the range `203.0.113.0/24`; a `!` before it is left out. */
export const rangeOfMatch = (match: string): string => readMatch(match.replace(/^!/, "")).range

/** Whether a value covers where a request came from. */
export const covers = (match: string, { address, port }: Remote): boolean => {
  const { range, port: only } = readMatch(match)
  return (only === undefined || String(only) === port) && isWithin([range], address)
}

/** The `match` values of the endpoint's identify object; none if it has no such object. */
export const identifyMatches = (ari: Ari, endpoint: string): Effect.Effect<ReadonlyArray<string>, AriAway> =>
  Effect.map(readObject(ari, "identify", endpoint), (fields) => namesIn(fields, "match"))

/** Whether Asterisk identifies this endpoint by the address. A value that begins with `!` excludes addresses. */
export const isIdentifiedBy = (ari: Ari, endpoint: string, remote: Remote): Effect.Effect<boolean, AriAway> =>
  Effect.map(identifyMatches(ari, endpoint), (matches) => {
    const isExcluded = matches.some((match) => match.startsWith("!") && covers(match.slice(1), remote))
    return !isExcluded && matches.some((match) => !match.startsWith("!") && covers(match, remote))
  })
