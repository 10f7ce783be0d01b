// Writes down what each wrong request is told, so that a change of the words is seen.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFile, writeFile } from "node:fs/promises"
import type { Envelope } from "../../../src/domain/errors/Envelope.ts"
import { bodies, originate, requests } from "../../support/BadRequests.ts"
import { FakeEngine, layer as fakeEngine } from "../../support/FakeEngine.ts"
import { ask, type Question } from "../../support/HttpTester.ts"

const file = new URL("../../../docs/wrong-requests.md", import.meta.url)

const intro = `# Wrong requests

What requests with one fault each are told. The bodies are sent to \`POST /v1/calls/originate\`. [errors.md](errors.md) lists all
codes.

| What is wrong | Request | Answer | What it is told |
|---|---|---|---|
`

const wrong: ReadonlyArray<readonly [what: string, question: Question]> = [
  ...bodies.map(([what, body]) => [what, { path: originate, body }] as const),
  ...requests.map(([what, question]) => [what, question] as const)
]

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ")

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

const row = Effect.fnUntraced(function* (what: string, question: Question, key: string) {
  const answer = yield* ask({ ...question, key })
  const { error } = answer.body as Envelope
  const details = (error.details ?? []).map(
    ({ field, message }) => `\`${field === "" ? "(whole)" : field}\`: ${message}`
  )
  const method = question.method ?? (question.body === undefined ? "GET" : "POST")
  const told = [error.message, ...details.slice(0, 3), error.resolution ?? ""].filter((part) => part !== "").join(" ")
  return `| ${cell(what)} | \`${method} ${cell(shortened(question.path))}\` | ${answer.status} \`${error.code}\` | ${cell(told)} |\n`
})

layer(fakeEngine)("docs/wrong-requests.md", (it) => {
  it.effect(
    "has what each wrong request is told (run with UPDATE_DOCS=1 to write it)",
    () =>
      Effect.gen(function* () {
        const fake = yield* FakeEngine
        const rows = yield* Effect.forEach(wrong, ([what, question]) =>
          Effect.flatMap(fake.mint(), (key) => row(what, question, key))
        )
        const page = intro + rows.join("")
        assert.isAtLeast(rows.length, 55)
        if (process.env["UPDATE_DOCS"] === "1") yield* Effect.promise(() => writeFile(file, page))
        assert.strictEqual(yield* Effect.promise(() => readFile(file, "utf8")), page)
        assert.notMatch(page, /Expected [A-Z]\w*(?:Request|Change|Record)\b|Invalid:|_tag|Error:/)
      }),
    30_000
  )
})
