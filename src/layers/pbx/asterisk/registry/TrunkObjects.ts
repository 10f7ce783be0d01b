// The Asterisk objects of a trunk.
import type { TrunkTarget } from "../../../../domain/pbx/TenantCommand.ts"
import { type EndpointOf, media, type SipObject, type TenantActionOf } from "./Provisioning.ts"
import type { PbxTrunkId } from "../../../../domain/BrandedIds.ts"
import { isLiteral, judgeTarget } from "../../../../domain/targets/HostCheck.ts"

export const trunkEndpoint = (trunk_id: PbxTrunkId): string => `trunk-${trunk_id}`
/** What comes from an address at which several tenants have trunks comes in over this endpoint, which is nobody's. */
export const sharedEndpoint = "trunk-shared"
export const isTrunkEndpoint = (endpoint: string): boolean => endpoint.startsWith("trunk-")

const codecs: Readonly<Record<string, string>> = { PCMA: "alaw", PCMU: "ulaw", opus: "opus", G722: "g722" }
const encryption: Readonly<Record<string, string>> = { off: "no", optional: "sdes", required: "sdes" }

/** Those of the trunk's codecs that Asterisk has, by its names for them. */
export const codecsOf = (target: Pick<TrunkTarget, "codecs">): string =>
  target.codecs.flatMap((codec) => codecs[codec] ?? []).join(",")

/** How often Asterisk checks a trunk with OPTIONS, besides the engine's probes. */
const qualify_seconds = 30
/** How often a failed registration is retried, even after a rejection: passwords get corrected. */
const retry_seconds = 30
/** The user of the contact that is registered. If a registrar dials it, the called number is in the To header. */
const contact_user = "trunkline"

export const noCodec = "This gateway supports none of the trunk's codecs."

/** Why this gateway cannot carry the trunk; undefined if it can. */
export const unsupportedTrunk = (target: TrunkTarget): string | undefined =>
  codecsOf(target) === "" ? noCodec : undefined

/** The engine has judged the rest: whose other trunks there are, and which addresses are public. */
const anyPublic = { allow_insecure: true, allow_private: true }

/**
 * Why the trunk may not be set up beside the platform's own hosts; undefined if it may. The engine that judged it may
 * not have known the carrier yet: only the engine that is connected to Asterisk reads its configuration.
 */
export const platformFault = (
  { addresses = [], allowed_ips, host }: TrunkTarget,
  platform: ReadonlyArray<string>
): string | undefined => {
  const target = { host, addresses: isLiteral(host) ? [host, ...addresses] : addresses, ranges: allowed_ips }
  const verdict = judgeTarget(target, { platform, others: [], own: [] }, anyPublic)
  return [verdict.host, ...verdict.ranges].includes("of_platform")
    ? "The trunk names a host or an address of the platform."
    : undefined
}

export const isRegistering = ({ auth_mode }: TrunkTarget): boolean => auth_mode === "registration"

const bracketed = (host: string): string => (host.includes(":") ? `[${host}]` : host)

/**
 * The host of a trunk's URIs, so that Asterisk sends to the address and resolves nothing (`maddr`, RFC 3261, section
 * 19.1.1). Over TLS the name alone is used: the certificate proves it, and would not prove the address.
 */
const pinnedUri = ({ addresses = [], host, port, transport }: TrunkTarget): string => {
  const address = addresses.find((each) => !each.includes(":")) ?? addresses[0]
  const parameters = transport === "udp" ? "" : `;transport=${transport}`
  if (address === undefined || address === host || transport === "tls")
    return `sip:${bracketed(host)}:${port}${parameters}`
  return address.includes(":")
    ? `sip:[${address}]:${port}${parameters}`
    : `sip:${bracketed(host)}:${port}${parameters};maddr=${address}`
}

/** Escapes the user part of a SIP URI (RFC 3261, section 25.1). */
const escaped = (user: string): string =>
  user.replaceAll(
    /[^A-Za-z0-9\-_.!~*'()&=+$,;?/]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`
  )

const authOf = (id: string, { auth_mode, password, realm, username }: TrunkTarget): ReadonlyArray<SipObject> =>
  !["digest", "registration"].includes(auth_mode) || username === undefined || password === undefined
    ? []
    : [
        {
          type: "auth",
          id,
          fields: { auth_type: "userpass", username, password, ...(realm !== undefined && { realm }) }
        }
      ]

const registrationOf = (
  id: string,
  uri: string,
  { expires_seconds = 3600, host, transport, username = "" }: TrunkTarget
): SipObject => ({
  type: "registration",
  id,
  fields: {
    server_uri: uri,
    client_uri: `sip:${escaped(username)}@${bracketed(host)}`,
    outbound_auth: id,
    transport,
    expiration: expires_seconds,
    contact_user,
    line: "yes",
    endpoint: id,
    max_random_initial_delay: 0,
    retry_interval: retry_seconds,
    forbidden_retry_interval: retry_seconds,
    fatal_retry_interval: retry_seconds,
    auth_rejection_permanent: "no",
    max_retries: 1_000_000
  }
})

/** Where the calls of the trunk come from: hosts and ranges. */
export const sourcesOf = ({ addresses = [], allowed_ips, host }: TrunkTarget): ReadonlyArray<string> =>
  [allowed_ips, addresses].find(({ length }) => length > 0) ?? [host]

const incoming = {
  context: "from-carrier",
  // By default Asterisk also takes the user of From for the name of the endpoint, which any caller could write there.
  identify_by: "ip",
  send_connected_line: "no",
  // The address proves who the trunk is, so its P-Asserted-Identity is believed (RFC 3325).
  trust_id_inbound: "yes",
  send_pai: "yes",
  trust_id_outbound: "yes"
}

/**
 * The endpoint for shared addresses, and the `identify` objects of the trunks that share them. Asterisk takes any of
 * these objects, so all must mean the same endpoint, and it takes every codec, with and without SRTP: what one tenant
 * asks for would refuse the calls of another.
 */
export const shareTrunks = (
  trunks: ReadonlyArray<Pick<TenantActionOf<"trunk.put">, "target" | "trunk_id">>,
  media_timeout: EndpointOf["media_timeout"]
): ReadonlyArray<SipObject> => {
  const { accountcode: _, ...settings } = media({ tenant_pbx_id: "", media_timeout })
  const fields = {
    ...settings,
    ...incoming,
    allow: Object.values(codecs).join(","),
    dtmf_mode: "auto",
    media_encryption: "sdes",
    media_encryption_optimistic: "yes"
  }
  return [
    { type: "endpoint", id: sharedEndpoint, fields },
    ...trunks.map(({ target, trunk_id }) => identifyOf(trunkEndpoint(trunk_id), target, sharedEndpoint))
  ]
}

const identifyOf = (id: string, target: TrunkTarget, endpoint: string): SipObject => ({
  type: "identify",
  id,
  fields: { endpoint, match: sourcesOf(target).join(",") }
})

/** `is_shared`: calls from its addresses come in over the endpoint for shared addresses, which must be there. */
export const putTrunk = (
  { target, trunk_id }: TenantActionOf<"trunk.put">,
  of: EndpointOf,
  is_shared = false
): ReadonlyArray<SipObject> => {
  const { dtmf, host, session_timer_seconds, srtp, transport } = target
  const id = trunkEndpoint(trunk_id)
  const auth = authOf(id, target)
  const registers = isRegistering(target)
  const uri = pinnedUri(target)
  const endpoint = {
    ...media(of),
    ...incoming,
    aors: id,
    transport,
    allow: codecsOf(target),
    dtmf_mode: dtmf,
    media_encryption: encryption[srtp] ?? "no",
    media_encryption_optimistic: srtp === "optional" ? "yes" : "no",
    ...(session_timer_seconds === 0 ? { timers: "no" } : { timers: "yes", timers_sess_expires: session_timer_seconds }),
    ...(auth.length > 0 && { outbound_auth: id, from_domain: host })
  }
  return [
    ...auth,
    { type: "aor", id, fields: { contact: uri, qualify_frequency: registers ? 0 : qualify_seconds } },
    { type: "endpoint", id, fields: endpoint },
    identifyOf(id, target, is_shared ? sharedEndpoint : id),
    ...(registers ? [registrationOf(id, uri, target)] : [])
  ]
}

export const deleteTrunk = (trunk_id: PbxTrunkId): ReadonlyArray<SipObject> =>
  (["registration", "identify", "endpoint", "aor", "auth"] as const).map((type) => ({
    type,
    id: trunkEndpoint(trunk_id)
  }))
