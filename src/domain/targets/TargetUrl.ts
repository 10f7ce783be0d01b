// Checks the URLs that the engine calls for a customer: voice callbacks and webhooks.
import { Result } from "effect"
import { classify, parseIpv4, parseIpv6 } from "./AddressClass.ts"

/** What a deployment allows besides https to public hosts. */
export interface TargetPolicy {
  /** Whether plain http is allowed. */
  readonly allow_insecure: boolean
  /** Whether loopback and private addresses are allowed. */
  readonly allow_private: boolean
}

export interface TargetFault {
  readonly reason: "malformed" | "too_long" | "scheme_not_allowed" | "user_info" | "private_address"
  readonly message: string
}

const fault = (reason: TargetFault["reason"], message: string) => Result.fail({ reason, message })

/** The host of a URL if it is a literal address, without brackets; undefined for a name. */
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
 * Checks a URL without resolving its host name: names are checked at each connection, when they are resolved. The URL
 * parser turns `2130706433`, `0x7f.1` and full-width digits into dotted quads (WHATWG URL, section 3.5).
 */
export const targetUrl = (text: string, policy: TargetPolicy): Result.Result<URL, TargetFault> => {
  if (text.length > 2048) return fault("too_long", "Longer than 2,048 characters.")
  if (!URL.canParse(text)) return fault("malformed", "Not an absolute URL.")
  // The parser would take the first segment of the path for the host of `https:///path` and `https:path`.
  if (/^\s*https?:(?!\/\/[^/\\?#])/i.test(text)) return fault("malformed", "The URL has no host.")
  const url = new URL(text)
  if (url.protocol !== "https:" && !(policy.allow_insecure && url.protocol === "http:")) {
    return fault(
      "scheme_not_allowed",
      policy.allow_insecure ? "Only http and https can be called." : "Only https can be called."
    )
  }
  if (url.port === "0") return fault("malformed", "Port 0 cannot be called.")
  if (url.hostname === "") return fault("malformed", "The URL has no host.")
  if (url.username !== "" || url.password !== "")
    return fault("user_info", "A URL with a user name or password cannot be called.")
  const literal = literalOf(url)
  if (literal !== undefined && !mayConnect(literal, policy)) {
    return fault("private_address", "An address that is not public cannot be called.")
  }
  return Result.succeed(url)
}
