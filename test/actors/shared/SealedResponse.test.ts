import { assert, it } from "@effect/vitest"
import { sealContext, openResponse, secretBody } from "../../../src/actors/shared/SealedResponse.ts"
import { subscriptionAnswers, webhookSecret } from "../../../src/actors/webhooks/WebhookResponses.ts"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import { decideSubscription } from "../../../src/domain/webhooks/DecideSubscription.ts"
import { absentSubscription } from "../../../src/domain/webhooks/Subscription.ts"
import type { SubscriptionMessage } from "../../../src/domain/webhooks/SubscriptionCommand.ts"
import { makeVault } from "../../../src/layers/keyring/AesVault.ts"
import { subscriptionId, workspaceId } from "../../support/Ids.ts"
import { Result } from "effect"

const vault = makeVault([new Uint8Array(32).fill(1)])
const secret = vault.newSecret()
const create: SubscriptionMessage<"Create"> = {
  _tag: "Create",
  origin: systemOrigin,
  facts: {
    workspace_id: workspaceId("w1"),
    url: "https://example.com/",
    description: "",
    events: ["*"],
    kinds: [],
    number_ids: [],
    signature_format: "timestamped",
    api_version: "2026-10-01",
    source: "api",
    secret: vault.seal(secret, sealContext(webhookSecret, "s1", workspaceId("w1")))
  }
}
const { reply: record } = Result.getOrThrow(decideSubscription(absentSubscription(subscriptionId("s1")), create, 0))
const stored = subscriptionAnswers.Create(record, create)

it("a response is stored without its secret and restored byte for byte", () => {
  assert.notInclude(JSON.stringify(stored), secret)
  assert.deepStrictEqual(openResponse(vault, workspaceId("w1"), stored), {
    status: 201,
    headers: { location: "/v1/webhooks/s1" },
    body: secretBody(record, webhookSecret, secret)
  })
})

it("a stored response is not opened for another workspace, and one without a secret is unchanged", () => {
  assert.notInclude(openResponse(vault, workspaceId("w2"), stored).body, "whsec_")
  const other = { status: 201, body: "{}", headers: { location: "/v1/calls/1" } }
  assert.strictEqual(openResponse(vault, workspaceId("w1"), other), other)
})
