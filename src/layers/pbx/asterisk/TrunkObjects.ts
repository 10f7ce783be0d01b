// A trunk, as Asterisk has it.
import type { TrunkTarget } from "../../../domain/pbx/TenantCommand.ts"
import { type EndpointOf, media, type SipObject, type TenantActionOf } from "./Provisioning.ts"

export const trunkEndpoint = (trunk_id: string): string => `trunk-${trunk_id}`

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

export const putTrunk = ({ target, trunk_id }: TenantActionOf<"trunk.put">, of: EndpointOf): ReadonlyArray<SipObject> => {
  const { allowed_ips, auth_mode, dtmf, host, password, port, realm, session_timer_seconds, srtp, transport, username } = target
  const id = trunkEndpoint(trunk_id)
  const digest = auth_mode === "digest" && username !== undefined && password !== undefined
  const auth = digest
    ? [{ type: "auth" as const, id, fields: { auth_type: "userpass", username, password, ...(realm !== undefined && { realm }) } }]
    : []
  const aor = { contact: `sip:${host}:${port}${transport === "tcp" ? ";transport=tcp" : ""}`, qualify_frequency: qualify_seconds }
  const endpoint = {
    ...media(of),
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
