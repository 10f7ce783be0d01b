import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import {
  decidePermission,
  evolvePermission,
  noPermission,
  type Permission,
  type PermissionMessage,
  permissionState,
  restorePermission
} from "../../../src/domain/chatapp/Permission.ts"
import { workspaceId } from "../../support/Ids.ts"
import { testStoredStates } from "../../support/StoredStates.ts"

const now = 1_800_000_000_000
const day_ms = 24 * 3_600_000
const reply = {
  id: "m1",
  provider_number_id: "1065",
  user: "+254711000001",
  status: "granted" as const,
  permanent: false,
  expires_at: now + day_ms,
  source: "user" as const,
  at: now
}
const after = (state: Permission, change: object = {}, workspace = "w1"): Permission => {
  const command: PermissionMessage = {
    _tag: "Note",
    workspace_id: workspaceId(workspace),
    reply: { ...reply, ...change }
  }
  return Result.getOrThrow(decidePermission(state, command, now)).events.reduce(evolvePermission, state)
}
const permits = (state: Permission, at: number, { since = 0, workspace = "w1" } = {}) =>
  Result.getOrThrow(decidePermission(state, { _tag: "Permits", workspace_id: workspaceId(workspace), since }, at)).reply

describe("a permission to call a user of the chat app", () => {
  const granted = after(noPermission)
  it.each([
    ["nobody replied", noPermission, now, false],
    ["it was granted", granted, now, true],
    ["it is about to end", granted, now + day_ms - 1, true],
    ["it has ended", granted, now + day_ms, false],
    ["it is permanent", after(noPermission, { permanent: true, expires_at: null }), now + 1_000 * day_ms, true],
    ["its end is unknown, within 7 days", after(noPermission, { expires_at: null }), now + 7 * day_ms - 1, true],
    ["its end is unknown, after 7 days", after(noPermission, { expires_at: null }), now + 7 * day_ms, false],
    ["it was withdrawn", after(granted, { status: "denied", expires_at: null, at: now + 1 }), now + 2, false],
    ["an older reply comes late", after(granted, { status: "denied", expires_at: null, at: now - 1 }), now, true],
    ["another workspace has it", after(noPermission, {}, "w2"), now, false],
    ["another workspace had it before, later", after(after(noPermission, { at: now + 5 }, "w2")), now + 6, true]
  ] as const)("counts as it should when %s", (_, state, at, expected) =>
    assert.strictEqual(permits(state, at), expected)
  )

  it("does not count if the user replied before the workspace used the number", () => {
    assert.isFalse(permits(granted, now + 2_000, { since: now + 1_000 }))
    assert.isTrue(permits(granted, now + 2_000, { since: now + 999 }))
  })
})

testStoredStates("ChatAppPermission", {
  state: permissionState,
  restore: restorePermission,
  stateOf: permissionState.write,
  expected: ({ v: _, ...rest }) => rest,
  damages: [
    ["a status that does not exist", '"status":"granted"', '"status":"maybe"', "/status"],
    ["no time of the reply", '"replied_at":', '"at":', "/replied_at"]
  ]
})
