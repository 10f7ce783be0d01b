import { Schema } from "effect"

/**
 * What an API key may do (docs/api-keys.md). A write scope does not include the read scope of the same
 * resource, and there are no wildcards.
 */
export const Scope = Schema.Literals([
  "calls.read",
  "calls.write",
  "recordings.read",
  "recordings.write",
  "numbers.read",
  "numbers.write",
  "sip_credentials.read",
  "sip_credentials.write",
  "sip_trunk.read",
  "sip_trunk.write",
  "wallet.read",
  "wallet.write",
  "webhooks.read",
  "webhooks.write",
  "storage.read",
  "storage.write",
  "chatapp.read",
  "chatapp.write",
  "webrtc.token",
  "audit.read"
]).annotate({ identifier: "Scope" })
export type Scope = typeof Scope.Type
