// Checks the carrier's endpoint in Asterisk: whom it takes for the carrier, from where it calls, and its sound.
import { prefixOf } from "../../../../domain/targets/AddressRange.ts"
import { type Fields, isOn, namesIn, type Reported } from "../ari/AsteriskObjects.ts"
import { rangeOfMatch } from "../ari/IdentifyMatches.ts"

/** The widest ranges that one carrier may have: prefix lengths. */
const widest = { 32: 16, 128: 32 } as const

/** Whoever calls from a range of the carrier is the carrier. */
const rangeFaults = (matches: ReadonlyArray<string>): ReadonlyArray<string> =>
  matches.flatMap((match) => {
    const prefix = prefixOf(rangeOfMatch(match))
    return match.startsWith("!") || prefix === undefined || prefix.length >= widest[prefix.bits]
      ? []
      : [`The carrier's identify admits ${match}: anybody there can call as the carrier. Name its own addresses.`]
  })

/** The transports that trunks name. */
const ofTrunks: ReadonlyArray<string> = ["udp", "tcp", "tls"]

const hostOf = (transport: Fields | undefined): string => (transport?.get("bind") ?? "").replace(/:\d+$/, "")

/**
 * Whether calls over this transport leave from an address or a port that no other transport has. A TCP connection has a
 * port of its own, so only its address tells it from others.
 */
const isApart = (name: string, transports: Reported["transports"], uses_tcp: boolean): boolean => {
  const own = hostOf(transports.get(name))
  if (!uses_tcp || own === "") return own !== ""
  const others = [...transports].flatMap(([other, fields]) => (other === name ? [] : [hostOf(fields)]))
  return ![own, ...others].some((host) => host === "0.0.0.0" || host === "[::]") && !others.includes(own)
}

const isTcp = (uri: string): boolean => /^sips:|;transport=(tcp|tls)\b/i.test(uri)

/** A carrier that trusts an address would carry the calls of tenants that reach it from there. */
const sourceFaults = (
  carrier: string,
  fields: Fields,
  { carrier_contacts, endpoints, transports }: Reported
): ReadonlyArray<string> => {
  if (namesIn(fields, "outbound_auth").length > 0) return []
  const name = fields.get("transport") ?? ""
  const others = [...endpoints].flatMap(([other, each]) => (other === carrier ? [] : [each.get("transport")]))
  const isShared = name === "" || ofTrunks.includes(name) || others.includes(name)
  return isShared || !isApart(name, transports, carrier_contacts.some(isTcp))
    ? [
        `The carrier trusts an address, and calls of tenants leave from the same one. Give the endpoint ${carrier} a ` +
          "transport of its own (CARRIER_SIP_PORT), or a password (outbound_auth)."
      ]
    : []
}

const soundFaults = (carrier: string, fields: Fields): ReadonlyArray<string> => [
  ...(fields.get("rtp_timeout") === "0"
    ? [`A call over ${carrier} whose BYE is lost goes on without sound, and is charged. Set rtp_timeout.`]
    : []),
  ...(isOn(fields, "direct_media")
    ? [`The endpoint ${carrier} needs direct_media = no. Otherwise sound passes by Asterisk.`]
    : [])
]

/** What is unsafe in the carrier's endpoint. */
export const carrierFaults = (carrier: string, reported: Reported): ReadonlyArray<string> => {
  const fields = reported.endpoints.get(carrier)
  return fields === undefined
    ? rangeFaults(reported.carrier_matches)
    : [
        ...rangeFaults(reported.carrier_matches),
        ...sourceFaults(carrier, fields, reported),
        ...soundFaults(carrier, fields)
      ]
}
