import { assert, it } from "@effect/vitest"
import { dialledNumber } from "../../../../src/domain/calls/policy/DialledNumber.ts"
import { extensionsBy } from "../../../../src/domain/credentials/Extension.ts"
import { credentialId, numberId } from "../../../support/Ids.ts"

const extensions = extensionsBy([
  {
    credential_id: credentialId("c"),
    extension: "1001",
    username: "1001-a",
    number_id: numberId("n"),
    number: "+254700000001",
    display_name: null
  }
])
const read = (text: string) =>
  text === "0711000001" || text === "+254711000001"
    ? ({ ok: true, e164: "+254711000001", country: "KE" } as const)
    : ({ ok: false, reason: "not_possible" } as const)

const number = { to: "+254711000001", destination: "+254711000001", country: "KE" }
const own = { to: "1001", destination: "sip:1001@extensions", country: null }
const rows: ReadonlyArray<[string, ReturnType<typeof dialledNumber>]> = [
  ["+254711000001", number],
  ["0711000001", number],
  ["sip:0711000001@pbx.example;user=phone", number],
  ["SIPS:+254711000001@pbx", number],
  ["tel:+254711000001", number],
  ["1001", own],
  ["sip:1001@anywhere", own],
  ["1002", { to: "1002", destination: "1002", country: null }],
  ["mary", { to: "mary", destination: "mary", country: null }],
  ["", { to: "", destination: "", country: null }]
]
for (const [dialled, expected] of rows) {
  it(`"${dialled}" means ${expected.destination}`, () =>
    assert.deepStrictEqual(dialledNumber(dialled, extensions, read), expected))
}
