import { Schema } from "effect"

/** Groups of events that a subscription can name instead of the kinds (docs/webhooks.md). */
export type EventFamily = "call_lifecycle" | "call_media" | "billing" | "numbers" | "connectivity" | "security"

/** One row of the table of webhook events. */
export interface WebhookEvent<Kind extends string, Payload extends Schema.Codec<unknown, unknown>> {
  readonly kind: Kind
  /** Selectors, besides the kind and its prefix, that include this event. */
  readonly families: ReadonlyArray<EventFamily>
  /** Shape of the event's `payload`. */
  readonly schema: Payload
  /** A payload for the API reference. */
  readonly example: Payload["Type"]
}

interface Row<Fields extends Schema.Struct.Fields> {
  readonly families: ReadonlyArray<EventFamily>
  /** Members of the payload besides `kind`. */
  readonly fields: Fields
  readonly example: Schema.Struct<Fields>["Type"]
}

/** A row whose payload repeats the kind of the event, as all do but `webhook.test`. */
export const webhookEvent = <const Kind extends string, const Fields extends Schema.Struct.Fields>(
  kind: Kind,
  { example, families, fields }: Row<Fields>
) => ({
  kind,
  families,
  schema: Schema.Struct({ ...fields, kind: Schema.Literal(kind) }),
  example: { ...example, kind }
})
