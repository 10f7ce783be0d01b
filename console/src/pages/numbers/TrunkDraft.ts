// A trunk as its form has it, and the request that it becomes.
import type { SipTrunk } from "../../api/Types.ts"
import { valuesOf } from "../../ui/Choices.tsx"

export const modeWords = {
  digest: "Name and password, for calls of both sides",
  registration: "The platform registers with your registrar",
  ip: "By IP address",
  signaling: "IP peering, approved by the operators"
} as const

export type Mode = keyof typeof modeWords

export interface TrunkDraft {
  readonly auth_mode: Mode
  readonly host: string
  readonly port: string
  readonly transport: SipTrunk["transport"]
  readonly allowed_ips: string
  readonly username: string
  readonly password: string
  readonly contact_email: string
  readonly label: string
  readonly max_channels: string
  readonly max_cps: string
}

const empty: TrunkDraft = {
  auth_mode: "digest",
  host: "",
  port: "5060",
  transport: "udp",
  allowed_ips: "",
  username: "",
  password: "",
  contact_email: "",
  label: "",
  max_channels: "30",
  max_cps: "5"
}

export const draftOf = (trunk: SipTrunk | undefined): TrunkDraft =>
  trunk === undefined
    ? empty
    : {
        auth_mode: trunk.auth_mode,
        host: trunk.host ?? trunk.registrar ?? "",
        port: String(trunk.port),
        transport: trunk.transport,
        allowed_ips: trunk.allowed_ips.join(", "),
        username: trunk.username ?? "",
        password: "",
        contact_email: trunk.contact_email ?? "",
        label: trunk.label ?? "",
        max_channels: trunk.max_channels === null ? "" : String(trunk.max_channels),
        max_cps: trunk.max_cps === null ? "" : String(trunk.max_cps)
      }

export const usesPassword = (mode: Mode): boolean => mode === "digest" || mode === "registration"
export const usesAddresses = (mode: Mode): boolean => mode !== "registration"

/** What the form does not show stays as it is in `trunk`: the API replaces the whole trunk. */
export const requestOf = (draft: TrunkDraft, trunk: SipTrunk | undefined) => {
  const { auth_mode, contact_email, host, label, max_channels, max_cps, password, port, transport, username } = draft
  const limit = (text: string) => (text === "" ? null : Number(text))
  return {
    ...(trunk && {
      codecs: trunk.codecs,
      dtmf: trunk.dtmf,
      srtp: trunk.srtp,
      session_timer_seconds: trunk.session_timer_seconds,
      caller_id_format: trunk.caller_id_format
    }),
    auth_mode,
    ...(auth_mode === "registration" ? { registrar: host } : { host }),
    port: Number(port),
    transport,
    ...(usesAddresses(auth_mode) && { allowed_ips: valuesOf(draft.allowed_ips) }),
    ...(usesPassword(auth_mode) && { username, password }),
    ...(contact_email !== "" && { contact_email }),
    ...(label !== "" && { label }),
    max_channels: limit(max_channels),
    max_cps: limit(max_cps)
  }
}
