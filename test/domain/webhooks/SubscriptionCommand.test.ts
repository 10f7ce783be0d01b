import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { SubscriptionCommand, SubscriptionReply } from "../../../src/domain/webhooks/SubscriptionCommand.ts"

/** Compared as JSON, which knows no -0. */
const survives = <A, I>(schema: Schema.Codec<A, I>, value: A) => {
  const arrived = Schema.decodeUnknownSync(schema)(JSON.parse(JSON.stringify(Schema.encodeSync(schema)(value))))
  assert.deepStrictEqual(arrived, JSON.parse(JSON.stringify(value)))
}

it.prop("every command means the same in the process that it reaches", [SubscriptionCommand], ([command]) => {
  survives(SubscriptionCommand, command)
})

it.prop("every reply means the same in the process that asked", [SubscriptionReply], ([reply]) => {
  survives(SubscriptionReply, reply)
})
