import { assert, describe, it } from "@effect/vitest"
import { guessBounds, PasswordGuesses } from "../../../src/domain/pbx/PasswordGuesses.ts"

const minute = 60_000
const hour = 60 * minute

type Guess = readonly [at: number, credential: string, address: string]

/** Makes the guesses, and returns the attacks that were alerted: when, whose, how many and from where. */
const alertsOf = (guesses: ReadonlyArray<Guess>, counts = new PasswordGuesses()) =>
  guesses.flatMap(([at, credential, address]) =>
    counts
      .add({ credential, address }, at)
      .map((attack) => [at, attack.credential, attack.attempts, attack.addresses.join(" ")] as const)
  )
const often = (count: number, at = 0, every = 0, credential = "1001", address = "192.0.2.1") =>
  Array.from({ length: count }, (_, index): Guess => [at + index * every, credential, address])

describe("wrong passwords", () => {
  it.each([
    ["nine", often(9), []],
    ["ten", often(10), [[0, "1001", 10, "192.0.2.1"]]],
    ["ten in more than ten minutes", [...often(9), ...often(1, 10 * minute)], []],
    ["many, once", often(1_000), [[0, "1001", 10, "192.0.2.1"]]],
    ["many, that go on for a day, once", often(24 * 60, 0, minute), [[9 * minute, "1001", 10, "192.0.2.1"]]],
    [
      "many, that go on for longer, again after a day",
      often(25 * 60, 0, minute),
      [
        [9 * minute, "1001", 10, "192.0.2.1"],
        [24 * hour + 9 * minute, "1001", 10, "192.0.2.1"]
      ]
    ],
    [
      "two bursts, with an hour of quiet between them",
      [...often(10), ...often(10, hour)],
      [
        [0, "1001", 10, "192.0.2.1"],
        [hour, "1001", 10, "192.0.2.1"]
      ]
    ],
    [
      "a burst that pauses for less than an hour",
      [...often(10), ...often(10, hour - 1)],
      [[0, "1001", 10, "192.0.2.1"]]
    ],
    [
      "for one credential from many addresses",
      Array.from({ length: 10 }, (_, index): Guess => [0, "1001", `192.0.2.${index % 3}`]),
      [[0, "1001", 10, "192.0.2.0 192.0.2.1 192.0.2.2"]]
    ],
    [
      "from many addresses of one IPv6 network",
      Array.from({ length: 10 }, (_, index): Guess => [0, "1001", `2001:db8:0:1::${index + 1}`]),
      [[0, "1001", 10, "2001:db8:0:1::1"]]
    ],
    [
      "of one address for four credentials",
      ["1", "2", "3", "4"].map((credential): Guess => [0, credential, "192.0.2.1"]),
      []
    ],
    [
      "of one address for six credentials: each of them, once",
      [..."123456", ..."123456"].map((credential): Guess => [0, credential, "192.0.2.1"]),
      [..."12345", "6"].map((credential) => [0, credential, 1, "192.0.2.1"])
    ],
    [
      "of one address for many credentials, slowly",
      ["1", "2", "3", "4", "5"].map((credential, index): Guess => [index * 3 * minute, credential, "192.0.2.1"]),
      []
    ]
  ])("are alerted: %s", (_, guesses, alerts) => {
    assert.deepStrictEqual<unknown>(alertsOf(guesses), alerts)
  })

  it("are remembered for a bounded number of credentials and addresses, whoever guesses", () => {
    const counts = new PasswordGuesses()
    const guesses = Array.from({ length: 30_000 }, (_, index): Guess => [
      0,
      `c${index}`,
      `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`
    ])
    alertsOf(guesses, counts)
    assert.isAtMost(counts.size, guessBounds.credentials + guessBounds.addresses)
    const from = Array.from({ length: 100 }, (_, index): Guess => [0, "c", `198.51.100.${index}`])
    const [alert] = counts.add({ credential: "c", address: "x" }, 0)
    assert.isUndefined(alert)
    const shown = from.flatMap(([at, credential, address]) => counts.add({ credential, address }, at))
    assert.isAtMost(shown[0]?.addresses.length ?? 0, guessBounds.addresses_shown)
    assert.lengthOf(shown, 1)
  })
})
