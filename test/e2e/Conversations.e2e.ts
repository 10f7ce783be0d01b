// The cases of test/support/AriCases.ts with a real Asterisk. With E2E_RECORD=on each conversation is stored as a
// fixture, which unit tests replay. Without it, this checks that Asterisk still behaves as the fixtures say.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type AriCase, ariCases, own_number, toldOf } from "../support/AriCases.ts"
import type { Line } from "../support/AriReplay.ts"
import { conversation } from "../support/Conversation.ts"
import { until, untilHolds } from "../support/Until.ts"
import { makeAriTap } from "./support/AriTap.ts"
import { callerScenario } from "./support/CallerScenario.ts"
import { fixtureOf } from "./support/Fixture.ts"
import { isEmpty, makePbxFor, type Pbx, silence_seconds } from "./support/Pbx.ts"
import { plays } from "./support/Peers.ts"

const fixtures = join(import.meta.dirname, "../layers/pbx/asterisk/fixtures")
const keeps = process.env["E2E_RECORD"] === "on"

class Asterisk extends Context.Service<Asterisk, Pbx>()("test/Asterisk") {}

const had = (of: AriCase) =>
  Effect.gen(function* () {
    const { asterisk, caller_host, farEnd, folder } = yield* Asterisk
    const { settings, sip_port } = asterisk
    const lines: Array<Line> = []
    yield* Effect.addFinalizer(() => Effect.orDie(Effect.andThen(asterisk.clear, isEmpty({ asterisk }))))
    const tap = yield* makeAriTap(settings["ARI_URL"]!, (line) => lines.push(line))
    const where = {
      url: tap.url,
      username: settings["ARI_USERNAME"]!,
      password: settings["ARI_PASSWORD"]!,
      app: settings["ARI_APP"]!,
      sounds: join(folder, "sounds")
    }
    const told = yield* conversation(of, where, (does, heard) =>
      Effect.gen(function* () {
        // A call before the gateway listens would be lost.
        yield* untilHolds("gateway that listens", () => heard.returned.length > 0)
        const scenario =
          of.caller &&
          callerScenario({ number: own_number, from: "254771000001", media_port: farEnd.port, ...of.caller })
        if (scenario !== undefined)
          yield* Effect.forkScoped(plays({ folder, sip_port }, scenario, { host: caller_host }))
        for (const [index, { press, wait_ms = 0 }] of of.steps.entries()) {
          const before = Effect.andThen(
            Effect.sleep(wait_ms),
            press === undefined ? Effect.sync(() => lines.push({ command: index })) : farEnd.press(press)
          )
          yield* does(index, Effect.asVoid(before))
        }
        yield* until(
          "end of each leg",
          Effect.sync(() => heard.events),
          (events) => events.filter(({ type }) => type === "leg.hangup").length === Object.keys(of.told).length
        )
        yield* isEmpty({ asterisk })
        return toldOf(heard.events)
      })
    )
    assert.deepStrictEqual(told, of.told)
    if (keeps) yield* Effect.promise(() => writeFile(join(fixtures, `${of.name}.jsonl`), fixtureOf(lines)))
  }).pipe(Effect.scoped)

layer(Layer.effect(Asterisk, makePbxFor({ silence_seconds })), { excludeTestServices: true, timeout: "60 seconds" })(
  "a conversation with Asterisk",
  (it) => {
    it.effect.each(ariCases.map((each) => [each.name, each] as const))("%s", ([, each]) => had(each))
  }
)
