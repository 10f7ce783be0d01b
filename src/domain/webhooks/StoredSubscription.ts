// The stored state of a webhook subscription. Deliveries are read with its `revision` in SQL.
import { Schema } from "effect"
import { storedState } from "../state/StoredState.ts"
import { emptyMemory, type PresentSubscription, type SubscriptionData } from "./Subscription.ts"
import { SubscriptionFacts } from "./SubscriptionCommand.ts"
import { DisabledReason, SubscriptionStatus } from "./SubscriptionRecord.ts"
import { toSubscriptionId } from "../BrandedIds.ts"

const Instant = Schema.Int

const fields = {
  ...SubscriptionFacts.fields,
  status: Schema.Literals([...SubscriptionStatus.literals, "deleted"]),
  disabled_reason: Schema.NullOr(DisabledReason),
  created_at: Instant,
  updated_at: Instant,
  last_success_at: Schema.NullOr(Instant),
  previous_secret: Schema.optionalKey(Schema.Struct({ sealed: Schema.String, expires_at: Instant })),
  failing_since: Schema.NullOr(Instant),
  unmailed_at: Schema.optionalKey(Instant),
  revision: Schema.Int,
  sequence: Schema.Int
} satisfies Record<keyof SubscriptionData, Schema.Top>

const StoredSubscription = Schema.Struct(fields)

export const subscriptionState = storedState({ schema: StoredSubscription, upgrades: [] })

export const restoreSubscription = subscriptionState.restore((data, _row, id): PresentSubscription => ({
  _tag: "Present",
  id: toSubscriptionId(id),
  data,
  memory: emptyMemory
}))
