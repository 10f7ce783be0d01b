import { assert, describe, it } from "@effect/vitest"
import { muLawOf, sampleOf } from "../../../../../../src/domain/sounds/MuLaw.ts"
import {
  frame_bytes,
  mix,
  silentFrame,
  Switchboard
} from "../../../../../../src/layers/pbx/simulator/browsers/media/Switchboard.ts"

const frame = (sample: number) => new Uint8Array(frame_bytes).fill(muLawOf(sample))
const [low, middle, high, music] = [frame(1_000), frame(2_000), frame(4_000), frame(500)]

const make = (...ids: ReadonlyArray<string>) => {
  const board = new Switchboard(music)
  for (const id of ids) board.add(id)
  /** What each browser hears in the next 20 ms. */
  const heard = () => Object.fromEntries(board.beat().frames.map(({ frame, id }) => [id, frame]))
  return { board, heard }
}

describe("the switchboard", () => {
  it("passes what one browser says to those that it is linked with, once, and silence to others", () => {
    const { board, heard } = make("a", "b", "c")
    board.link("a", "b")
    board.hear("a", low)
    assert.deepStrictEqual(heard(), { a: silentFrame, b: low, c: silentFrame })
    assert.deepStrictEqual(heard()["b"], silentFrame)
  })

  it("adds the voices of several", () => {
    const { board, heard } = make("a", "b", "c")
    board.link("a", "c")
    board.link("b", "c")
    board.hear("a", low)
    board.hear("b", middle)
    assert.closeTo(sampleOf(heard()["c"]![0]!), 3_000, 100)
  })

  it("never exceeds the loudest sample", () => {
    assert.strictEqual(mix([frame(30_000), frame(30_000)])![0], muLawOf(32_767))
  })

  it("keeps the newest five frames of a browser that is ahead", () => {
    const { board, heard } = make("a", "b")
    board.link("a", "b")
    for (let sent = 0; sent < 7; sent++) board.hear("a", sent < 2 ? low : high)
    for (let beat = 0; beat < 5; beat++) assert.deepStrictEqual(heard()["b"], high)
    assert.deepStrictEqual(heard()["b"], silentFrame)
  })

  it("ignores frames of another length, and of nobody", () => {
    const { board, heard } = make("a", "b")
    board.link("a", "b")
    board.hear("a", new Uint8Array(3))
    board.hear("nobody", low)
    assert.deepStrictEqual(heard()["b"], silentFrame)
  })

  it("lets nobody hear who is muted, and plays music to who is on hold", () => {
    const { board, heard } = make("a", "b")
    board.link("a", "b")
    board.set("a", { muted: true, held: false })
    board.hear("a", low)
    board.hear("b", high)
    assert.deepStrictEqual(heard(), { a: high, b: silentFrame })
    board.set("a", { muted: false, held: true })
    board.hear("a", low)
    board.hear("b", high)
    assert.deepStrictEqual(heard(), { a: music, b: silentFrame })
  })

  it("plays a sound as often as wanted in the place of the others, fills its last frame, and tells its end", () => {
    const { board } = make("a", "b")
    board.link("a", "b")
    board.play("a", "p", new Uint8Array(frame_bytes + 10).fill(muLawOf(1_000)), 2)
    const beats = [1, 2, 3, 4].map(() => {
      board.hear("b", high)
      const { frames, played } = board.beat()
      return [frames[0]!.frame![0], frames[0]!.frame![20], played]
    })
    const [code, silence] = [low[0], silentFrame[0]]
    assert.deepStrictEqual(beats, [
      [code, code, []],
      [code, silence, []],
      [code, code, []],
      [code, silence, [{ id: "a", play_id: "p", duration_ms: 80 }]]
    ])
  })

  it("stops the sound that is meant, and no other", () => {
    const { board, heard } = make("a")
    board.play("a", "p", low, Infinity)
    board.stop("a", "another")
    assert.deepStrictEqual(heard()["a"], low)
    board.stop("a", "p")
    assert.deepStrictEqual(heard()["a"], silentFrame)
  })

  it("sends nothing to a browser that is connected with a phone without sound, but what is played", () => {
    const { board, heard } = make("a")
    board.add("phone", "silent")
    board.link("a", "phone")
    assert.deepStrictEqual(heard(), { a: undefined })
    board.play("a", "p", low, 1)
    assert.deepStrictEqual([heard()["a"], heard()["a"]], [low, undefined])
  })

  it("has phones that speak again and again, and phones that echo what they hear", () => {
    const { board, heard } = make("a")
    board.add("phone", new Uint8Array())
    board.link("a", "phone")
    assert.deepStrictEqual(heard(), { a: silentFrame })
    board.giveVoice("phone", Uint8Array.from([...low, ...middle]))
    assert.deepStrictEqual([heard()["a"], heard()["a"], heard()["a"]], [low, middle, low])
    board.remove("phone")
    board.add("echo", "echo")
    board.link("a", "echo")
    board.hear("a", high)
    assert.deepStrictEqual([heard()["a"], heard()["a"], heard()["a"]], [silentFrame, high, silentFrame])
  })
})
