// Who is refused what while decisions wait to be stored.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { type Backlogs, callsFrom, readsFrom } from "../../../src/domain/journal/Shedding.ts"
import { JournalBacklog } from "../../../src/domain/ports/engine/JournalBacklog.ts"
import { Overload } from "../../../src/http/request/Overload.ts"
import { FakeEngine, layerOver, sandboxes, workspaces } from "../../support/FakeEngine.ts"
import { ask, originateBody } from "../../support/HttpTester.ts"

let backlogs: Backlogs
const engine = layerOver(Overload.layer.pipe(Layer.provide(Layer.succeed(JournalBacklog)({ read: () => backlogs }))))

/** So many entries wait, and most of them are of one workspace. */
const waiting = (entries: number, cause: string): Backlogs => ({
  all: { entries, characters: 0 },
  of: new Map([
    [cause, { entries: entries - 10, characters: 0 }],
    ["somebody else", { entries: 10, characters: 0 }]
  ])
})

layer(engine)("an engine that has too much to do", (it) => {
  const asked = Effect.gen(function* () {
    const { mint } = yield* FakeEngine
    // A look at the backlog counts for a moment.
    yield* TestClock.adjust("1 second")
    const read = (key: string) => Effect.map(ask({ path: "/v1/calls", key }), ({ status }) => status)
    const call = (key: string) =>
      Effect.map(ask({ path: "/v1/calls/originate", key, body: originateBody }), ({ status }) => status)
    const mine = yield* mint({})
    const others = yield* mint({ workspace_id: workspaces.other })
    const sandbox = yield* mint({ env: "test" })
    return {
      cause: [yield* read(mine), yield* call(mine)],
      other: [yield* read(others), yield* call(others)],
      sandbox: [yield* read(sandbox), yield* call(sandbox)]
    }
  })

  it.effect("refuses sandboxes first", () =>
    Effect.gen(function* () {
      backlogs = waiting(readsFrom.entries / 2, workspaces.active)
      assert.deepStrictEqual(yield* asked, { cause: [200, 201], other: [200, 201], sandbox: [503, 503] })
    })
  )

  it.effect("refuses the workspace that causes it, and nobody else", () =>
    Effect.gen(function* () {
      backlogs = waiting(readsFrom.entries, workspaces.active)
      assert.deepInclude(yield* asked, { cause: [503, 201], other: [200, 201] })
      backlogs = waiting(callsFrom.entries, workspaces.active)
      assert.deepInclude(yield* asked, { cause: [503, 503], other: [503, 201] })
    })
  )

  it.effect("refuses everybody when it is twice as far behind", () =>
    Effect.gen(function* () {
      backlogs = waiting(2 * callsFrom.entries, workspaces.active)
      assert.deepStrictEqual(yield* asked, { cause: [503, 503], other: [503, 503], sandbox: [503, 503] })
    })
  )

  it.effect("refuses a live workspace nothing because of its sandbox", () =>
    Effect.gen(function* () {
      backlogs = waiting(readsFrom.entries, sandboxes.active)
      assert.deepStrictEqual(yield* asked, { cause: [200, 201], other: [200, 201], sandbox: [503, 503] })
    })
  )

  it.effect("says so where its readiness is asked, and when to come back", () =>
    Effect.gen(function* () {
      const key = yield* (yield* FakeEngine).mint({})
      backlogs = waiting(readsFrom.entries, workspaces.active)
      yield* TestClock.adjust("1 second")
      assert.deepInclude((yield* ask({ path: "/readyz" })).body as object, { shedding: "reads" })
      const refused = yield* ask({ path: "/v1/calls", key })
      assert.deepStrictEqual([refused.code, refused.headers.get("retry-after")], ["service_unavailable", "2"])
    })
  )
})
