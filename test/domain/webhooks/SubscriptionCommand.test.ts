import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { messageSchema } from "../../../src/domain/Command.ts"
import { SubscriptionCommands } from "../../../src/domain/webhooks/SubscriptionCommand.ts"

/** Compares as JSON, which has no -0. */
const assertSurvives = <A, I>(schema: Schema.Codec<A, I>, value: A) => {
  const arrived = Schema.decodeUnknownSync(schema)(JSON.parse(JSON.stringify(Schema.encodeSync(schema)(value))))
  assert.deepStrictEqual(arrived, JSON.parse(JSON.stringify(value)))
}

const Message = messageSchema(SubscriptionCommands)

it.prop("a command is the same after it has crossed to another process", [Message], ([message]) => {
  assertSurvives(Message, message)
})

describe("a reply is the same after it has crossed to another process", () => {
  const { Create, Replay, Retry, RotateSecret, Route, Test } = SubscriptionCommands
  for (const { reply, tag } of [Create, Replay, Retry, RotateSecret, Route, Test]) {
    const schema: Schema.Codec<unknown, unknown> = reply
    it.prop(tag, [schema], ([value]) => assertSurvives(schema, value))
  }
})
