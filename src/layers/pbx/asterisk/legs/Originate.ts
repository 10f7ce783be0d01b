// The request to Asterisk that creates the channel of an outbound leg.
import { parsePhoneNumberFromString } from "libphonenumber-js/min"
import { isSipUri, readSipUri, type SipAddress } from "../../../../domain/calls/policy/SipDestination.ts"
import type { ActionOf } from "../../../../domain/pbx/PbxCommand.ts"
import { initialTimer, longestTalk_seconds, timerVariable } from "./MaxTalkTimes.ts"
import { talkLimitVariable, undialled_seconds } from "./RingTimers.ts"
import { trunkEndpoint } from "../registry/TrunkObjects.ts"

/** The channel variable with the tenant, for an engine that restarts. */
export const tenantVariable = "TRUNKLINE_TENANT"

/** Variables of every channel: its tenant, and the timer (seconds) that ends it even if the engine is down. */
export const storedVariables = (tenant_pbx_id: string, timer = initialTimer()) => ({
  [tenantVariable]: tenant_pbx_id,
  [timerVariable]: timer
})

const headersOf = ({ sip_headers = {} }: ActionOf<"originate">) =>
  Object.fromEntries(Object.entries(sip_headers).map(([name, value]) => [`PJSIP_HEADER(add,${name})`, value]))

/** The endpoints of pjsip.conf that carry outbound calls. */
export interface OutboundEndpoints {
  /** Carries calls to numbers. */
  readonly carrier: string
  /** Carries calls to SIP URIs. It has no credentials. Undefined: there is none, and such calls fail. */
  readonly sip_uris: string | undefined
}

/**
 * A URI that Asterisk sends to the given address and does not resolve (`maddr`, RFC 3261, section 19.1.1). Of `sips`
 * the certificate proves the host, whose name must stay: the address would have to be in the certificate.
 */
const pinned = (to: string, address: SipAddress): string | undefined => {
  const uri = readSipUri(to)
  if (uri === undefined) return undefined
  // Asterisk's dial strings separate destinations by this sign.
  const user = uri.user.replaceAll("&", "%26")
  if (uri.secure) return `sips:${user}@${uri.host}:${address.port}`
  const { ip, port } = address
  return ip.includes(":") ? `sip:${user}@[${ip}]:${port}` : `sip:${user}@${uri.host}:${port};maddr=${ip}`
}

/** A number is dialled over the trunk of the command, or over the carrier. Undefined: the call cannot be placed. */
export const endpointOf = (
  { address, to, trunk_id }: ActionOf<"originate">,
  { carrier, sip_uris }: OutboundEndpoints
): string | undefined => {
  if (!isSipUri(to)) return `PJSIP/${to}@${trunk_id === undefined ? carrier : trunkEndpoint(trunk_id)}`
  const uri = address && pinned(to, address)
  return sip_uris === undefined || uri === undefined ? undefined : `PJSIP/${sip_uris}/${uri}`
}

/** An E.164 number in the format that a trunk wants for caller ids. */
export const formatCallerId = (format: string | undefined, number: string): string => {
  if (format === "digits") return number.replace(/^\+/, "")
  if (format !== "national") return number
  return parsePhoneNumberFromString(number)?.formatNational().replaceAll(/\D/g, "") ?? number
}

/** Characters that would end the quoted name are replaced. */
const callerIdOf = (number: string, name: string | undefined): string =>
  name === undefined ? number : `"${name.replaceAll(/["\\<>\r\n]/g, " ")}" <${number}>`

export interface ChannelOptions {
  /** The engine's Stasis application. */
  readonly app: string
  readonly channel: string
  readonly endpoint: string
  readonly tenant_pbx_id: string
  /** The caller id format of the trunk. */
  readonly format: string | undefined
}

/**
 * The body of `POST /channels/create`. The number is set as both parties of the channel: PJSIP takes From from the
 * connected one, and a bridged party is shown the other.
 */
export const channelRequest = (
  { app, channel, endpoint, format, tenant_pbx_id }: ChannelOptions,
  action: ActionOf<"originate">
) => {
  const shown = callerIdOf(formatCallerId(format, action.caller_id), action.caller_name)
  return {
    endpoint,
    app,
    appArgs: "out",
    channelId: channel,
    variables: {
      "CALLERID(all)": shown,
      "CONNECTEDLINE(all,i)": shown,
      ...storedVariables(tenant_pbx_id, String(undialled_seconds)),
      [talkLimitVariable]: String(action.talk_limit_seconds ?? longestTalk_seconds),
      ...headersOf(action)
    }
  }
}
