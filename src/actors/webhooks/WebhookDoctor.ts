// Tries whether the receiver of a subscription answers, and whether it checks signatures.
import { Clock, Context, Effect, Layer } from "effect"
import type { SubscriptionId, WorkspaceId } from "../../domain/BrandedIds.ts"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { ReadFailed } from "../../domain/errors/ReadFailed.ts"
import { BadRequest } from "../../domain/errors/GeneralErrors.ts"
import type { WebhookNotFound } from "../../domain/errors/WebhookErrors.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { WebhookProbes } from "../../domain/ports/webhooks/WebhookProbes.ts"
import { traced } from "../../domain/Traced.ts"
import { deliveryBody } from "../../domain/webhooks/DeliveryBody.ts"
import type { SendOptions } from "../../domain/webhooks/DeliveryRecord.ts"
import { SubscriptionCommands } from "../../domain/webhooks/SubscriptionCommand.ts"
import {
  clockSkew_ms,
  diagnosis,
  probeNames,
  probePayload,
  probeRecord,
  probeRequest,
  type WebhookDiagnosis
} from "../../domain/webhooks/WebhookDiagnosis.ts"
import { oneAtATime } from "../shared/OneAtATime.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { ownSubscription } from "./OwnSubscription.ts"
import { makeOpenSecrets } from "./VoiceSecrets.ts"

const event_kind = "webhook.test"

/** Nothing more is sent after this time, because the request for it has to be answered. */
const patience_ms = 8_000

/** A signature without a time never gets old. */
const namesFor = ({ signature_format }: Pick<SendOptions, "signature_format">) =>
  probeNames.filter((name) => name !== "old" || signature_format === "timestamped")

const make = Effect.gen(function* () {
  const system = yield* ActorSystem
  const ids = yield* Ids
  const own = yield* ownSubscription
  const openSecrets = yield* makeOpenSecrets
  const sender = yield* WebhookProbes
  const inTurn = yield* oneAtATime

  const examine = traced("WebhookDoctor.examine")(function* (workspace_id: WorkspaceId, id: SubscriptionId) {
    yield* own(workspace_id, id)
    const { api_version, secrets: sealed, ...target } = yield* system.ask(SubscriptionCommands.AskSending, id, {})
    const secrets = yield* openSecrets(id, workspace_id, sealed)
    if (secrets.length === 0)
      return yield* new BadRequest({ message: "The subscription has no secret. Rotate it first." })
    const records: Array<ReturnType<typeof probeRecord>> = []
    const began = yield* Clock.currentTimeMillis
    const event = { event_id: ids.uuid(), event_kind, occurred_at: began, sequence: 1 }
    const delivery_id = ids.uuid()
    let skew_ms: number | null = null
    for (const name of namesFor(target)) {
      const isRepeated = name === "signed" || name === "repeated"
      const body = deliveryBody({ ...event, payload: probePayload(name) }, workspace_id, api_version)
      const sending = { workspace_id, ...target, event_kind, secrets }
      const answer = yield* sender.send({
        ...sending,
        delivery_id: isRepeated ? delivery_id : ids.uuid(),
        ...probeRequest(name, body, yield* Clock.currentTimeMillis)
      })
      skew_ms ??= clockSkew_ms(answer, yield* Clock.currentTimeMillis)
      records.push(probeRecord(name, answer))
      const took_ms = (yield* Clock.currentTimeMillis) - began
      if (answer.http_status === null || took_ms > patience_ms) break
    }
    return diagnosis({ subscription_id: id, url: target.url, clock_skew_ms: skew_ms }, records)
  })
  return WebhookDoctor.of({
    // Probes do not wait for the deliveries of others, so a workspace has one at a time.
    examine: (workspace_id, id) => inTurn(workspace_id)(examine(workspace_id, id))
  })
})

export class WebhookDoctor extends Context.Service<
  WebhookDoctor,
  {
    /**
     * Sends up to five events, whatever the subscription's status. Nothing is stored and nothing is retried. A
     * workspace has one receiver examined at a time.
     */
    readonly examine: (
      workspace_id: WorkspaceId,
      id: SubscriptionId
    ) => Effect.Effect<WebhookDiagnosis, WebhookNotFound | BadRequest | NotCommitted | ReadFailed>
  }
>()("trunkline/actors/WebhookDoctor") {
  static readonly layer = Layer.effect(WebhookDoctor, make)
}
