// The tenant and parties of an inbound channel. The dialplan only says how the channel came: `inbound,carrier` for
// calls from outside, `inbound,user` for calls of devices. The rest is read from the channel itself, because Asterisk
// splits arguments at commas and a caller may write commas into a number.
import { Effect } from "effect"
import type { PbxTrunkId } from "../../../../domain/BrandedIds.ts"
import { ServiceUnavailable } from "../../../../domain/errors/GeneralErrors.ts"
import type { Ari, AriAway } from "../ari/Ari.ts"
import type { AriChannel, AriEvent } from "../ari/AriEvent.ts"
import { variableOf } from "../ari/ChannelVariable.ts"
import type { CalledNumbers } from "./CalledNumbers.ts"
import { attestationOf } from "./CallerAttestation.ts"
import { isIdentifiedBy, readRemote, type Remote } from "../ari/IdentifyMatches.ts"
import type { ChatAppTrunk, ChatAppTrunks } from "../registry/ChatAppTrunks.ts"
import { sharedEndpoint } from "../registry/TrunkObjects.ts"
import type { Trunks } from "../registry/Trunks.ts"
import { e164 } from "../../../../domain/numbers/E164.ts"
import type { Attestation } from "../../../../domain/pbx/Attestation.ts"
import { anonymous } from "../../../../domain/numbers/SipParty.ts"
import { isWithin } from "../../../../domain/targets/AddressRange.ts"
import { deviceOf } from "../registry/UserObjects.ts"

export interface Incoming {
  readonly tenant_pbx_id: string
  readonly direction: "inbound" | "outbound"
  readonly from: string
  readonly to: string
  readonly transport?: string
  /** What the carrier or the trunk says of the caller's number. */
  readonly attestation?: Attestation
  /** The trunk that a call from the chat app came over. */
  readonly chat_app?: PbxTrunkId
}

export interface IncomingOptions {
  readonly ari: Ari
  readonly carrier: string
  readonly numbers: CalledNumbers
  readonly trunks: Pick<Trunks, "endpointsOf" | "tenantsAt">
  readonly chat_apps: Pick<ChatAppTrunks, "trunkOf">
}

type StasisStart = Extract<AriEvent, { type: "StasisStart" }>

/** The provider may write its numbers with a plus sign or without. */
const isSameNumber = (written: string, number: string): boolean => written.replace(/^\+/, "") === number.slice(1)
/** A user of the chat app in E.164; users without a number are not shown. */
const chatAppUser = (written: string): string => {
  const number = written.replace(/^\+?/, "+")
  return e164.test(number) ? number : anonymous
}

/**
 * The endpoint of a channel, from its name such as `PJSIP/trunk-1.2-0000002a`; undefined for other kinds of channels.
 */
const endpointOf = ({ name = "" }: AriChannel): string | undefined => /^PJSIP\/(.+)-[0-9a-f]{8}$/.exec(name)?.[1]

/** Whether the address may call the numbers of the tenant, over a trunk of that tenant or over the carrier. */
const admits = ({ ari, carrier, trunks }: IncomingOptions, tenant_pbx_id: string, remote: Remote) =>
  Effect.gen(function* () {
    for (const endpoint of [...trunks.endpointsOf(tenant_pbx_id), carrier])
      if (yield* isIdentifiedBy(ari, endpoint, remote)) return true
    return false
  })

/** Who may have sent a call that came in. */
interface Sender {
  readonly endpoint: string
  readonly is_carrier: boolean
  /** The tenant whose trunk Asterisk took for the sender; undefined: the carrier, or any of several tenants. */
  readonly tenant_pbx_id: string | undefined
  /** Undefined: of the carrier's own endpoint, or unknown. */
  readonly remote: Remote | undefined
}

/**
 * Asterisk takes the first endpoint whose addresses match, in the order of its objects. What comes from an address of
 * the carrier comes from the carrier all the same.
 */
const senderOf = ({ ari, carrier }: IncomingOptions, channel: AriChannel, endpoint: string) =>
  Effect.gen(function* () {
    const tenant_pbx_id = channel.accountcode || undefined
    if (tenant_pbx_id === undefined && endpoint !== sharedEndpoint)
      return { endpoint, is_carrier: true, tenant_pbx_id, remote: undefined } satisfies Sender
    const remote = readRemote(yield* variableOf(ari, channel.id, "CHANNEL(pjsip,remote_addr)"))
    const is_carrier = remote !== undefined && (yield* isIdentifiedBy(ari, carrier, remote))
    return { endpoint, is_carrier, tenant_pbx_id: is_carrier ? undefined : tenant_pbx_id, remote } satisfies Sender
  })

/**
 * A trunk reaches only the numbers of its own tenant; the carrier reaches the numbers of all tenants. Where several
 * tenants use one provider, Asterisk attributes its calls to the first tenant's trunk, so the address decides. The
 * address is checked for the trunk's own tenant too: Asterisk accepts anybody who knows the line token of a
 * registration as the trunk. (The token is Asterisk's; RFC 3261 has none.)
 */
const mayReach = (options: IncomingOptions, { endpoint, remote, ...sender }: Sender, tenant_pbx_id: string) =>
  Effect.gen(function* () {
    if (sender.is_carrier) return true
    if (remote === undefined) return false
    return sender.tenant_pbx_id === tenant_pbx_id
      ? yield* isIdentifiedBy(options.ari, endpoint, remote)
      : yield* admits(options, tenant_pbx_id, remote)
  })

const fromDevice = (channel: AriChannel, endpoint: string, to: string): Incoming | undefined => {
  const { is_browser, username } = deviceOf(endpoint)
  if (!channel.accountcode) return undefined
  return {
    tenant_pbx_id: channel.accountcode,
    direction: "outbound",
    from: username,
    to,
    ...(is_browser && { transport: "ws" })
  }
}

/**
 * The caller: of P-Asserted-Identity (RFC 3325) where the endpoint trusts it, else of From. A caller who asks for
 * privacy (RFC 3323) is not shown.
 */
const callerOf = (ari: Ari, channel: AriChannel): Effect.Effect<string, AriAway> =>
  Effect.map(variableOf(ari, channel.id, "CALLERID(num-pres)"), (presentation) =>
    presentation.startsWith("prohib") ? anonymous : channel.caller?.number || anonymous
  )

/**
 * A call whose caller has proved to know the password of the number's trunk. It reaches that number alone, over TLS,
 * and as long as the number is the tenant's.
 */
const fromChatApp = ({ ari, numbers }: IncomingOptions, channel: AriChannel, trunk: ChatAppTrunk) =>
  Effect.gen(function* () {
    const { allowed_ips, number: to, tenant_pbx_id, trunk_id } = trunk
    if (!isSameNumber(channel.dialplan?.exten ?? "", to)) return undefined
    if ((yield* variableOf(ari, channel.id, "CHANNEL(pjsip,secure)")) !== "1") return undefined
    const remote = readRemote(yield* variableOf(ari, channel.id, "CHANNEL(pjsip,remote_addr)"))
    if (allowed_ips.length > 0 && (remote === undefined || !isWithin(allowed_ips, remote.address))) return undefined
    if ((yield* numbers.tenantOf(to)) !== tenant_pbx_id) return undefined
    const from = chatAppUser(yield* callerOf(ari, channel))
    return { tenant_pbx_id, direction: "inbound", from, to, transport: "tls", chat_app: trunk_id } satisfies Incoming
  })

interface Reached {
  readonly number: string
  readonly tenant_pbx_id: string
}

/**
 * The first number that the called party may mean in the countries of `reader` (undefined: of the carrier), and that
 * the call may reach. `wanted`: whose numbers count alone.
 */
const reachedBy = (
  options: IncomingOptions,
  sender: Sender,
  called: string,
  { reader, wanted }: { readonly reader: string | undefined; readonly wanted?: string }
) =>
  Effect.gen(function* () {
    for (const number of yield* options.numbers.read(called, reader)) {
      const tenant_pbx_id = yield* options.numbers.tenantOf(number)
      if (tenant_pbx_id === undefined || (wanted ?? tenant_pbx_id) !== tenant_pbx_id) continue
      if (yield* mayReach(options, sender, tenant_pbx_id)) return { number, tenant_pbx_id } satisfies Reached
    }
    return undefined
  })

/** More tenants than share a provider's address and write its numbers in national form. */
const readersMax = 50

/**
 * The number that the call reaches. Several tenants may have trunks at one provider, of which Asterisk takes any for
 * the sender. So a number in national form is read as each of them writes numbers. If it is one of several tenants,
 * that of the carrier's country counts, and otherwise none: nobody can tell whose call it is.
 */
const reached = (options: IncomingOptions, sender: Sender, called: string) =>
  Effect.gen(function* () {
    const { is_carrier, remote, tenant_pbx_id } = sender
    const first = yield* reachedBy(options, sender, called, { reader: tenant_pbx_id })
    const sharing = remote === undefined || is_carrier ? [] : options.trunks.tenantsAt(remote.address)
    const others = sharing.filter((tenant) => tenant !== tenant_pbx_id).slice(0, readersMax)
    // With its country code, a number means the same to everybody.
    if (others.length === 0 || (first !== undefined && called.includes(first.number.slice(1)))) return first
    const found = new Map(first === undefined ? [] : [[first.number, first]])
    for (const tenant of others) {
      const theirs = yield* reachedBy(options, sender, called, { reader: tenant, wanted: tenant })
      if (theirs !== undefined) found.set(theirs.number, theirs)
    }
    if (found.size < 2) return [...found.values()][0]
    const home = yield* reachedBy(options, sender, called, { reader: undefined })
    if (home !== undefined && found.has(home.number)) return home
    yield* Effect.logWarning("Rejected an inbound call: its number in national form may be one of several tenants")
    return undefined
  })

/** The tenant of the called number, if the call may reach it this way. */
const ownerOf = (options: IncomingOptions, channel: AriChannel, sender: Sender, called: string) =>
  Effect.gen(function* () {
    const found = yield* reached(options, sender, called)
    if (found === undefined) return undefined
    const from = yield* callerOf(options.ari, channel)
    const { number: to, tenant_pbx_id } = found
    const attestation = yield* attestationOf({ ari: options.ari, channel_id: channel.id, endpoint: sender.endpoint })
    return { tenant_pbx_id, direction: "inbound", from, to, ...(attestation && { attestation }) } satisfies Incoming
  })

const identify = (options: IncomingOptions, { args: [, by, ...surplus], channel }: StasisStart) =>
  Effect.gen(function* () {
    const endpoint = endpointOf(channel)
    if (surplus.length > 0)
      yield* Effect.logError(
        "Rejected an inbound call: the dialplan passes more than two arguments to the Stasis application. Correct extensions.conf"
      )
    if (surplus.length > 0 || endpoint === undefined) return undefined
    const called = channel.dialplan?.exten ?? ""
    if (by === "user") return fromDevice(channel, endpoint, called)
    if (by !== "carrier") return undefined
    const chat_app = options.chat_apps.trunkOf(endpoint)
    if (chat_app !== undefined) return yield* fromChatApp(options, channel, chat_app)
    const sender = yield* senderOf(options, channel, endpoint)
    const found = yield* ownerOf(options, channel, sender, called)
    if (found !== undefined) return found
    // A registrar calls the registered contact, and has the called number in the To header.
    const to = yield* variableOf(options.ari, channel.id, "CHANNEL(pjsip,local_uri)")
    return yield* ownerOf(options, channel, sender, to)
  })

/** Undefined: no tenant has the number, or it may not be reached this way. */
export const identifyCaller = (
  options: IncomingOptions,
  event: StasisStart
): Effect.Effect<Incoming | undefined, ServiceUnavailable> =>
  Effect.catchTag(identify(options, event), "AriAway", () => Effect.fail(new ServiceUnavailable()))
