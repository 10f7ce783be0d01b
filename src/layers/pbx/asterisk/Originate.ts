// The request to Asterisk that creates the channel of an outbound leg.
import { parsePhoneNumberFromString } from "libphonenumber-js/min"
import type { ActionOf } from "./Legs.ts"
import { initialTimer, timerVariable } from "./MaxTalkTimes.ts"
import { trunkEndpoint } from "./TrunkObjects.ts"

/** The channel variable with the tenant, for an engine that restarts. */
export const tenantVariable = "TRUNKLINE_TENANT"

/** Variables of every channel: its tenant, and the timer that ends it even if the engine is down. */
export const storedVariables = (tenant_pbx_id: string, ring_seconds?: number, talk_limit_seconds?: number) => ({
  [tenantVariable]: tenant_pbx_id,
  [timerVariable]: initialTimer(ring_seconds, talk_limit_seconds)
})

const headersOf = ({ sip_headers = {} }: ActionOf<"originate">) =>
  Object.fromEntries(Object.entries(sip_headers).map(([name, value]) => [`PJSIP_HEADER(add,${name})`, value]))

/** A number is dialled over the trunk of the command, or over the carrier; a SIP URI as it is, through the carrier. */
export const endpointOf = ({ to, trunk_id }: ActionOf<"originate">, carrier: string): string => {
  if (/^sips?:/i.test(to)) return `PJSIP/${carrier}/${to}`
  return `PJSIP/${to}@${trunk_id === undefined ? carrier : trunkEndpoint(trunk_id)}`
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
      ...storedVariables(tenant_pbx_id, action.timeout_seconds, action.talk_limit_seconds),
      ...headersOf(action)
    }
  }
}
