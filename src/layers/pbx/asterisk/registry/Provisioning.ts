// Objects of Asterisk's SIP stack (res_pjsip), which ARI creates and deletes at run time.
import { Effect } from "effect"
import type { TenantAction } from "../../../../domain/pbx/TenantCommand.ts"
import type { Ari, AriAway } from "../ari/Ari.ts"

export interface SipObject {
  readonly type: "auth" | "aor" | "endpoint" | "identify" | "registration"
  readonly id: string
  /** Absent: delete the object. */
  readonly fields?: Readonly<Record<string, string | number>>
}

export type TenantActionOf<Kind extends TenantAction["kind"]> = Extract<TenantAction, { readonly kind: Kind }>

/** The settings that all endpoints of a tenant share. */
export interface EndpointOf {
  readonly tenant_pbx_id: string
  /** Seconds without audio after which a call is hung up; on hold twice as many. `false`: never. */
  readonly media_timeout: number | false
}

/**
 * The account code names the tenant of the endpoint's calls. (An endpoint with channel variables could not be put
 * twice.)
 */
export const media = ({ media_timeout, tenant_pbx_id }: EndpointOf) => ({
  accountcode: tenant_pbx_id,
  // Without it, the caller id of every call would be "unknown" after the endpoint is put a second time.
  callerid: "",
  disallow: "all",
  direct_media: "no",
  rtp_symmetric: "yes",
  force_rport: "yes",
  rewrite_contact: "yes",
  ...(media_timeout !== false && { rtp_timeout: media_timeout, rtp_timeout_hold: 2 * media_timeout })
})

/** Puts and deletes the objects in order. Returns the reason if Asterisk refuses one, else undefined. */
export const push = (ari: Ari, objects: ReadonlyArray<SipObject>): Effect.Effect<string | undefined, AriAway> =>
  Effect.gen(function* () {
    for (const { fields, id, type } of objects) {
      const path = `/asterisk/config/dynamic/res_pjsip/${type}/${encodeURIComponent(id)}`
      if (fields === undefined) {
        yield* ari.request("DELETE", path)
        continue
      }
      const attributes = Object.entries(fields).map(([attribute, value]) => ({ attribute, value: String(value) }))
      const { status } = yield* ari.request("PUT", path, {}, { fields: attributes })
      if (status >= 300) return `Asterisk refused this ${type}.`
    }
    return undefined
  })
