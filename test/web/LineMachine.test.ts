import { assert, describe, it } from "@effect/vitest"
import type { ClientEventName, ClientEvents } from "../../src/web/ClientEvents.ts"
import {
  advanceLine,
  answerWithin_ms,
  backOff_ms,
  clientState,
  type LineAction,
  type LineInput,
  type LinePhase,
  type LineState,
  openLine
} from "../../src/web/LineMachine.ts"

const began_at = 1_790_000_000_000
const expires_at = began_at + 900_000
const token = { expires_at, registers: true }

/** What a step does, in short: `wait 1000`, `tell closed retries`, `connect`. */
const brief = (action: LineAction): string => {
  switch (action._tag) {
    case "Wait":
      return `wait ${action.ms}`
    case "Tell": {
      const { name, payload } = action.event
      const values = Object.values(payload as object).map(String)
      return ["tell", name, ...values].join(" ")
    }
    default:
      return action._tag[0]!.toLowerCase() + action._tag.slice(1)
  }
}

interface Run {
  readonly state: LineState
  /** What the last input made it do. */
  readonly done: ReadonlyArray<string>
  readonly all: ReadonlyArray<string>
}

type Moment = LineInput | LineInput["_tag"] | { readonly after_ms: number }

/** Gives the inputs one after the other; time passes only where it is said. */
const run = (...moments: ReadonlyArray<Moment>): Run => {
  const opening = openLine(token)
  let { state } = opening
  let done = opening.actions.map(brief)
  const all = [...done]
  let now = began_at
  for (const moment of moments) {
    if (typeof moment === "object" && "after_ms" in moment) {
      now += moment.after_ms
      continue
    }
    const input = typeof moment === "string" ? ({ _tag: moment } as LineInput) : moment
    const step = advanceLine(state, input, now)
    state = step.state
    done = step.actions.map(brief)
    all.push(...done)
  }
  return { state, done, all }
}

const up = ["Opened", "Registered"] as const
const lost = (code: number): LineInput => ({ _tag: "Lost", code })
const refused: LineInput = { _tag: "RegistrationFailed", code: 403 }
const toldNames = ({ all }: Run) =>
  all.flatMap((each) => (each.startsWith("tell ") ? [each.split(" ")[1] as ClientEventName] : []))
const count = (run: Run, name: keyof ClientEvents) => toldNames(run).filter((each) => each === name).length

describe("the line of a browser client", () => {
  const table: ReadonlyArray<
    readonly [name: string, moments: ReadonlyArray<Moment>, phase: LinePhase, done: ReadonlyArray<string>]
  > = [
    ["connects at once, and does not wait for ever", [], "connecting", ["connect", `wait ${answerWithin_ms}`]],
    ["registers when it is open", ["Opened"], "registering", ["tell connected", "register", `wait ${answerWithin_ms}`]],
    ["tells that it is registered", up, "up", ["stopWaiting", "tell registered"]],
    ["does not tell of refreshes", [...up, "Registered"], "up", []],
    [
      "tries a refused registration again",
      ["Opened", refused],
      "registrationLater",
      ["wait 1000", "tell registration_failed 1 1000 403"]
    ],
    [
      "registers again when that is due",
      ["Opened", refused, "Due"],
      "registering",
      ["register", `wait ${answerWithin_ms}`]
    ],
    [
      "takes a registration that is not answered for failed",
      ["Opened", "Due"],
      "registrationLater",
      ["wait 1000", "tell registration_failed 1 1000"]
    ],
    [
      "takes a late answer to a registration",
      ["Opened", "Due", "Registered"],
      "up",
      ["stopWaiting", "tell registered"]
    ],
    [
      "tries a refused refresh again",
      [...up, refused],
      "registrationLater",
      ["wait 1000", "tell registration_failed 1 1000 403"]
    ],
    [
      "connects again when the line is lost",
      [...up, lost(1006)],
      "connectionLater",
      ["wait 1000", "tell reconnecting 1 1000"]
    ],
    ["connects when that is due", [...up, lost(1006), "Due"], "connecting", ["connect", `wait ${answerWithin_ms}`]],
    [
      "gives up a connection that does not open",
      ["Due"],
      "connectionLater",
      ["drop", "wait 1000", "tell reconnecting 1 1000"]
    ],
    [
      "closes when the gate says that the token has ended",
      [...up, lost(4401)],
      "closed",
      ["stopWaiting", "shutDown", "tell closed token_ended"]
    ],
    [
      "closes when the gate refuses it",
      [...up, lost(4403)],
      "closed",
      ["stopWaiting", "shutDown", "tell closed refused"]
    ],
    [
      "does not connect with an expired token",
      [...up, { after_ms: 900_000 }, lost(1006)],
      "closed",
      ["stopWaiting", "shutDown", "tell closed token_ended"]
    ],
    [
      "closes when an expired token cannot register",
      [...up, { after_ms: 900_000 }, refused],
      "closed",
      ["stopWaiting", "shutDown", "tell closed token_ended"]
    ],
    [
      "leaves the refusal alone during a call",
      [...up, "CallBegan", { after_ms: 900_000 }, refused],
      "up",
      ["stopWaiting"]
    ],
    [
      "leaves a call alone whose line and token have ended",
      [...up, "CallBegan", { after_ms: 900_000 }, lost(1006)],
      "ended",
      ["stopWaiting"]
    ],
    [
      "and closes after that call",
      [...up, "CallBegan", { after_ms: 900_000 }, lost(1006), "CallEnded"],
      "closed",
      ["stopWaiting", "shutDown", "tell closed token_ended"]
    ],
    [
      "waits for the network if there is none",
      [...up, "Offline", lost(1006)],
      "connectionLater",
      ["wait 900000", "tell reconnecting 1 900000"]
    ],
    [
      "until the token ends",
      [...up, "Offline", lost(1006), { after_ms: 900_000 }, "Due"],
      "closed",
      ["stopWaiting", "shutDown", "tell closed token_ended"]
    ],
    [
      "connects when the network is back",
      [...up, "Offline", lost(1006), "Online"],
      "connecting",
      ["connect", `wait ${answerWithin_ms}`, "tell reconnecting 0 0"]
    ],
    ["tests the line when the network has changed", [...up, "Online"], "up", ["probe"]],
    [
      "connects sooner when the page is shown again",
      [...up, lost(1006), "Online"],
      "connecting",
      ["connect", `wait ${answerWithin_ms}`]
    ],
    [
      "connects anew when it is asked to",
      [...up, "Reconnect"],
      "connecting",
      ["connect", `wait ${answerWithin_ms}`, "tell reconnecting 0 0"]
    ],
    ["closes when it is asked to", [...up, "Destroy"], "closed", ["stopWaiting", "shutDown", "tell closed destroyed"]],
    ["stays closed", [...up, "Destroy", "Reconnect"], "closed", []]
  ]
  it.each(table)("%s", (_, moments, phase, done) => {
    const { done: did, state } = run(...moments)
    assert.strictEqual(state.phase, phase)
    assert.deepStrictEqual(did, done)
  })

  it("retries a registration five times with growing waits, tells each, and then closes", () => {
    const failures = Array.from({ length: 6 }, () => [refused, "Due"] as const).flat()
    const result = run("Opened", ...failures)
    assert.strictEqual(count(result, "registration_failed"), 5)
    assert.deepStrictEqual(
      result.all.filter((each) => each.startsWith("tell registration_failed")),
      backOff_ms.map((ms, index) => `tell registration_failed ${index + 1} ${ms} 403`)
    )
    assert.strictEqual(result.all.filter((each) => each === "register").length, 6)
    assert.strictEqual(result.all.at(-1), "tell closed retries")
    assert.strictEqual(clientState(result.state), "closed")
  })

  it("retries a connection five times and then closes", () => {
    const result = run(...Array.from({ length: 6 }, () => [lost(1006), "Due"] as const).flat())
    assert.strictEqual(count(result, "reconnecting"), 5)
    assert.strictEqual(result.all.filter((each) => each === "connect").length, 6)
    assert.strictEqual(result.all.at(-1), "tell closed retries")
  })

  it("shares the five retries between connections and registrations", () => {
    const result = run(
      "Opened",
      refused,
      "Due",
      refused,
      lost(1006),
      "Due",
      "Opened",
      refused,
      "Due",
      lost(1006),
      lost(1006)
    )
    assert.strictEqual(count(result, "registration_failed") + count(result, "reconnecting"), 5)
    assert.strictEqual(result.all.at(-1), "tell closed retries")
  })

  it("counts from one again after the line has worked for ten seconds, and not before", () => {
    const again = (after_ms: number) => run(...up, lost(1006), "Due", ...up, { after_ms }, lost(1006)).all.at(-1)
    assert.strictEqual(again(9_999), "tell reconnecting 2 2000")
    assert.strictEqual(again(10_000), "tell reconnecting 1 1000")
  })

  it("goes on trying during a call, because the sound may still be there", () => {
    const failures = Array.from({ length: 8 }, () => [lost(1006), "Due"] as const).flat()
    const result = run(...up, "CallBegan", ...failures)
    assert.strictEqual(result.state.phase, "connecting")
    assert.strictEqual(count(result, "closed"), 0)
    assert.include(result.all, "tell reconnecting 5 16000")
    assert.strictEqual(advanceLine({ ...result.state, inCall: false }, lost(1006), began_at).state.phase, "closed")
  })

  it("does not register with a token that allows no incoming calls", () => {
    const opening = openLine({ expires_at, registers: false })
    const { actions, state } = advanceLine(opening.state, { _tag: "Opened" }, began_at)
    assert.deepStrictEqual(actions.map(brief), ["stopWaiting", "tell connected"])
    assert.strictEqual(clientState(state), "connected")
  })

  it("takes a new token at once, or after the call", () => {
    const fresh: LineInput = { _tag: "Token", expires_at: expires_at + 900_000, registers: true }
    const connects = ["connect", `wait ${answerWithin_ms}`, "tell reconnecting 0 0"]
    assert.deepStrictEqual(run(...up, fresh).done, connects)
    const talking = run(...up, "CallBegan", fresh)
    assert.deepStrictEqual(talking.done, [])
    assert.deepStrictEqual(run(...up, "CallBegan", fresh, "CallEnded").done, connects)
    assert.isFalse(run(...up, "CallBegan", fresh, "CallEnded").state.newToken)
    // A line that is lost anyway is opened again with it.
    assert.deepStrictEqual(run(...up, "CallBegan", lost(1006), fresh).done, connects)
  })

  it("shows the page its state", () => {
    const shown = (...moments: ReadonlyArray<Moment>) => clientState(run(...moments).state)
    assert.strictEqual(shown(), "connecting")
    assert.strictEqual(shown("Opened"), "connected")
    assert.strictEqual(shown(...up), "registered")
    assert.strictEqual(shown("Opened", refused), "connected")
    assert.strictEqual(shown(...up, lost(1006)), "reconnecting")
    assert.strictEqual(shown(...up, lost(1006), "Due"), "reconnecting")
    assert.strictEqual(shown(...up, "Destroy"), "closed")
  })
})
