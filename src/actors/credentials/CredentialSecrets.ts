import type { SecretPlace } from "../shared/SealedResponse.ts"

/** What sealed SIP passwords are bound to, besides the ids of the credential and the workspace. */
export const passwordPlace: SecretPlace = "sip_credentials/password"

/** What sealed WebRTC tokens are bound to, besides the ids of the session and the workspace. */
export const tokenPlace: SecretPlace = "webrtc/token"
