import { assert, describe, it } from "@effect/vitest"
import {
  type Backlog,
  callsFrom,
  isFull,
  isShed,
  type Shed,
  shedAt,
  shedFor,
  shedForEverybody,
  shedOf
} from "../../../src/domain/journal/Shedding.ts"

describe("shedAt", () => {
  for (const [entries, characters, expected] of [
    [0, 0, "nothing"],
    [4_095, 16 * 1024 * 1024 - 1, "nothing"],
    [4_096, 0, "reads"],
    [1, 16 * 1024 * 1024, "reads"],
    [8_191, 0, "reads"],
    [8_192, 0, "sandboxes"],
    [2, 32 * 1024 * 1024, "sandboxes"],
    [16_383, 0, "sandboxes"],
    [16_384, 0, "calls"],
    [3, 64 * 1024 * 1024, "calls"]
  ] as const)
    it(`${entries} entries with ${characters} characters: ${expected}`, () =>
      assert.strictEqual(shedAt({ entries, characters }), expected))
})

describe("isFull", () => {
  it.each([
    [0, 0, false],
    [4 * callsFrom.entries - 1, 4 * callsFrom.characters - 1, false],
    [4 * callsFrom.entries, 0, true],
    [1, 4 * callsFrom.characters, true]
  ])("%i entries with %i characters: %s", (entries, characters, expected) =>
    assert.strictEqual(isFull({ entries, characters }), expected)
  )
})

describe("isShed", () => {
  it("refuses reads first, then new calls, and nothing else", () => {
    const refused = (["nothing", "reads", "calls"] as const).map((shed) =>
      (["reads", "calls", undefined] as const).map((kind) => isShed(shed, kind))
    )
    assert.deepStrictEqual(refused, [
      [false, false, false],
      [true, false, false],
      [true, true, false]
    ])
  })
})

describe("shedFor", () => {
  const mebi = 1024 * 1024
  const sandbox = "7e577e57-0000-7000-8000-000000000001"
  const backlogOf = (entries: number, characters = 0): Backlog => ({ entries, characters })
  const many = Array.from({ length: 20 }, (_, nth) => [`flood-${nth}`, backlogOf(1_000)] as const)
  const few = Array.from({ length: 100 }, (_, nth) => [`calm-${nth}`, backlogOf(2)] as const)

  const cases: ReadonlyArray<
    readonly [
      what: string,
      all: Backlog,
      of: ReadonlyArray<readonly [string, Backlog]>,
      expected: Readonly<Record<string, Shed>>
    ]
  > = [
    ["nothing waits", backlogOf(0), [], { a: "nothing", [sandbox]: "nothing" }],
    [
      "little waits, whoever causes it",
      backlogOf(4_095),
      [["a", backlogOf(4_095)]],
      { a: "nothing", b: "nothing", [sandbox]: "nothing" }
    ],
    [
      "lists and statistics are first, in sandboxes too",
      backlogOf(4_096),
      [[sandbox, backlogOf(4_096)]],
      { a: "nothing", [sandbox]: "reads" }
    ],
    [
      "then sandboxes, whoever causes it",
      backlogOf(8_192),
      [["a", backlogOf(8_192)]],
      { a: "reads", b: "reads", [sandbox]: "calls" }
    ],
    ["the same by characters", backlogOf(1, 32 * mebi), [["a", backlogOf(1, 32 * mebi)]], { [sandbox]: "calls" }],
    [
      "one workspace causes it",
      backlogOf(5_000),
      [
        ["a", backlogOf(4_900)],
        ["b", backlogOf(100)]
      ],
      { a: "reads", b: "nothing", c: "nothing" }
    ],
    [
      "one workspace causes it by few long entries",
      backlogOf(5_000, 70 * mebi),
      [
        ["a", backlogOf(100, 69 * mebi)],
        ["b", backlogOf(4_900, mebi)]
      ],
      { a: "calls", b: "calls", c: "reads" }
    ],
    [
      "one workspace causes so much that there is no room",
      backlogOf(40_000),
      [
        ["a", backlogOf(39_000)],
        ["b", backlogOf(1_000)]
      ],
      { a: "calls", b: "calls", c: "calls" }
    ],
    [
      "somebody has divided the load among workspaces",
      backlogOf(20_200),
      [...many, ...few],
      { "flood-3": "calls", "calm-5": "reads", "not waiting": "reads" }
    ],
    [
      "all do the same",
      backlogOf(16_384),
      [
        ["a", backlogOf(8_192)],
        ["b", backlogOf(8_192)]
      ],
      { a: "calls", b: "calls", c: "reads" }
    ],
    ["what waits is of no workspace", backlogOf(20_000), [["a", backlogOf(1)]], { a: "reads", b: "reads" }]
  ]

  it.each(cases)("refuses less to those who do not cause it: %s", (_what, all, of, expected) => {
    const backlogs = { all, of: new Map(of) }
    const seen = Object.keys(expected).map((workspace) => [workspace, shedFor(backlogs, workspace)])
    assert.deepStrictEqual(Object.fromEntries(seen), expected)
  })

  it("never refuses more to a workspace than the cause is refused, and never less than everybody", () => {
    const rank = { nothing: 0, reads: 1, calls: 2 } satisfies Record<Shed, number>
    for (let entries = 0; entries < 40_000; entries += 512)
      for (const own of [0, entries >> 4, entries >> 1, entries]) {
        const of = new Map([
          ["a", backlogOf(own)],
          ["b", backlogOf(entries - own)]
        ])
        const shed = rank[shedFor({ all: backlogOf(entries), of }, "a")]
        assert.isAtMost(shed, rank[shedOf(shedAt(backlogOf(entries)), false)])
        assert.isAtLeast(shed, rank[shedForEverybody(backlogOf(entries))])
      }
  })
})
