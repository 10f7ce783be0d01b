// The URLs that a customer may have the engine call: voice callbacks and webhooks.
import { Result } from "effect"
import { classify, parseIpv4, parseIpv6 } from "./AddressClass.ts"

/** What a deployment allows beyond https to public hosts. */
export interface TargetPolicy {
  /** Plain http as well. */
  readonly allow_insecure: boolean
  /** Loopback and private addresses as well. */
  readonly allow_private: boolean
}

export interface TargetFault {
  readonly reason: "malformed" | "too_long" | "scheme_not_allowed" | "user_info" | "private_address"
  readonly message: string
}

const fault = (reason: TargetFault["reason"], message: string) => Result.fail({ reason, message })

/** A literal address of a URL's host, without brackets; undefined for a name. */
export const literalOf = ({ hostname }: URL): string | undefined => {
  const bare = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname
  return parseIpv4(bare) !== undefined || parseIpv6(bare) !== undefined ? bare : undefined
}

/** Whether a connection to this literal address may be opened. */
export const mayConnect = (address: string, { allow_private }: TargetPolicy): boolean => {
  const of = classify(address)
  return of === "public" || (of === "private" && allow_private)
}

/**
 * Reads a target, without resolving its name: names are checked when they are resolved, at each connection. The URL
 * parser has turned `2130706433`, `0x7f.1` and full-width digits into dotted quads (WHATWG URL, section 3.5).
 */
export const targetUrl = (text: string, policy: TargetPolicy): Result.Result<URL, TargetFault> => {
  if (text.length > 2048) return fault("too_long", "Longer than 2,048 characters.")
  if (!URL.canParse(text)) return fault("malformed", "Not an absolute URL.")
  const url = new URL(text)
  if (url.protocol !== "https:" && !(policy.allow_insecure && url.protocol === "http:")) {
    return fault(
      "scheme_not_allowed",
      policy.allow_insecure ? "Only http and https can be called." : "Only https can be called."
    )
  }
  if (url.hostname === "") return fault("malformed", "Without a host.")
  if (url.username !== "" || url.password !== "")
    return fault("user_info", "A URL with a user name or password cannot be called.")
  const literal = literalOf(url)
  if (literal !== undefined && !mayConnect(literal, policy)) {
    return fault("private_address", "An address that is not public cannot be called.")
  }
  return Result.succeed(url)
}
