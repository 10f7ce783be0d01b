// Replays recorded conversations with a real Asterisk. The engine gets the same events, with Asterisk's times.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { instantOf } from "../../../../src/layers/pbx/asterisk/ari/AriEvent.ts"
import { type AriCase, ariCases, toldOf } from "../../../support/AriCases.ts"
import { type Line, makeAriReplay } from "../../../support/AriReplay.ts"
import { conversation } from "../../../support/Conversation.ts"
import { until } from "../../../support/Until.ts"

const fixtures = join(import.meta.dirname, "fixtures")
const linesOf = (name: string): ReadonlyArray<Line> =>
  readFileSync(join(fixtures, `${name}.jsonl`), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))

const isRinging = (line: Line): boolean =>
  "event" in line &&
  (((line.event["channel"] as { readonly state?: string } | undefined)?.state === "Ringing" &&
    line.event["type"] === "ChannelStateChange") ||
    line.event["dialstatus"] === "RINGING")

/** Swaps the two events that report ringing. */
const swapped = (lines: ReadonlyArray<Line>): ReadonlyArray<Line> | undefined => {
  const first = lines.findIndex(
    (line, at) => isRinging(line) && lines[at + 1] !== undefined && isRinging(lines[at + 1]!)
  )
  return first < 0 ? undefined : lines.with(first, lines[first + 1]!).with(first + 1, lines[first]!)
}

const replayed = (of: AriCase, lines: ReadonlyArray<Line>) =>
  Effect.gen(function* () {
    let step: (index: number, with_patience: boolean) => Effect.Effect<void> = () => Effect.void
    const asterisk = yield* makeAriReplay(lines, (index, with_patience) => step(index, with_patience))
    const where = { url: asterisk.url, username: "trunkline", password: "secret", app: "trunkline", sounds: "unused" }
    const events = yield* conversation(of, where, (does, heard) =>
      Effect.gen(function* () {
        step = (index, with_patience) => does(index, Effect.void, with_patience)
        yield* asterisk.play
        const count = Object.values(of.told).flat().length
        const isAll = () => heard.events.filter(({ session_id }) => session_id !== undefined).length >= count
        const seen = Effect.sync(() => toldOf(heard.events))
        yield* until(`${count} events`, seen, isAll, { every_ms: 1 })
        return heard.events
      })
    )
    assert.deepStrictEqual(toldOf(events), of.told)
    return events
  }).pipe(Effect.scoped)

/** Events whose time is from the gateway's clock and not from Asterisk's. */
const ofGateway = new Set(["session.created", "leg.bridged", "gather.finished", "playback.finished", "heartbeat"])

describe("a recorded conversation with Asterisk", () => {
  it("exists for every case, and for nothing else", () => {
    assert.sameMembers(
      readdirSync(fixtures),
      ariCases.map(({ name }) => `${name}.jsonl`)
    )
  })

  it.live.each(ariCases.map((each) => [each.name, each] as const))("%s", ([name, each]) =>
    Effect.gen(function* () {
      const lines = linesOf(name)
      const instants = new Set(
        lines.flatMap((line) => ("event" in line ? [instantOf(String(line.event["timestamp"]))] : []))
      )
      const events = yield* replayed(each, lines)
      for (const { data, occurred_at, session_id, type } of events) {
        if (ofGateway.has(type)) continue
        assert.include([...instants], Date.parse(occurred_at), type)
        if (type !== "leg.hangup" || data.duration_ms === 0) continue
        const answer = events.find((event) => event.session_id === session_id && event.type === "leg.answered")
        assert.strictEqual(
          data.duration_ms,
          answer === undefined ? 0 : Date.parse(occurred_at) - Date.parse(answer.occurred_at)
        )
      }
    })
  )

  const both = ariCases.flatMap((each) => {
    const lines = readdirSync(fixtures).includes(`${each.name}.jsonl`) ? swapped(linesOf(each.name)) : undefined
    return lines === undefined ? [] : [[each.name, each, lines] as const]
  })
  it("has the two events that report ringing next to each other", () => assert.isAbove(both.length, 5))
  it.live.each(both)("%s, with the two events that report ringing swapped", ([, each, lines]) =>
    Effect.asVoid(replayed(each, lines))
  )
})
