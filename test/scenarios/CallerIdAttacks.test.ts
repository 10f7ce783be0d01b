// An afternoon of somebody who wants to show the number of somebody else, or to take it.
import { assert, describe, it } from "@effect/vitest"
import { codeEngine, outcome, peopleOf, platform, victim } from "../support/CodeCalls.ts"

const wrong = "422 caller_ids.code_wrong"
const expired = "409 caller_ids.code_expired"

/** How often each outcome occurs. */
const tally = (outcomes: ReadonlyArray<string>) =>
  Object.fromEntries([...new Set(outcomes)].map((each) => [each, outcomes.filter((other) => other === each).length]))

/** Any code but this one. */
const otherThan = (code: string, place = 0) => String((Number(code) + 1 + place) % 1_000_000).padStart(6, "0")

describe("somebody who does not hear the code", () => {
  it("reads the code nowhere: neither the call nor its answer is the workspace's", async () => {
    await using engine = await codeEngine(["Mallory"])
    const { as, asked, codeCalls, heardAt } = peopleOf(engine)
    const id = await asked("Mallory", victim)
    const code = await heardAt(victim)
    assert.match(code, /^\d{6}$/)
    const [{ id: call_id } = { id: "" }] = await codeCalls(victim)
    assert.strictEqual(outcome(await as("Mallory", "GET", `/v1/calls/${call_id}`)), "404 calls.not_found")
    const read = [
      await as("Mallory", "GET", `/v1/caller-ids/${id}`),
      await as("Mallory", "GET", "/v1/caller-ids"),
      await as("Mallory", "GET", "/v1/calls"),
      await as("Mallory", "GET", "/v1/audit"),
      await as("Mallory", "GET", "/v1/wallet/statements")
    ]
    for (const { body, status } of read) {
      assert.strictEqual(status, 200)
      assert.notInclude(JSON.stringify(body), code)
      assert.notInclude(JSON.stringify(body), call_id)
    }
    const { wallet, webhooks } = engine.workspace("Mallory")
    assert.deepStrictEqual([webhooks.received("call.*"), wallet.balance()], [[], 1_000_000])
  })

  it("enters the code of another number, of another workspace, of an earlier call, or after its time", async () => {
    await using engine = await codeEngine(["Mallory", "Ann"])
    const { asked, enter, heardAt, shows } = peopleOf(engine)
    const [own, id] = [await asked("Mallory", "+254722000009"), await asked("Mallory", victim)]
    const heard = await heardAt("+254722000009")
    assert.strictEqual(outcome(await enter("Mallory", id, heard)), wrong)

    const theirs = await asked("Ann", victim)
    const annHeard = await heardAt(victim)
    assert.strictEqual(outcome(await enter("Mallory", id, annHeard)), wrong)
    assert.strictEqual(outcome(await enter("Mallory", theirs, annHeard)), "404 caller_ids.not_found")

    assert.strictEqual(await asked("Mallory", "+254722000009"), own)
    assert.strictEqual(outcome(await enter("Mallory", own, heard)), wrong)
    const last = await heardAt("+254722000009")
    await engine.clock.advance("10 minutes")
    assert.strictEqual(outcome(await enter("Mallory", own, last)), expired)
    assert.strictEqual(outcome(await enter("Ann", theirs, annHeard)), expired)
    for (const number of [victim, "+254722000009"]) assert.isFalse(await shows("Mallory", number))
  })

  it("enters a code again after it was used, withdrawn or replaced", async () => {
    await using engine = await codeEngine(["Mallory"])
    const { as, asked, enter, heardAt, shows } = peopleOf(engine)
    const withdraw = (id: string) => as("Mallory", "DELETE", `/v1/caller-ids/${id}`)
    const id = await asked("Mallory", victim)
    const first = await heardAt(victim)
    assert.strictEqual(outcome(await withdraw(id)), "204")
    assert.strictEqual(outcome(await enter("Mallory", id, first)), "404 caller_ids.not_found")
    const next = await asked("Mallory", victim)
    assert.strictEqual(outcome(await enter("Mallory", next, first)), wrong)
    const second = await heardAt(victim)
    const [one, ...others] = (await Promise.all(Array.from({ length: 10 }, () => enter("Mallory", next, second))))
      .map(outcome)
      .toSorted()
    assert.deepStrictEqual([one, tally(others)], ["200", { [expired]: 9 }])
    assert.isTrue(await shows("Mallory", victim))
    assert.strictEqual(outcome(await withdraw(next)), "204")
    assert.isFalse(await shows("Mallory", victim))
    const third = await asked("Mallory", victim)
    assert.strictEqual(outcome(await enter("Mallory", third, second)), wrong)
    assert.isFalse(await shows("Mallory", victim))
  })
})

describe("a number that others have", () => {
  it("is proved by nobody else while it is a workspace's or the platform's", async () => {
    await using engine = await codeEngine(["Mallory", "Ann"])
    const { ask, codeCalls, prove, shows } = peopleOf(engine)
    for (const number of [engine.workspace("Ann").number, platform, "+254709000001"]) {
      assert.strictEqual(outcome(await ask("Mallory", number)), "409 caller_ids.number_of_platform")
      assert.lengthOf(await codeCalls(number), 0)
      assert.isFalse(await shows("Mallory", number))
    }
    await prove("Ann", victim)
    assert.isFalse(await shows("Mallory", victim))
    assert.isTrue(await shows("Ann", victim))
  })

  it("rings for five codes in a day at most, whichever workspaces ask, and however they write it", async () => {
    const names = ["A", "B", "C", "D", "E", "F", "G"]
    await using engine = await codeEngine(names)
    const { ask, codeCalls, prove } = peopleOf(engine)
    const outcomes: Array<string> = []
    for (const name of [...names, ...names]) {
      outcomes.push(outcome(await ask(name, victim)))
      outcomes.push(outcome(await ask(name, victim.replace("+254", "+254 "))))
      outcomes.push(outcome(await ask(name, victim.replace("+", "00"))))
      await engine.clock.advance("1 second")
    }
    await engine.clock.advance("2 minutes")
    assert.lengthOf(await codeCalls(victim), 5)
    assert.strictEqual(tally(outcomes)["202"], 5)
    // The others lose nothing by it.
    await prove("F", "+254722000002")
    await engine.clock.advance("24 hours")
    await prove("G", victim)
  })

  it("stays free for its owner, whatever is refused to others", async () => {
    await using engine = await codeEngine(["Mallory", "Ann"])
    const { ask, prove } = peopleOf(engine)
    const codes: Array<string> = []
    for (let time = 0; time < 50; time++) {
      codes.push(outcome(await ask("Mallory", victim)))
      await engine.clock.advance("1 second")
    }
    assert.deepStrictEqual(tally(codes), { "202": 3, "429 caller_ids.too_many_calls": 47 })
    await prove("Ann", victim)
  })
})

describe("a number that is brought", () => {
  const trunk = { auth_mode: "digest", host: "sip.example.com", username: "u", password: "a-long-password" }
  const bringer = (name: string) => ({ name, numbers: [] })
  const workspaces = [{ name: "Platform" }, bringer("Mallory"), bringer("Ann")]

  it("is its owner's, whoever else claims it first", async () => {
    await using engine = await codeEngine([], { workspaces })
    const { as, asked, enter, heardAt, prove } = peopleOf(engine)
    const bring = async (name: string) => outcome(await as(name, "POST", "/v1/numbers/byo", { number: victim }))
    for (const name of ["Mallory", "Ann"])
      await as(name, "POST", "/v1/sip-trunk", { ...trunk, host: `${name}.example.com` })
    await engine.clock.advance("1 minute")
    assert.strictEqual(await bring("Mallory"), "409 numbers.proof_required")
    const id = await asked("Mallory", victim)
    assert.strictEqual(await bring("Mallory"), "409 numbers.proof_required")
    const heard = await heardAt(victim)
    assert.strictEqual(outcome(await enter("Mallory", id, otherThan(heard))), wrong)
    assert.strictEqual(await bring("Mallory"), "409 numbers.proof_required")
    await prove("Ann", victim)
    assert.strictEqual(await bring("Ann"), "201")
    assert.strictEqual(outcome(await enter("Mallory", id, heard)), "200")
    assert.strictEqual(await bring("Mallory"), "409 numbers.e164_taken")
  })
})

describe("a number that was proved", () => {
  it("is called once, although the engine dies after the request", async () => {
    await using engine = await codeEngine(["Ann"])
    const { asked, codeCalls, enter, heardAt } = peopleOf(engine)
    const id = await asked("Ann", victim)
    await engine.faults.process.kill()
    await engine.faults.process.restart()
    const code = await heardAt(victim)
    assert.lengthOf(await codeCalls(victim), 1)
    assert.strictEqual(outcome(await enter("Ann", id, code)), "200")
  })
})

describe("an entry of allowed_caller_ids without a proof", () => {
  it.each([
    ["is shown until the end of February 2027", "2027-02-28T23:00:00Z", true],
    ["is not shown from March 2027 on", "2027-03-01T00:00:00Z", false]
  ])("%s", async (_, start, isShown) => {
    const old = { name: "Ann", calling_policy: { allowed_caller_ids: [victim] } }
    await using engine = await codeEngine([], { workspaces: [old], start: new Date(start) })
    assert.strictEqual(await peopleOf(engine).shows("Ann", victim), isShown)
  })
})
