// What Asterisk is asked so that somebody is called.
import { parsePhoneNumberFromString } from "libphonenumber-js/min"
import type { ActionOf } from "./Legs.ts"
import { clock, firstClock } from "./MaxTalkTimes.ts"
import { trunkEndpoint } from "./TrunkObjects.ts"

/** What a channel carries of itself, for an engine that comes after this one; and its clock, should none come. */
export const keptIn = (tenant_pbx_id: string, ring_seconds?: number, talk_limit_seconds?: number) => ({
  TRUNKLINE_TENANT: tenant_pbx_id,
  [clock]: firstClock(ring_seconds, talk_limit_seconds)
})

const headersOf = ({ sip_headers = {} }: ActionOf<"originate">) =>
  Object.fromEntries(Object.entries(sip_headers).map(([name, value]) => [`PJSIP_HEADER(add,${name})`, value]))

/** A number at the carrier or over the trunk that is named, or a SIP URI as it stands, by the carrier's ways. */
export const endpointOf = ({ to, trunk_id }: ActionOf<"originate">, carrier: string): string => {
  if (/^sips?:/i.test(to)) return `PJSIP/${carrier}/${to}`
  return `PJSIP/${to}@${trunk_id === undefined ? carrier : trunkEndpoint(trunk_id)}`
}

/** A number of E.164 as a trunk wants a caller's shown. */
export const shownAs = (format: string | undefined, number: string): string => {
  if (format === "digits") return number.replace(/^\+/, "")
  if (format !== "national") return number
  return parsePhoneNumberFromString(number)?.formatNational().replaceAll(/\D/g, "") ?? number
}

/** What a name shown beside the number must not hold, or it would end early. */
const callerIdOf = (number: string, name: string | undefined): string =>
  name === undefined ? number : `"${name.replaceAll(/["\\<>\r\n]/g, " ")}" <${number}>`

export interface ChannelWish {
  readonly app: string
  readonly channel: string
  readonly endpoint: string
  readonly tenant_pbx_id: string
  /** How its trunk wants a caller's number shown. */
  readonly format: string | undefined
}

/** The body of `POST /channels`. */
export const channelRequest = (
  { app, channel, endpoint, format, tenant_pbx_id }: ChannelWish,
  action: ActionOf<"originate">
) => ({
  endpoint,
  app,
  appArgs: "out",
  channelId: channel,
  timeout: action.timeout_seconds,
  callerId: callerIdOf(shownAs(format, action.caller_id), action.caller_name),
  variables: { ...keptIn(tenant_pbx_id, action.timeout_seconds, action.talk_limit_seconds), ...headersOf(action) }
})
