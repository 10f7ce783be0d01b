// Which contacts of devices the PBX calls (docs/asterisk.md). A device writes its contact itself; only its packets tell
// where it is. So a contact is called only if it has exactly the address that the device's packets came from.
import { parseIpv4, parseIpv6 } from "../targets/AddressClass.ts"
import { isWithin } from "../targets/AddressRange.ts"
import { mayConnect, type TargetPolicy } from "../targets/TargetUrl.ts"
import { parseUri } from "../webrtc/SipUri.ts"

/** Where a packet comes from or goes to. An IPv6 address has no brackets. */
export interface PacketAddress {
  readonly address: string
  readonly port: number
}

export interface DeviceAddress extends PacketAddress {
  readonly transport: "tcp" | "tls" | "udp" | "ws"
}

/**
 * The parameters that phones write for themselves or for push services (RFC 3261, 5626, 5627, 8599), and Asterisk's
 * own. `maddr` and others change where or how a request is sent.
 */
const isHarmless = (name: string): boolean =>
  /^(?:transport|ob|gr|line|rinstance|user|x-ast-orig-host|app-id|c?pn-[a-z-]+)$/.test(name)

const transportNamed = (name: string | undefined): DeviceAddress["transport"] | undefined => {
  switch (name) {
    case undefined:
      return "udp"
    case "tcp":
    case "tls":
    case "udp":
    case "ws":
      return name
    default:
      return undefined
  }
}

/**
 * The address in a device's contact as Asterisk stores it. Undefined if it is no plain URI with an IP address and a
 * port, or has parameters or headers that may direct a call elsewhere, or signs that separate destinations.
 */
export const readDeviceContact = (uri: string): DeviceAddress | undefined => {
  const parsed = /[&/]/.test(uri) ? undefined : parseUri(uri)
  if (parsed?.port === undefined) return undefined
  const parameters = parsed.parameters
    .split(";")
    .slice(1)
    .map((each) => {
      const [name = "", value] = each.toLowerCase().split("=", 2)
      return [name, value] as const
    })
  if (!parameters.every(([name]) => isHarmless(name))) return undefined
  const transport = transportNamed(parameters.find(([name]) => name === "transport")?.[1])
  const address = parsed.host.replace(/^\[(.*)\]$/, "$1")
  const isAddress = parseIpv4(address) !== undefined || parseIpv6(address) !== undefined
  if (transport === undefined || !isAddress || (parsed.scheme === "sips" && transport !== "tls")) return undefined
  return { transport, address, port: parsed.port }
}

/** One text for all ways to write an address. */
export const addressKey = ({ address, port }: PacketAddress): string =>
  `${parseIpv6(address)?.toString(16) ?? address}:${port}`

/** Hosts of the platform. Without a port, every port of them. */
export interface PlatformRange {
  /** An address or a range in CIDR notation. */
  readonly range: string
  readonly port: number | undefined
}

/** What decides where the PBX may send calls to devices by UDP. */
export interface DeviceHosts {
  /** Whether private addresses are allowed. */
  readonly policy: TargetPolicy
  /** Ranges of private addresses that are the operator's own network. */
  readonly local: ReadonlyArray<string>
  /** The carrier and the PBX itself. */
  readonly platform: ReadonlyArray<PlatformRange>
}

const everywhere = { allow_insecure: false, allow_private: false }

/**
 * Whether a device may be called at this address by UDP, whose source anybody can forge. Private addresses of the
 * platform are told apart by their port: in development, everybody is on one machine.
 */
export const mayBeDevice = ({ address, port }: PacketAddress, { local, platform, policy }: DeviceHosts): boolean => {
  if (!mayConnect(address, policy) && !isWithin(local, address)) return false
  const isPublic = mayConnect(address, everywhere)
  return !platform.some(
    (each) => isWithin([each.range], address) && (isPublic || each.port === undefined || each.port === port)
  )
}

/** A contact as the PBX has stored it. */
export interface StoredContact {
  readonly uri: string
  /** Whether the registration came over the connection that the contact names. Never by UDP. */
  readonly is_own_connection: boolean
}

/**
 * `called`: the device registered from there. `unproven`: no packet of the device is known from there. `refused`: it
 * may not be called at all.
 */
export type ContactVerdict = "called" | "refused" | "unproven"

export const judgeContact = (
  { is_own_connection, uri }: StoredContact,
  hosts: DeviceHosts,
  /** Whether the device has authenticated from there by UDP. */
  hasSentFrom: (address: PacketAddress) => boolean
): ContactVerdict => {
  const address = readDeviceContact(uri)
  if (address === undefined) return "refused"
  if (address.transport !== "udp") return is_own_connection ? "called" : "refused"
  if (!mayBeDevice(address, hosts)) return "refused"
  return hasSentFrom(address) ? "called" : "unproven"
}

/**
 * One contact of each registration: the one that lasts longest, because a device behind a NAT may get another port and
 * leave its former contact behind.
 */
export const oneForEach = <C extends { readonly call_id: string; readonly expires_at: number }>(
  contacts: ReadonlyArray<C>
): ReadonlyArray<C> =>
  contacts.filter(
    (contact, index) =>
      contact.call_id === "" ||
      !contacts.some(
        (other, at) =>
          other.call_id === contact.call_id &&
          (other.expires_at > contact.expires_at || (other.expires_at === contact.expires_at && at < index))
      )
  )
