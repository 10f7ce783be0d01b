import { Clock, Effect } from "effect"
import type { NotCommitted } from "../../domain/errors/NotCommitted.ts"
import type { WebhookNotFound } from "../../domain/errors/WebhookErrors.ts"
import { Ids } from "../../domain/ports/engine/Ids.ts"
import { WebhookSender } from "../../domain/ports/webhooks/WebhookSender.ts"
import { deliveryBody } from "../../domain/webhooks/DeliveryBody.ts"
import type { EventKind } from "../../domain/events/EventTable.ts"
import { secretUnset } from "../../domain/webhooks/Settlement.ts"
import { SubscriptionCommands } from "../../domain/webhooks/SubscriptionCommand.ts"
import type { TestRecord } from "../../domain/webhooks/TestRecord.ts"
import { ActorSystem } from "../runtime/ActorSystem.ts"
import { makeOpenSecrets } from "./VoiceSecrets.ts"
import type { SubscriptionId, WorkspaceId } from "../../domain/BrandedIds.ts"

/** Sends one test event to a subscription, without retries. */
export const makeSendTest = Effect.gen(function* () {
  const system = yield* ActorSystem
  const ids = yield* Ids
  const sender = yield* WebhookSender
  const openSecrets = yield* makeOpenSecrets
  const sendTest = (
    workspace_id: WorkspaceId,
    id: SubscriptionId,
    event_kind: EventKind
  ): Effect.Effect<TestRecord, WebhookNotFound | NotCommitted> =>
    Effect.gen(function* () {
      const { api_version, secrets: sealed, ...target } = yield* system.ask(SubscriptionCommands.AskSending, id, {})
      const delivery_id = ids.uuid()
      const secrets = yield* openSecrets(id, workspace_id, sealed)
      if (secrets.length === 0) return { delivery_id, http_status: null, duration_ms: 0, error: secretUnset }
      const event = {
        event_id: ids.uuid(),
        event_kind,
        occurred_at: yield* Clock.currentTimeMillis,
        sequence: 1,
        payload: JSON.stringify({ kind: event_kind, test: true })
      }
      const body = deliveryBody(event, workspace_id, api_version)
      const { duration_ms, error, http_status } = yield* sender.send({
        workspace_id,
        ...target,
        receiver: delivery_id,
        proven: false,
        delivery_id,
        event_kind,
        body,
        secrets
      })
      return { delivery_id, http_status, duration_ms, error }
    })
  return sendTest
})
