// What a command about a tenant is in Asterisk's own words: objects of its SIP stack (res_pjsip), put and deleted by ARI.
import { Effect } from "effect"
import type { TenantAction } from "../../../domain/pbx/TenantCommand.ts"
import type { Ari, AriAway } from "./Ari.ts"

export interface SipObject {
  readonly type: "auth" | "aor" | "endpoint" | "identify" | "registration"
  readonly id: string
  /** Absent: it is to be gone. */
  readonly fields?: Readonly<Record<string, string | number>>
}

export type TenantActionOf<Kind extends TenantAction["kind"]> = Extract<TenantAction, { readonly kind: Kind }>

/** How the endpoints of a tenant are set up. */
export interface EndpointOf {
  readonly tenant_pbx_id: string
  /** Whether a call whose party sends nothing for a minute, or two on hold, is ended. */
  readonly media_timeout: boolean
}

/** Calls of the endpoint bear the name of its tenant: as account code, for an endpoint with variables of its own cannot be put twice. */
export const media = ({ media_timeout, tenant_pbx_id }: EndpointOf) => ({
  accountcode: tenant_pbx_id,
  // Else the second time it is put it would be "unknown", whoever calls.
  callerid: "",
  disallow: "all",
  direct_media: "no",
  rtp_symmetric: "yes",
  force_rport: "yes",
  rewrite_contact: "yes",
  ...(media_timeout && { rtp_timeout: 60, rtp_timeout_hold: 120 })
})

/** Puts and deletes them in their order; says why where Asterisk does not take one. */
export const push = (ari: Ari, objects: ReadonlyArray<SipObject>): Effect.Effect<string | undefined, AriAway> =>
  Effect.gen(function* () {
    for (const { fields, id, type } of objects) {
      const path = `/asterisk/config/dynamic/res_pjsip/${type}/${encodeURIComponent(id)}`
      if (fields === undefined) {
        yield* ari.request("DELETE", path)
        continue
      }
      const wanted = Object.entries(fields).map(([attribute, value]) => ({ attribute, value: String(value) }))
      const { status } = yield* ari.request("PUT", path, {}, { fields: wanted })
      if (status >= 300) return `Asterisk refuses this ${type}.`
    }
    return undefined
  })
