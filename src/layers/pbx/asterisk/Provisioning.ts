// What a command about a tenant is in Asterisk's own words: objects of its SIP stack (res_pjsip), put and deleted by ARI.
import type { TenantAction, TrunkTarget } from "../../../domain/pbx/TenantCommand.ts"

export interface SipObject {
  readonly type: "auth" | "aor" | "endpoint" | "identify"
  readonly id: string
  /** Absent: it is to be gone. */
  readonly fields?: Readonly<Record<string, string | number>>
}

type ActionOf<Kind extends TenantAction["kind"]> = Extract<TenantAction, { readonly kind: Kind }>

/** How long a device stays registered, unless it says so again. */
export const registered_seconds = 600

/** Of the other password, which is good for a while beside the new one. */
const formerId = (username: string): string => `${username}-former`
export const trunkEndpoint = (trunk_id: string): string => `trunk-${trunk_id}`

/** Calls of the endpoint bear the name of its tenant. */
const media = (tenant_pbx_id: string) => ({
  set_var: `TRUNKLINE_OF=${tenant_pbx_id}`,
  disallow: "all",
  direct_media: "no",
  rtp_symmetric: "yes",
  force_rport: "yes",
  rewrite_contact: "yes",
  rtp_timeout: 120
})

export const putUser = (action: ActionOf<"registrar.put">, tenant_pbx_id: string): ReadonlyArray<SipObject> => {
  const { max_contacts, password, previous_password, username } = action
  const former = formerId(username)
  const auth = (id: string, password: string): SipObject => ({ type: "auth", id, fields: { auth_type: "userpass", username, password } })
  const endpoint = {
    ...media(tenant_pbx_id),
    aors: username,
    auth: previous_password === undefined ? username : `${username},${former}`,
    context: "from-user",
    allow: "ulaw,alaw,g722,opus"
  }
  return [
    auth(username, password),
    previous_password === undefined ? { type: "auth", id: former } : auth(former, previous_password),
    {
      type: "aor",
      id: username,
      fields: { max_contacts, remove_existing: "yes", minimum_expiration: 60, default_expiration: registered_seconds, maximum_expiration: registered_seconds }
    },
    { type: "endpoint", id: username, fields: endpoint }
  ]
}

/** Whoever was registered is not called any more, and must not come in again. */
export const deleteUser = (username: string): ReadonlyArray<SipObject> => [
  { type: "endpoint", id: username },
  { type: "aor", id: username },
  { type: "auth", id: formerId(username) },
  { type: "auth", id: username }
]

const codecs: Readonly<Record<string, string>> = { PCMA: "alaw", PCMU: "ulaw", opus: "opus", G722: "g722" }
const encryption = { off: "no", optional: "sdes", required: "sdes" } as const
/** How often a trunk is asked whether it is there, beside the probes of the engine. */
const qualify_seconds = 30

/** Why this gateway cannot carry the trunk; undefined where it can. */
export const unfitTrunk = ({ auth_mode, codecs: wanted, transport }: TrunkTarget): string | undefined => {
  if (auth_mode === "registration") return "This gateway does not register with trunks."
  if (transport === "tls") return "This gateway carries no trunk over TLS."
  return wanted.some((codec) => codec in codecs) ? undefined : "This gateway knows none of the trunk's codecs."
}

export const putTrunk = ({ target, trunk_id }: ActionOf<"trunk.put">, tenant_pbx_id: string): ReadonlyArray<SipObject> => {
  const { allowed_ips, auth_mode, dtmf, host, password, port, realm, session_timer_seconds, srtp, transport, username } = target
  const id = trunkEndpoint(trunk_id)
  const digest = auth_mode === "digest" && username !== undefined && password !== undefined
  const auth = digest
    ? [{ type: "auth" as const, id, fields: { auth_type: "userpass", username, password, ...(realm !== undefined && { realm }) } }]
    : []
  const aor = { contact: `sip:${host}:${port}${transport === "tcp" ? ";transport=tcp" : ""}`, qualify_frequency: qualify_seconds }
  const endpoint = {
    ...media(tenant_pbx_id),
    aors: id,
    context: "from-carrier",
    transport,
    allow: target.codecs.flatMap((codec) => codecs[codec] ?? []).join(","),
    dtmf_mode: dtmf,
    media_encryption: encryption[srtp as keyof typeof encryption] ?? "no",
    media_encryption_optimistic: srtp === "optional" ? "yes" : "no",
    send_connected_line: "no",
    ...(session_timer_seconds === 0 ? { timers: "no" } : { timers: "yes", timers_sess_expires: session_timer_seconds }),
    ...(digest && { outbound_auth: id, from_user: username })
  }
  const match = allowed_ips.length > 0 ? allowed_ips.join(",") : host
  return [
    ...auth,
    { type: "aor", id, fields: aor },
    { type: "endpoint", id, fields: endpoint },
    { type: "identify", id, fields: { endpoint: id, match } }
  ]
}

export const deleteTrunk = (trunk_id: string): ReadonlyArray<SipObject> =>
  (["identify", "endpoint", "aor", "auth"] as const).map((type) => ({ type, id: trunkEndpoint(trunk_id) }))
