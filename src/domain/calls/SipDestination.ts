// Where a workspace may call by SIP: its own extensions, and hosts that its policy allows (docs/voice-actions.md). What
// does not go through a carrier costs nothing.
import type { Extension } from "../credentials/Extension.ts"
import { type CallingPolicy, allowsSipHost } from "./CallingPolicy.ts"
import type { RefusalReason } from "./Authorisation.ts"

export const isSipUri = (to: string): boolean => /^sips?:/.test(to)

export type SipAuthorisation =
  /** `endpoint`: how the PBX knows the devices of an extension. Absent: the URI says where the call goes. */
  { readonly ok: true; readonly endpoint?: string } | { readonly ok: false; readonly reason: RefusalReason }

/** Four digits that are an extension of the workspace mean that extension, whatever the host. */
export const authoriseSip = (
  uri: string,
  policy: CallingPolicy,
  extensions: ReadonlyArray<Extension>
): SipAuthorisation => {
  const [, user, host] = /^sips?:([^@]+)@([^:]+)/.exec(uri) ?? []
  const own = extensions.find(({ extension }) => extension === user)
  if (own !== undefined) return { ok: true, endpoint: own.username }
  return host !== undefined && allowsSipHost(policy, host) ? { ok: true } : { ok: false, reason: "sip_not_allowed" }
}
