import { Schema } from "effect"

/** How a call came about: by the API, a `dial`, a browser, a SIP device or the chat app. */
export const CallKind = Schema.Literals(["api", "dial", "webrtc", "sip", "chatapp"])
export type CallKind = typeof CallKind.Type
