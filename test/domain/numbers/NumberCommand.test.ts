import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { WalletInsufficientFunds } from "../../../src/domain/errors/WalletErrors.ts"
import { NumberCommand, NumberSettled } from "../../../src/domain/numbers/NumberCommand.ts"
import { numberView } from "../../../src/domain/numbers/NumberView.ts"
import { claim, number_id, numberIn, origin } from "./Fixtures.ts"

/** As it goes to another process and comes out there. */
const crossed = <S extends Schema.Codec<unknown, unknown>>(schema: S, value: S["Type"]): S["Type"] =>
  Schema.decodeUnknownSync(schema)(JSON.parse(JSON.stringify(Schema.encodeSync(schema)(value))))

describe("what is said between a number and whoever asks", () => {
  it("means the same in another process", () => {
    const commands: ReadonlyArray<NumberCommand> = [
      { _tag: "Claim", ...claim },
      {
        _tag: "Route",
        workspace_id: "w",
        change: { forward_to: { type: "none", value: null, sequential: null } },
        mode: "merge",
        label: null,
        origin
      },
      { _tag: "QuarantineOver" }
    ]
    for (const command of commands) assert.deepStrictEqual(crossed(NumberCommand, command), command)
    const record = numberView(number_id, numberIn("active").kept!)
    const settled: NumberSettled = { _tag: "ClaimSettled", entry_id: "e", record, failure: null }
    assert.deepStrictEqual(crossed(NumberSettled, settled), settled)
  })

  it("fails there with the same refusal", () => {
    const { failure } = crossed(NumberSettled, {
      _tag: "ClaimSettled",
      entry_id: "e",
      record: null,
      failure: new WalletInsufficientFunds()
    })
    assert.instanceOf(failure, WalletInsufficientFunds)
    const command = crossed(NumberCommand, {
      _tag: "ClaimRefused",
      entry_id: "e",
      failure: new WalletInsufficientFunds({ reason: "x" })
    })
    assert.deepInclude(command._tag === "ClaimRefused" ? command.failure : {}, {
      _tag: "wallet.insufficient_funds",
      reason: "x"
    })
  })
})
