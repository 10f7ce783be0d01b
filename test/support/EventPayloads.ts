import { Schema } from "effect"
import { eventTable } from "../../src/domain/events/EventTable.ts"

/** The schema of the payload of events of this kind; undefined: the kind is not in the table. */
export const payloadSchema = (kind: string): Schema.Codec<unknown, unknown> | undefined =>
  eventTable.find((row) => row.kind === kind)?.schema

/** Throws unless the payload matches the schema of its kind. */
export const assertPayload = (kind: string, payload: unknown): void => {
  const schema = payloadSchema(kind)
  if (schema === undefined) throw new Error(`No webhook event ${kind}`)
  Schema.decodeUnknownSync(schema)(payload)
}
