import { describe, expect, it } from "@effect/vitest"
import { isEmergency } from "../../../src/domain/numbers/EmergencyNumbers.ts"

describe("an emergency number", () => {
  it.each([
    ["112", "KE"],
    ["911", "DE"],
    [" 9-9-9 ", "KE"],
    ["９９９", "UG"],
    ["10111", "ZA"],
    ["+2710111", "KE"],
    ["0027 10 111", "KE"],
    ["+254999", "UG"],
    ["+254 (112)", "DE"],
    ["+250912", "KE"]
  ])("is recognized in any spelling: %j in %s", (text, country) => expect(isEmergency(text, country)).toBe(true))

  it.each([
    ["999", "DE"],
    ["191", "KE"],
    ["1120", "KE"],
    ["+112", "KE"],
    ["+999", "KE"],
    ["", "KE"],
    ["+254712345678", "KE"],
    ["+99900000001", "KE"],
    ["254112", "KE"],
    ["112 ext", "KE"],
    ["constructor", "constructor"]
  ])("is not %j in %s", (text, country) => expect(isEmergency(text, country)).toBe(false))
})
