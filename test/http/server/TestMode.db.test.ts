// No live row can be reached with a test key, and no row of test mode with a live key, on any route of the contract.
// Each request that is refused is one that succeeds, directly after, in the mode whose rows it names.
import { assert, describe, it as plain, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { HttpApi } from "effect/http-api"
import { Api } from "../../../src/http/api/Api.ts"
import { layerWith } from "../../support/Engine.ts"
import { ask, origin, type Question } from "../../support/HttpTester.ts"
import { as } from "../../support/People.ts"
import { makeModes, type Mode, placed, type Rows } from "../../support/modes/Modes.ts"
import { type Apart, type ModeRoute, modeRoutes } from "../../support/modes/ModeRoutes.ts"

const suite = layer(layerWith({ RATE_LIMITS: "off" }), { excludeTestServices: true, timeout: 60_000 })

/** The routes of sign-in concern people, and those of operators no mode. */
const hasModes = (route: string): boolean => !/ \/v1\/(admin|auth)\//.test(route)

/** The path of a request: its first parameter names a row of `outer`, any other one a row of `inner`. */
const pathOf = (template: string, { id, query }: ModeRoute, outer: Rows, inner: Rows): string =>
  template
    .replace(/:(month|number)/, (_, name: string) => outer[name]!)
    .replaceAll(/:(call_id|credential_id|delivery_id)/g, (_, name: string) => inner[name]!)
    .replace(":id", () => outer[id ?? template.split("/")[2]!]!) + (query?.(inner) ?? "")

const questionOf = (method: string, path: string, { body }: ModeRoute, mode: Mode): Question => ({
  method,
  path,
  ...(body !== undefined && { body: body(mode.rows, mode) })
})

/** The ways to ask in a mode: with its key, and as a signed-in owner who chooses the mode. */
const waysOf = (mode: Mode, { by }: ModeRoute, question: Question) => {
  const key = ask({ ...question, key: by === "trunk" ? mode.trunk_key : mode.key, redirect: "manual" })
  const session = as(mode.cookie, { ...question, headers: { "x-service-mode": mode.name }, redirect: "manual" })
  return by === "owner" ? ([session] as const) : by === "trunk" ? ([key] as const) : ([key, session] as const)
}

const areas = ["workspace", "workspace/calling-policy", "numbers", "webhooks", "caller-ids", "topups", "conferences"]
const settings = ["wallet/auto-topup", "wallet/payin-reference", "storage"]
/** Changes by itself. */
const restless = /"(last_success_at|failing_since|updated_at|status|used_[a-z_]+|free_[a-z_]+)":[^,}]+/g

/** What a mode has. */
const photograph = ({ key, rows }: Mode) =>
  Effect.forEach(
    [...areas, ...settings, `numbers/${rows["numbers"]}/sip-credentials`],
    (path) => Effect.map(ask({ path: `/v1/${path}`, key }), ({ text }) => text.replaceAll(restless, "")),
    { concurrency: 4 }
  )

/** Opens a live stream, which can be read up to a text. */
const opened = Effect.fnUntraced(function* (path: string, key: string) {
  const base = yield* origin
  const abort = new AbortController()
  const response = yield* Effect.promise(() =>
    fetch(base + path, { headers: { authorization: `Bearer ${key}` }, signal: abort.signal })
  )
  assert.strictEqual(response.status, 200, path)
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  return (wanted: string) =>
    Effect.promise(async () => {
      let text = ""
      while (!text.includes(wanted)) {
        const { done, value } = await reader.read()
        if (done) break
        text += value
      }
      abort.abort()
      return text
    })
})

const askedIn = ({ body, path }: Question): string => decodeURIComponent(path) + JSON.stringify(body ?? {})

/** The ids and the numbers of a mode that the text has. A month and an account reference are nobody's alone. */
const rowsIn = (text: string, rows: Rows): ReadonlyArray<string> =>
  Object.values(rows).filter((value) => value.length > 7 && text.includes(value))

/** Nothing of the other mode is said. An error may repeat what the request named. */
const assertSilent = (text: string, question: Question, rows: Rows, where: string) => {
  const asked = askedIn(question)
  const told = rowsIn(text, rows).filter((value) => !asked.includes(value))
  assert.deepStrictEqual(told, [], where)
}

/** A route that names a row: the row of the other mode does not exist, and is untouched. */
const tryRow = Effect.fnUntraced(function* (name: string, route: ModeRoute, mine: Mode, other: Mode) {
  const [method = "", template = ""] = name.split(" ")
  yield* route.prepare?.(other) ?? Effect.void
  const right = questionOf(method, pathOf(template, route, other.rows, other.rows), route, other)
  const mixed = [
    questionOf(method, pathOf(template, route, mine.rows, other.rows), route, other),
    questionOf(method, pathOf(template, route, other.rows, mine.rows), route, mine)
  ]
  const wrong = [...(route.apart === "link" ? [] : [right]), ...mixed].filter((question) => {
    const asked = askedIn(question)
    return !asked.includes("undefined") && rowsIn(asked, other.rows).length > 0
  })
  assert.isNotEmpty(wrong, name)
  for (const question of wrong) {
    for (const attempt of waysOf(mine, route, question)) {
      const { status, text } = yield* attempt
      const where = `${method} ${question.path} in ${mine.name} mode: ${text}`
      assert.strictEqual(status, 404, where)
      assertSilent(text, question, other.rows, where)
    }
  }
  if (route.endless) {
    const id = other.rows[route.id ?? ""] ?? ""
    const read = yield* opened(right.path, other.key)
    return assert.include(yield* read(id), id)
  }
  const { status, text } = yield* waysOf(other, route, right)[0]
  assert.isBelow(status, 400, `${method} ${right.path} in ${other.name} mode: ${text}`)
})

/** A route about the mode of the key: it succeeds, says nothing of the other mode and changes nothing there. */
const tryOwn = Effect.fnUntraced(function* (name: string, route: ModeRoute, mine: Mode, other: Mode) {
  const [method = "", template = ""] = name.split(" ")
  yield* route.prepare?.(mine) ?? Effect.void
  const question = questionOf(method, pathOf(template, route, mine.rows, mine.rows), route, mine)
  const where = `${method} ${question.path} in ${mine.name} mode`
  const before = method === "GET" ? [] : yield* photograph(other)
  const ways = waysOf(mine, route, question)
  for (const way of method === "GET" ? ways : [ways[0]]) {
    const { status, text } = yield* way
    assert.isBelow(status, 400, `${where}: ${text}`)
    assertSilent(text, question, other.rows, where)
  }
  if (method !== "GET") assert.deepStrictEqual(yield* photograph(other), before, where)
})

/** A route of both modes answers the same in either. */
const tryShared = Effect.fnUntraced(function* (name: string, route: ModeRoute, mine: Mode, other: Mode) {
  const [method = "", path = ""] = name.split(" ")
  if (method !== "GET" || path.includes(":")) return
  const [here, there] = [
    yield* waysOf(mine, route, { method, path })[0],
    yield* waysOf(other, route, { method, path })[0]
  ]
  assert.strictEqual(here.status, 200, name)
  assert.strictEqual(here.text, there.text, name)
})

const tryTestOnly = Effect.fnUntraced(function* (name: string, route: ModeRoute, live: Mode, test: Mode) {
  const [method = "", path = ""] = name.split(" ")
  yield* route.prepare?.(test) ?? Effect.void
  const question = questionOf(method, path, route, test)
  for (const attempt of waysOf(live, route, question))
    assert.strictEqual((yield* attempt).code, "api_key.test_mode_required", name)
  const { status, text } = yield* waysOf(test, route, question)[0]
  assert.isBelow(status, 400, `${name}: ${text}`)
})

/** The stream of a workspace tells of a call of its own mode, and of none of the other that was placed before it. */
const tryWorkspaceStream = Effect.fnUntraced(function* (mine: Mode, other: Mode) {
  const path = "/v1/events/stream"
  const read = yield* opened(path, mine.key)
  const foreign = yield* placed(other, [{ hangup: {} }])
  const id = yield* placed(mine, [{ hangup: {} }])
  const text = yield* read(id)
  assert.include(text, id)
  assert.notInclude(text, foreign)
  assertSilent(text, { path }, other.rows, `${path} in ${mine.name} mode`)
})

/** The words of docs/test-mode.md, for test mode and live mode. */
const words: Readonly<Record<Apart, string>> = {
  row: "row | row",
  own: "own | own",
  test: "own | 403",
  shared: "both | both",
  none: "all | all",
  link: "link | link"
}

describe("the table of routes", () => {
  plain("is that of the page about test mode", () => {
    const lines = readFileSync("docs/test-mode.md", "utf8").split("\n")
    const table = lines.slice(lines.indexOf("| Route | Test | Live |") + 2).filter((line) => line.startsWith("|"))
    const proved = Object.entries(modeRoutes).map(
      ([route, { apart }]) => `| \`${route.replaceAll(/:([a-z_]+)/g, "{$1}")}\` | ${words[apart]} |`
    )
    assert.deepStrictEqual(table.toSorted(), proved.toSorted())
  })

  plain("has every route that has modes", () => {
    const routes: Array<string> = []
    HttpApi.reflect(Api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint: { method, path } }) => void routes.push(`${method} ${path}`)
    })
    assert.deepStrictEqual(Object.keys(modeRoutes).toSorted(), routes.filter(hasModes).toSorted())
  })
})

const tryRoute = (name: string, route: ModeRoute, mine: Mode, other: Mode) => {
  if (route.apart === "row" || route.apart === "link") return tryRow(name, route, mine, other)
  if (route.apart === "shared") return tryShared(name, route, mine, other)
  if (route.apart === "test") return mine.name === "live" ? tryTestOnly(name, route, mine, other) : Effect.void
  return route.endless ? tryWorkspaceStream(mine, other) : tryOwn(name, route, mine, other)
}

suite("the two modes of a workspace", (it) => {
  it.effect(
    "share no row on any route",
    () =>
      Effect.gen(function* () {
        const { live, test } = yield* makeModes
        for (const [name, route] of Object.entries(modeRoutes)) {
          yield* tryRoute(name, route, test, live)
          yield* tryRoute(name, route, live, test)
        }
      }),
    240_000
  )
})
