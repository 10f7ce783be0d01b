// The Asterisk objects of a chat app's trunk: the calls of one number of a business, over TLS, authenticated by digest
// in both directions. Calls go out over one endpoint. They come in over another, whose name is the user name, because
// Asterisk finds the endpoint of who has no address by the user name of its answer to the challenge.
import { e164 } from "../../../../domain/numbers/E164.ts"
import { codecsOf, noCodec, trunkEndpoint } from "./TrunkObjects.ts"
import { type EndpointOf, media, type SipObject, type TenantActionOf } from "./Provisioning.ts"
import type { PbxTrunkId } from "../../../../domain/BrandedIds.ts"

type Put = TenantActionOf<"trunk.put">
type ChatApp = NonNullable<Put["chatapp"]>
export type ChatAppPut = Put & { readonly chatapp: ChatApp }

export const isChatAppPut = (action: Put): action is ChatAppPut => action.chatapp !== undefined

/** The ids of these trunks, also of those that an engine before this one has set up. */
export const isChatAppTrunk = (trunk_id: PbxTrunkId): boolean => trunk_id.startsWith("chatapp-")

/** The endpoint of the calls that come in to the number. No device has such a name: theirs have a hyphen. */
export const incomingEndpoint = (number: string): string => number.replace(/^\+/, "")

/** How often Asterisk checks the provider with OPTIONS, besides the engine's probes. */
const qualify_seconds = 30
/** How long an answer to OPTIONS may take. */
export const qualifyTimeout_seconds = 3

const name = /^(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/
/** No sign of it ends a line or a quoted text of a SIP header. */
const secret = /^[\x21-\x7e]{1,128}$/

/** Why this gateway cannot carry the trunk; undefined if it can. */
export const chatAppFault = ({ chatapp, target, trunk_id }: ChatAppPut): string | undefined => {
  if (!isChatAppTrunk(trunk_id)) return "The id of a chat app's trunk begins with chatapp-."
  if (!e164.test(chatapp.number)) return "The number of a chat app's trunk must be E.164."
  if (target.auth_mode !== "digest" || target.transport !== "tls" || target.srtp !== "required")
    return "A chat app's trunk needs digest authentication, TLS and SRTP."
  if (target.username !== incomingEndpoint(chatapp.number))
    return "The user name of a chat app's trunk must be its number in digits."
  if (!secret.test(target.password ?? ""))
    return "A chat app's trunk needs a password of 1 to 128 printable characters."
  if (!name.test(target.host) || !name.test(chatapp.host)) return "The hosts of a chat app's trunk must be host names."
  return codecsOf(target) === "" ? noCodec : undefined
}

/**
 * The provider takes no INVITE and no UPDATE within a call, so there is no session timer and no news of who is
 * connected. Anybody may write any number into From, so nothing that the other side says of itself is believed.
 */
export const putChatApp = ({ chatapp, target, trunk_id }: ChatAppPut, of: EndpointOf): ReadonlyArray<SipObject> => {
  const id = trunkEndpoint(trunk_id)
  const { dtmf, host, password = "", port, realm, username = "" } = target
  const common = {
    ...media(of),
    context: "from-carrier",
    transport: "tls",
    allow: codecsOf(target),
    dtmf_mode: dtmf,
    media_encryption: "sdes",
    media_encryption_optimistic: "no",
    timers: "no",
    send_connected_line: "no",
    trust_id_inbound: "no",
    allow_subscribe: "no"
  }
  return [
    {
      type: "auth",
      id,
      fields: { auth_type: "userpass", username, password, ...(realm !== undefined && { realm }) }
    },
    {
      type: "aor",
      id,
      fields: {
        contact: `sip:${host}:${port};transport=tls`,
        qualify_frequency: qualify_seconds,
        qualify_timeout: qualifyTimeout_seconds
      }
    },
    {
      type: "endpoint",
      id,
      fields: {
        ...common,
        aors: id,
        outbound_auth: id,
        from_user: chatapp.number,
        from_domain: chatapp.host,
        identify_by: "ip"
      }
    },
    {
      type: "endpoint",
      id: incomingEndpoint(chatapp.number),
      fields: { ...common, auth: id, identify_by: "auth_username" }
    }
  ]
}

/** Without the endpoint of the calls that come in, which a newer trunk of the number may use. */
export const deleteChatApp = (trunk_id: PbxTrunkId): ReadonlyArray<SipObject> =>
  (["endpoint", "aor", "auth"] as const).map((type) => ({ type, id: trunkEndpoint(trunk_id) }))
