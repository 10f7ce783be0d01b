import { assert, it } from "@effect/vitest"
import { isAlive, session_idle_ms, session_life_ms } from "../../../src/domain/access/SessionLife.ts"

it("a session lasts for half a day from its last use, and for a month whatever is done with it", () => {
  const expires_at = session_life_ms
  assert.isTrue(isAlive({ last_seen_at: 0, expires_at }, session_idle_ms - 1))
  assert.isFalse(isAlive({ last_seen_at: 0, expires_at }, session_idle_ms))
  assert.isTrue(isAlive({ last_seen_at: expires_at - 1, expires_at }, expires_at - 1))
  assert.isFalse(isAlive({ last_seen_at: expires_at - 1, expires_at }, expires_at))
})
