import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { messageSchema } from "../../../src/domain/Command.ts"
import { WalletInsufficientFunds } from "../../../src/domain/errors/WalletErrors.ts"
import { ClaimSettled, NumberCommands, type NumberMessage } from "../../../src/domain/numbers/NumberCommand.ts"
import { numberView } from "../../../src/domain/numbers/NumberView.ts"
import { claim, number_id, numberIn, origin } from "./Fixtures.ts"
import { workspaceId } from "../../support/Ids.ts"

const Message = messageSchema(NumberCommands)

/** The value as another process receives it. */
const crossed = <S extends Schema.Codec<unknown, unknown>>(schema: S, value: S["Type"]): S["Type"] =>
  Schema.decodeUnknownSync(schema)(JSON.parse(JSON.stringify(Schema.encodeSync(schema)(value))))

describe("messages to and from a number", () => {
  it("are the same after they have crossed to another process", () => {
    const messages: ReadonlyArray<NumberMessage> = [
      { _tag: "Claim", ...claim },
      {
        _tag: "Route",
        workspace_id: workspaceId("w"),
        change: { forward_to: { type: "none", value: null, sequential: null } },
        mode: "merge",
        label: null,
        origin
      },
      { _tag: "QuarantineOver" }
    ]
    for (const message of messages) assert.deepStrictEqual(crossed(Message, message), message)
    const record = numberView(number_id, numberIn("active").data)
    const settled: ClaimSettled = { _tag: "ClaimSettled", entry_id: "e", record, failure: null }
    assert.deepStrictEqual(crossed(ClaimSettled, settled), settled)
  })

  it("keep the class and the fields of an error", () => {
    const { failure } = crossed(ClaimSettled, {
      _tag: "ClaimSettled",
      entry_id: "e",
      record: null,
      failure: new WalletInsufficientFunds()
    })
    assert.instanceOf(failure, WalletInsufficientFunds)
    const message = crossed(Message, {
      _tag: "ClaimRefused",
      entry_id: "e",
      failure: new WalletInsufficientFunds({ reason: "x" })
    })
    assert.deepInclude(message._tag === "ClaimRefused" ? message.failure : {}, {
      _tag: "wallet.insufficient_funds",
      reason: "x"
    })
  })
})
