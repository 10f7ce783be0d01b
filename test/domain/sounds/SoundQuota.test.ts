import { assert, describe, it } from "@effect/vitest"
import { evictions, type StoredSound } from "../../../src/domain/sounds/SoundQuota.ts"

interface Named extends StoredSound {
  readonly name: string
}

/** `a1 30 held`: the first used sound of the workspace a, with 30 bytes, that is playing. */
const sound = (text: string): Named => {
  const [name = "", bytes = "", held] = text.split(" ")
  return { name, owner: name.charAt(0), used_at: Number(name.slice(1)), bytes: Number(bytes), is_held: held === "held" }
}

describe("the cached sounds that are removed", () => {
  it.each<[string, ReadonlyArray<string>, ReadonlyArray<string>, boolean]>([
    ["none within the limits", ["a1 50", "b2 50"], [], true],
    ["none at exactly the limits", ["a1 60", "b2 40"], [], true],
    ["the least recently used of a workspace over its limit", ["a3 30", "a1 30", "a2 30"], ["a1", "a2"], true],
    ["none of another workspace, however old", ["b0 20", "a1 40", "a2 40"], ["a1"], true],
    ["the least recently used of all over the limit of all", ["a2 50", "b1 10", "c3 50"], ["b1", "a2"], true],
    ["none that is playing", ["a1 40 held", "a2 20", "a3 20"], ["a2", "a3"], true],
    ["those that can be, though those playing are too many", ["a1 50 held", "a2 5", "a3 40 held"], ["a2"], false],
    ["nothing if all are playing", ["a1 60 held", "b2 60 held"], [], false],
    ["those of each workspace that is over its limit", ["a1 40", "a2 40", "b3 40", "b4 40"], ["a1", "b3"], true]
  ])("are %s", (_, sounds, evicted, fits) => {
    const result = evictions(sounds.map(sound), { total_bytes: 100, workspace_bytes: 60 })
    assert.deepStrictEqual(
      result.evicted.map(({ name }) => name),
      evicted
    )
    assert.strictEqual(result.fits, fits)
  })

  it("make room for more than the next sound", () => {
    const sounds = Array.from({ length: 1_001 }, (_, n) => sound(`a${n} 1`))
    assert.lengthOf(evictions(sounds, { total_bytes: 10_000, workspace_bytes: 1_000 }).evicted, 101)
  })
})
