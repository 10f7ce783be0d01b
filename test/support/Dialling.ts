// Scenarios of a call that dials others.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import type { CallRecord } from "../../src/domain/calls/state/CallRecord.ts"
import type { DialResult } from "../../src/domain/calls/state/Dial.ts"
import type { VoiceAction } from "../../src/domain/calls/verbs/VoiceAction.ts"
import type { CallReads } from "../../src/domain/ports/calls/CallReads.ts"
import type { Phone } from "../../src/layers/pbx/simulator/Phones.ts"
import { talkative } from "../../src/layers/pbx/simulator/Phones.ts"
import { type EngineOptions, PbxSimulator, TestEngine } from "../../src/testing.ts"
import { look, place, scenario } from "./Scenario.ts"
import { type CallId, toSessionId } from "../../src/domain/BrandedIds.ts"

export const caller = "+99900000001"
export const [first, second, third] = ["+254711000001", "+254711000002", "+254711000003"] as const
export const busy: Phone = { steps: [{ kind: "refuses", after_ms: 500, sip_code: 486, q850: 17, source: "callee" }] }
export const silent: Phone = { steps: [{ kind: "rings", after_ms: 100 }] }
export const next = "https://app.test/next"

/** The caller stays for ten minutes; the others follow their scripts. */
export const phones =
  (others: Readonly<Record<string, Phone>>) =>
  (to: string): Phone =>
    others[to] ?? talkative(1_000, 600_000)

interface Asked {
  readonly reason: string
  readonly result: DialResult | null
}

/** A callback that dials, receives the result, and hangs up. */
export const dialling = (
  dial: Extract<VoiceAction, { readonly dial: unknown }>["dial"],
  others: Readonly<Record<string, Phone>>
) => {
  const asked: Array<Asked> = []
  const options: EngineOptions = {
    phones: phones(others),
    callback: ({ body }) => {
      asked.push(JSON.parse(body))
      return Effect.succeed(
        asked.length === 1 ? [{ dial: { ...dial, action_url: next } }] : [{ say: { text: "Bye." } }]
      )
    }
  }
  return { asked, options }
}

export const children = (id: string) =>
  Effect.flatMap(look(id), ({ child_call_ids }) => Effect.forEach(child_call_ids, look))

export const statuses = (legs: ReadonlyArray<CallRecord>) =>
  Object.fromEntries(legs.map(({ hangup_cause, status, to }) => [to, `${status}/${hangup_cause}`]))

export const held = Effect.flatMap(TestEngine, ({ held_minor }) => held_minor)
export const lines = Effect.flatMap(PbxSimulator, ({ live_sessions }) => live_sessions)

/** What was said last to the party of a live session. */
export const said = (session_id: string) =>
  Effect.flatMap(PbxSimulator, ({ look }) => Effect.map(look(toSessionId(session_id)), (session) => session?.said))

type Services = CallReads | ActorSystem | TestEngine | PbxSimulator

/** Asserts that no leg is live and no money is held. */
export const fanOut = (
  name: string,
  { asked, options }: ReturnType<typeof dialling>,
  body: (id: CallId, asked: ReadonlyArray<Asked>) => Effect.Effect<void, unknown, Services>
) =>
  scenario(
    name,
    options,
    Effect.gen(function* () {
      const { id } = yield* place(caller)
      yield* body(id, asked)
      assert.deepStrictEqual(yield* lines, [])
      assert.strictEqual(yield* held, 0)
    })
  )
