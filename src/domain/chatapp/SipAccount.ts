import type { Redacted } from "effect"

/**
 * How a number reaches the SIP host of the chat app's provider, always over TLS. Both sides prove by digest who they
 * are, with this user name and password.
 */
export interface SipAccount {
  readonly host: string
  readonly port: number
  readonly username: string
  readonly password: Redacted.Redacted
}
