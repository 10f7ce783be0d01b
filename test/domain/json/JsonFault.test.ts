import { describe, expect, it } from "@effect/vitest"
import { jsonFault } from "../../../src/domain/json/JsonFault.ts"

describe("the fault of a text that is not JSON", () => {
  it.each([
    ['{"to":', "1:7 a value"],
    ['{"to" "x"}', "1:7 `:`"],
    ['{"to": "x",\n  "from": +2}', "2:11 a value"],
    ['{"a": 1,}', "1:9 a name in double quotes"],
    ["{'a': 1}", "1:2 a name in double quotes or `}`"],
    ["[1, 2", "1:6 `,` or the end of the list or object"],
    ["[1 2]", "1:4 `,` or the end of the list or object"],
    ["[1,]", "1:4 a value"],
    ['{"a": "x\ny"}', "1:7 a value"],
    ["{} {}", "1:4 the end of the document"],
    ["nul", "1:1 a value"],
    ["01", "1:2 the end of the document"],
    ["", "1:1 a value"]
  ])("%s is at %s", (text, expected) => {
    const fault = jsonFault(text)!
    expect(`${fault.line}:${fault.column} ${fault.expected}`).toBe(expected)
  })

  it("is found exactly where JSON.parse finds one", () => {
    const pieces = ["{", "}", "[", "]", ",", ":", '"a"', "1", "-0.5e3", "true", "null", " ", "\n", '"\\u12"', "x", "-"]
    let seed = 7
    const next = () => (seed = (seed * 1_103_515_245 + 12_345) & 0x7fff_ffff)
    for (let run = 0; run < 20_000; run++) {
      const text = Array.from({ length: 1 + (next() % 7) }, () => pieces[(next() >> 8) % pieces.length]).join("")
      let isJson = true
      try {
        JSON.parse(text)
      } catch {
        isJson = false
      }
      expect(jsonFault(text) === undefined, text).toBe(isJson)
    }
  })
})
