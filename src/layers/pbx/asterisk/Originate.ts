// What Asterisk is asked so that somebody is called.
import type { ActionOf } from "./Legs.ts"

/** Talk ends by Asterisk's own clock soon after the longest time that the engine may allow, should the engine be gone. */
const absolute_seconds = 14_400 + 60

/** What a channel carries of itself, for an engine that comes after this one. */
export const keptIn = (tenant_pbx_id: string) => ({
  TRUNKLINE_TENANT: tenant_pbx_id, "TIMEOUT(absolute)": String(absolute_seconds)
})

const headersOf = ({ sip_headers = {} }: ActionOf<"originate">) =>
  Object.fromEntries(Object.entries(sip_headers).map(([name, value]) => [`PJSIP_HEADER(add,${name})`, value]))

/** A number at the carrier, or a SIP URI as it stands, by the carrier's ways. */
export const endpointOf = (to: string, carrier: string): string =>
  /^sips?:/i.test(to) ? `PJSIP/${carrier}/${to}` : `PJSIP/${to}@${carrier}`

/** What a name shown beside the number must not hold, or it would end early. */
const callerIdOf = ({ caller_id, caller_name }: ActionOf<"originate">): string =>
  caller_name === undefined ? caller_id : `"${caller_name.replaceAll(/["\\<>\r\n]/g, " ")}" <${caller_id}>`

export interface ChannelWish {
  readonly app: string
  readonly channel: string
  readonly endpoint: string
  readonly tenant_pbx_id: string
}

/** The body of `POST /channels`. */
export const channelRequest = ({ app, channel, endpoint, tenant_pbx_id }: ChannelWish, action: ActionOf<"originate">) => ({
  endpoint,
  app,
  appArgs: "out",
  channelId: channel,
  timeout: action.timeout_seconds,
  callerId: callerIdOf(action),
  variables: { ...keptIn(tenant_pbx_id), ...headersOf(action) }
})
