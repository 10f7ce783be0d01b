import { assert, it } from "@effect/vitest"
import { isAlive, session_idle_ms, session_life_ms } from "../../../src/domain/access/SessionLife.ts"

it("a session ends twelve hours after its last use, and after thirty days at the latest", () => {
  const expires_at = session_life_ms
  assert.isTrue(isAlive({ last_seen_at: 0, expires_at }, session_idle_ms - 1))
  assert.isFalse(isAlive({ last_seen_at: 0, expires_at }, session_idle_ms))
  assert.isTrue(isAlive({ last_seen_at: expires_at - 1, expires_at }, expires_at - 1))
  assert.isFalse(isAlive({ last_seen_at: expires_at - 1, expires_at }, expires_at))
})
