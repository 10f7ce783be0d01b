import assert from "node:assert/strict"
import { Trunkline } from "trunkline/client"
import { testEngine } from "trunkline/testing"
import { test } from "vitest"
import { CallingCard } from "./CallingCard.ts"
import { Cards } from "./Cards.ts"

const pin = "4071925518"
const friend = "+254722000000"
const [typedPin, typedFriend] = [`${pin}#`, "254722000000#"]

/** A minute costs us 3.00 and the card 6.00; the card has 15.00. */
const start = async () => {
  const engine = await testEngine({ workspaces: [{ routing: { voice_url: "https://app.test/voice" } }] })
  const cards = new Cards(":memory:")
  cards.issue(pin, 1_500)
  const card = new CallingCard({
    client: new Trunkline({ apiKey: engine.apiKey, fetch: engine.fetch }),
    cards,
    publicUrl: "https://app.test",
    voiceSecret: engine.voiceSecret,
    webhookSecret: engine.webhooks.secret,
    markup: 2,
    now: () => engine.clock.now().getTime()
  })
  engine.connect(card.handle)
  const dialIn = (...presses: ReadonlyArray<string>) => void engine.dialIn("+254733000000", engine.number, { presses })
  const balance = () => cards.find(pin)?.balance_minor
  const talks = () =>
    engine.webhooks
      .received("call.completed")
      .filter(({ payload }) => payload["direction"] === "outbound")
      .map(({ payload }) => payload["duration_seconds"])
  return { balance, dialIn, engine, talks, [Symbol.asyncDispose]: engine.stop }
}

test("a caller with a PIN reaches a number, and the card pays for the minute", async () => {
  await using world = await start()
  const { balance, dialIn, engine, talks } = world
  engine.phone(friend).answers({ talks: "40 seconds" })
  dialIn(typedPin, typedFriend)
  await engine.clock.advance("3 minutes")
  assert.deepEqual(talks(), [40])
  assert.equal(balance(), 900)
})

test("the talk ends when the card is empty", async () => {
  await using world = await start()
  const { balance, dialIn, engine, talks } = world
  engine.phone(friend).answers({ talks: "1 hour" })
  dialIn(typedPin, typedFriend)
  await engine.clock.advance("10 minutes")
  assert.deepEqual(talks(), [120])
  assert.equal(balance(), 300)
  dialIn(typedPin, typedFriend)
  await engine.clock.advance("3 minutes")
  assert.equal(talks().length, 1)
})

test("a wrong PIN is asked for three times", async () => {
  await using world = await start()
  const { balance, dialIn, engine } = world
  dialIn("1#", "2#", "3#", typedPin, typedFriend)
  await engine.clock.advance("3 minutes")
  const [ended] = engine.webhooks.received("call.completed")
  assert.equal(ended?.payload["direction"], "inbound")
  assert.equal(engine.webhooks.received("call.completed").length, 1)
  assert.equal(balance(), 1_500)
})

test("a card pays for one call at a time", async () => {
  await using world = await start()
  const { balance, dialIn, engine, talks } = world
  engine.phone(friend).answers({ talks: "50 seconds" })
  dialIn(typedPin, typedFriend)
  dialIn(typedPin, typedFriend)
  await engine.clock.advance("3 minutes")
  assert.deepEqual(talks(), [50])
  assert.equal(balance(), 900)
})

test("a number that cannot be called is asked for again, and a caller who gives up frees the card", async () => {
  await using world = await start()
  const { balance, dialIn, engine, talks } = world
  dialIn(typedPin, "12#")
  await engine.clock.advance("3 minutes")
  engine.phone(friend).answers({ talks: "10 seconds" })
  dialIn(typedPin, typedFriend)
  await engine.clock.advance("3 minutes")
  assert.deepEqual(talks(), [10])
  assert.equal(balance(), 900)
})

test("a webhook that comes again charges nothing more", async () => {
  await using world = await start()
  const { balance, dialIn, engine } = world
  engine.phone(friend).answers({ talks: "10 seconds" })
  dialIn(typedPin, typedFriend)
  await engine.webhooks.next("call.completed")
  engine.faults.app.answers(500)
  await engine.clock.advance("1 minute")
  engine.faults.app.recovers()
  await engine.clock.advance("1 hour")
  assert.equal(balance(), 900)
})
