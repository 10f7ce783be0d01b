import { assert, describe, it } from "@effect/vitest"
import type { Principal } from "../../../src/domain/access/Principal.ts"
import { Role } from "../../../src/domain/access/Role.ts"
import { Scope } from "../../../src/domain/access/Scope.ts"
import { eventKinds } from "../../../src/domain/events/EventTable.ts"
import type { DeliveryWithBody } from "../../../src/domain/webhooks/DeliveryRecord.ts"
import { readableKinds, scopeOfEvent, shownDelivery } from "../../../src/domain/webhooks/ReadableEvents.ts"
import { apiKeyId, subscriptionId, userId, workspaceId } from "../../support/Ids.ts"

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

const member = (role: Role): Principal => ({
  kind: "session",
  session_id: "s",
  user_id: userId("u"),
  email: "ann@example.com",
  workspace_id,
  account_id: workspace_id,
  role,
  read_only: true
})
const delivery: DeliveryWithBody = {
  id: "d",
  subscription_id: subscriptionId("s"),
  event_id: "e",
  event_kind: "call.completed",
  status: "succeeded",
  attempts: 1,
  next_attempt_at: null,
  created_at: "2026-11-20T12:00:00.000Z",
  finished_at: "2026-11-20T12:00:01.000Z",
  last_error: null,
  attempt_log: [],
  body: "{}"
}

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

  it.each(Role.literals.map((role) => [role]))("are those of what a member may read, as %s", (role) => {
    const readsAudit = role === "admin" || role === "owner"
    assert.deepStrictEqual(
      readableKinds(member(role)),
      readsAudit ? eventKinds : eventKinds.filter((kind) => !/^(?:security|workspace)\./.test(kind))
    )
  })

  it("are also those whose webhooks it may read", () => {
    const hasBody = (principal: Principal, event_kind: string) =>
      shownDelivery(principal, { ...delivery, event_kind }).body !== null
    assert.isTrue(hasBody(member("admin"), "security.call_burst"))
    assert.isFalse(hasBody(member("member"), "security.call_burst"))
    assert.isTrue(hasBody(member("viewer"), "call.completed"))
    assert.isFalse(hasBody(key(["webhooks.read"]), "call.completed"))
    assert.isTrue(hasBody(key(["webhooks.read", "calls.read"]), "call.completed"))
    assert.deepStrictEqual(shownDelivery(key([]), delivery), { ...delivery, body: null })
  })
})
