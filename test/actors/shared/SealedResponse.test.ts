import { assert, it } from "@effect/vitest"
import { boundTo, openResponse, secretBody } from "../../../src/actors/shared/SealedResponse.ts"
import { webhookAnswer, webhookSecret } from "../../../src/actors/webhooks/WebhookResponses.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { decideSubscription } from "../../../src/domain/webhooks/DecideSubscription.ts"
import { initial } from "../../../src/domain/webhooks/Subscription.ts"
import type { SubscriptionCommand } from "../../../src/domain/webhooks/SubscriptionCommand.ts"
import { makeVault } from "../../../src/layers/keyring/AesVault.ts"
import { Result } from "effect"

const vault = makeVault([new Uint8Array(32).fill(1)])
const secret = vault.newSecret()
const create: SubscriptionCommand = {
  _tag: "Create",
  origin: systemOrigin,
  facts: {
    workspace_id: "w1",
    url: "https://example.com/",
    description: "",
    events: ["*"],
    kinds: [],
    number_ids: [],
    signature_format: "timestamped",
    api_version: "2026-10-01",
    source: "api",
    secret: vault.seal(secret, boundTo(webhookSecret, "s1", "w1"))
  }
}
const { reply } = Result.getOrThrow(decideSubscription(initial("s1"), create, 0))
const kept = webhookAnswer(create, reply)

it("keeps the answer without its secret, and replays it byte for byte", () => {
  assert.notInclude(JSON.stringify(kept), secret)
  if (reply._tag !== "Created") throw new Error("not created")
  assert.deepStrictEqual(openResponse(vault, "w1", kept), {
    status: 201,
    headers: { location: "/v1/webhooks/s1" },
    body: secretBody(reply.record, webhookSecret, secret)
  })
})

it("opens nothing for another workspace, and leaves other answers alone", () => {
  assert.notInclude(openResponse(vault, "w2", kept).body, "whsec_")
  const other = { status: 201, body: "{}", headers: { location: "/v1/calls/1" } }
  assert.strictEqual(openResponse(vault, "w1", other), other)
})
