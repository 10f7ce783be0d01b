// Tokens of browsers that expire soon. real-waits/BrowserTokens.e2e.ts has the shortest life that the API grants.
import { testExpiringTokens } from "./support/ExpiringTokens.ts"

const lifetimes = { ttl_seconds: 20, silence_seconds: 5 }
testExpiringTokens(lifetimes, {
  WEBRTC_TOKEN_MAX_SECONDS: String(lifetimes.ttl_seconds),
  MEDIA_TIMEOUT_SECONDS: String(lifetimes.silence_seconds)
})
