import { assert, describe, it } from "@effect/vitest"
import type { Principal } from "../../../src/domain/access/Principal.ts"
import { Scope } from "../../../src/domain/access/Scope.ts"
import { eventKinds } from "../../../src/domain/webhooks/EventTable.ts"
import { readableKinds, scopeOfEvent } from "../../../src/domain/webhooks/ReadableEvents.ts"
import { apiKeyId, userId, workspaceId } from "../../support/Ids.ts"

const workspace_id = workspaceId("one")
const key = (scopes: ReadonlyArray<Scope>): Principal => ({
  kind: "api_key",
  key_id: apiKeyId("key"),
  workspace_id,
  account_id: workspace_id,
  scopes,
  env: "live",
  unlimited: false
})

describe("the events that a principal may follow", () => {
  it("are those of the resources that a key may read", () => {
    assert.deepStrictEqual(readableKinds(key([])), [])
    assert.isTrue(readableKinds(key(["calls.read"])).every((kind) => /^(?:call|conference)\./.test(kind)))
    assert.deepStrictEqual([...readableKinds(key(["wallet.read"]))].toSorted(), [
      "topup.failed",
      "topup.reversed",
      "topup.succeeded",
      "wallet.adjusted",
      "wallet.auto_topup_disabled",
      "wallet.low_balance",
      "wallet.negative"
    ])
    assert.deepStrictEqual(readableKinds(key(Scope.literals)), eventKinds)
  })

  it("need a scope that reads, and no write scope opens any", () => {
    for (const kind of eventKinds) assert.match(scopeOfEvent(kind), /\.read$/, kind)
    assert.deepStrictEqual(readableKinds(key(Scope.literals.filter((scope) => !scope.endsWith(".read")))), [])
  })

  it("are all of them for a member of any role", () => {
    const viewer: Principal = {
      kind: "session",
      session_id: "s",
      user_id: userId("u"),
      email: "ann@example.com",
      workspace_id,
      account_id: workspace_id,
      role: "viewer",
      read_only: true
    }
    assert.deepStrictEqual(readableKinds(viewer), eventKinds)
  })
})
