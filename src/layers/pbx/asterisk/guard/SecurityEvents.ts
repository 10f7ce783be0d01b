// Asterisk's own security events, over the manager interface (AMI) by HTTP.
import type { Attempt } from "./AddressGuard.ts"

const kinds: Readonly<Record<string, Attempt["kind"]>> = {
  SuccessfulAuth: "authenticated",
  ChallengeResponseFailed: "failed",
  InvalidPassword: "failed",
  InvalidAccountID: "unknown"
}

export interface SecurityEvent extends Attempt {
  /** The port that it came from. */
  readonly port: number
}

/** What Asterisk calls a sender that it knows no endpoint of. */
const unknownAccount = "<unknown>"

const membersOf = (block: string): ReadonlyMap<string, string> =>
  new Map(
    block.split(/\r?\n/).flatMap((line) => {
      const [, name, value] = /^([A-Za-z]+): ?(.*)$/.exec(line) ?? []
      return name === undefined || value === undefined ? [] : [[name, value] as const]
    })
  )

/** The security events of SIP in a response of the manager interface. `RemoteAddress` is `IPV4/UDP/192.0.2.1/5060`. */
export const securityEventsIn = (text: string): ReadonlyArray<SecurityEvent> =>
  text.split(/\r?\n\r?\n/).flatMap((block) => {
    const members = membersOf(block)
    const kind = kinds[members.get("Event") ?? ""]
    const [, transport, address, port] =
      /^IPV[46]\/([A-Z]+)\/([0-9a-fA-F.:]+)\/(\d+)$/.exec(members.get("RemoteAddress") ?? "") ?? []
    if (kind === undefined || transport === undefined || address === undefined) return []
    if (!/^PJSIP$/i.test(members.get("Service") ?? "")) return []
    const endpoint = members.get("AccountID") ?? unknownAccount
    return [{ kind, transport, address, port: Number(port), ...(endpoint !== unknownAccount && { endpoint }) }]
  })
