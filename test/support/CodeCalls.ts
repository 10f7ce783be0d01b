// Workspaces that prove caller ids by calls which speak codes, and phones that hear them.
import { assert } from "@effect/vitest"
import {
  type App,
  type EngineUnderTest,
  type JsonAnswer,
  testEngine,
  type TestEngineOptions
} from "../../src/testing.ts"

export const platform = "+254700000001"
/** The phone of somebody who uses no workspace. */
export const victim = "+254722000001"

/** Dials with the caller id that the URL names. */
const app: App = async (request) => {
  const shows = new URL(request.url).searchParams.get("shows")
  if (shows === null) return new Response(null, { status: 204 })
  const { reason } = (await request.json()) as { readonly reason: string }
  const dial = { number: "+254733000002", callerId: shows }
  return Response.json({ actions: reason === "answered" ? [{ dial }] : [{ hangup: {} }] })
}

/** The workspace `Platform`, which calls with codes, and these others. */
export const codeEngine = (names: ReadonlyArray<string>, options: TestEngineOptions = {}) =>
  testEngine({
    app,
    code_calls_from: platform,
    workspaces: [{ name: "Platform" }, ...names.map((name) => ({ name }))],
    ...options
  })

/** The status and, of a refusal, the code. */
export const outcome = ({ body, status }: JsonAnswer): string =>
  status < 400 ? String(status) : `${status} ${body.error.code}`

export const peopleOf = (engine: EngineUnderTest) => {
  const as = (name: string, method: string, path: string, body?: unknown): Promise<JsonAnswer> =>
    engine.clock.until(engine.workspace(name).request(method, path, body))

  /** The calls with codes to the number, oldest first. */
  const codeCalls = async (number: string): Promise<ReadonlyArray<{ readonly id: string }>> => {
    const { body } = await as("Platform", "GET", "/v1/calls?limit=200")
    return body.filter(({ to }: { readonly to: string }) => to === number).toReversed()
  }

  /** What the last call to the number has said. */
  const heardAt = async (number: string): Promise<string> => {
    await engine.clock.advance("10 seconds")
    const call = (await codeCalls(number)).at(-1)
    assert.isDefined(call, `nobody has called ${number}`)
    const { body } = await as("Platform", "GET", `/v1/calls/${call?.id}/timeline`)
    const [, spelled = ""] = /code is: ((?:\d, ){5}\d)\. Once more: \1\./.exec(JSON.stringify(body)) ?? []
    return spelled.replaceAll(", ", "")
  }

  const ask = (name: string, number: string) => as(name, "POST", "/v1/caller-ids", { number })

  const enter = (name: string, id: string, code: string) => as(name, "POST", `/v1/caller-ids/${id}/verify`, { code })

  /** The id of the caller id whose code is being spoken. */
  const asked = async (name: string, number: string): Promise<string> => {
    const answer = await ask(name, number)
    assert.strictEqual(answer.status, 202, JSON.stringify(answer.body))
    return answer.body.id
  }

  const prove = async (name: string, number: string): Promise<string> => {
    const id = await asked(name, number)
    assert.strictEqual(outcome(await enter(name, id, await heardAt(number))), "200")
    return id
  }

  /** Whether a call of the workspace may show the number at a destination that it dials. */
  const shows = async (name: string, number: string): Promise<boolean> => {
    const { body, status } = await as(name, "POST", "/v1/calls/originate", {
      from: engine.workspace(name).number,
      to: "+254733000001",
      voice_callback_url: `https://app.test/voice?shows=${encodeURIComponent(number)}`
    })
    assert.strictEqual(status, 201, JSON.stringify(body))
    await engine.clock.advance("10 seconds")
    const { body: call } = await as(name, "GET", `/v1/calls/${body.id}`)
    for (const leg of call.child_call_ids)
      assert.strictEqual((await as(name, "GET", `/v1/calls/${leg}`)).body.caller_id, number)
    await engine.clock.advance("1 minute")
    return call.child_call_ids.length > 0
  }

  return { as, ask, asked, codeCalls, enter, heardAt, prove, shows }
}
