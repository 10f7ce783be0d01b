// Tokens of browsers that expire, with the shortest life that the API grants.
import { testExpiringTokens } from "../support/ExpiringTokens.ts"

testExpiringTokens({ ttl_seconds: 60, silence_seconds: 30 })
