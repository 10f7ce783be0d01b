import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { FakeEngine, layer as fakeEngine, workspaces } from "../../support/FakeEngine.ts"
import { recordOf } from "../../support/RingingRecord.ts"
import { ask } from "../../support/HttpTester.ts"
import { callId } from "../../support/Ids.ts"

const idOf = (n: number) => `0190f5fe-7c00-7a00-8000-${String(n).padStart(12, "0")}`

const fill = (calls: number) =>
  Effect.map(FakeEngine, (fake) => {
    fake.calls.clear()
    for (let n = 1; n <= calls; n++)
      fake.calls.set(idOf(n), recordOf(callId(idOf(n)), workspaces.active, `+2547110000${n}`, n * 1000))
  })

layer(fakeEngine)("a list", (it) => {
  it.effect("returns each row once, page by page, by cursor and by link", () =>
    Effect.gen(function* () {
      yield* fill(7)
      const key = yield* (yield* FakeEngine).mint()
      const walk = (way: (headers: Headers) => string | undefined) =>
        Effect.gen(function* () {
          const pages: Array<Array<string>> = []
          let path: string | undefined = "/v1/calls?limit=3"
          while (path !== undefined) {
            const { body, headers }: { body: unknown; headers: Headers } = yield* ask({ path, key })
            pages.push((body as Array<{ id: string }>).map(({ id }) => id))
            path = way(headers)
          }
          return pages
        })
      const expected = [[7, 6, 5], [4, 3, 2], [1]].map((page) => page.map(idOf))
      const byCursor = yield* walk((headers) => {
        const cursor = headers.get("x-next-cursor")
        return cursor === null ? undefined : `/v1/calls?limit=3&cursor=${cursor}`
      })
      assert.deepStrictEqual(byCursor, expected)
      const byLink = yield* walk((headers) => /^<([^>]+)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1])
      assert.deepStrictEqual(byLink, expected)
    })
  )

  it.effect("has 50 rows by default and at most 200", () =>
    Effect.gen(function* () {
      yield* fill(210)
      const key = yield* (yield* FakeEngine).mint()
      const rows = (path: string) => Effect.map(ask({ path, key }), ({ body }) => (body as Array<unknown>).length)
      assert.strictEqual(yield* rows("/v1/calls"), 50)
      assert.strictEqual(yield* rows("/v1/calls?limit=1"), 1)
      assert.strictEqual(yield* rows("/v1/calls?limit=200"), 200)
      assert.strictEqual(yield* rows("/v1/calls?limit=1000"), 200)
      assert.strictEqual(yield* rows("/v1/calls?limit=99999999999999999999"), 200)
    })
  )

  it.effect("accepts a cursor only with its own query and workspace", () =>
    Effect.gen(function* () {
      yield* fill(3)
      const fake = yield* FakeEngine
      const key = yield* fake.mint()
      const { headers } = yield* ask({ path: "/v1/calls?limit=1&status=ringing", key })
      const cursor = headers.get("x-next-cursor")!
      assert.strictEqual((yield* ask({ path: `/v1/calls?limit=2&status=ringing&cursor=${cursor}`, key })).status, 200)
      const altered = (cursor.startsWith("A") ? "B" : "A") + cursor.slice(1)
      const others = [
        { path: `/v1/calls?limit=1&cursor=${cursor}`, key },
        { path: `/v1/calls?limit=1&status=busy&cursor=${cursor}`, key },
        { path: `/v1/calls?limit=1&status=ringing&from=x&cursor=${cursor}`, key },
        { path: `/v1/numbers?cursor=${cursor}`, key },
        { path: `/v1/calls/${idOf(1)}/events?cursor=${cursor}`, key },
        { path: `/v1/calls?limit=1&status=ringing&cursor=${altered}`, key },
        {
          path: `/v1/calls?limit=1&status=ringing&cursor=${cursor}`,
          key: yield* fake.mint({ workspace_id: workspaces.other })
        }
      ]
      for (const question of others) {
        const { code, status } = yield* ask(question)
        assert.deepStrictEqual([status, code], [400, "validation.invalid_cursor"])
      }
    })
  )

  it.effect("of a call's events is in chronological order", () =>
    Effect.gen(function* () {
      yield* fill(1)
      const fake = yield* FakeEngine
      const key = yield* fake.mint()
      fake.log.set(
        idOf(1),
        [1, 2, 3].map((sequence) => ({
          id: idOf(100 + sequence),
          kind: "call.progress",
          sequence,
          occurred_at: "2026-11-20T00:00:00.000Z",
          late: false,
          payload: {}
        }))
      )
      const first = yield* ask({ path: `/v1/calls/${idOf(1)}/events?limit=2`, key })
      const second = yield* ask({
        path: `/v1/calls/${idOf(1)}/events?limit=2&cursor=${first.headers.get("x-next-cursor")}`,
        key
      })
      const sequences = [first, second].map(({ body }) =>
        (body as Array<{ sequence: number }>).map(({ sequence }) => sequence)
      )
      assert.deepStrictEqual(sequences, [[1, 2], [3]])
      const { body } = yield* ask({ path: `/v1/calls/${idOf(1)}`, key })
      assert.lengthOf((body as { events: Array<unknown> }).events, 3)
    })
  )
})
