import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, FiberSet } from "effect"
import type { PbxCommand } from "../../../../../src/domain/pbx/PbxCommand.ts"
import { AriAway } from "../../../../../src/layers/pbx/asterisk/ari/Ari.ts"
import { SessionQueues } from "../../../../../src/layers/pbx/asterisk/ari/SessionQueues.ts"
import { toSessionId } from "../../../../../src/domain/BrandedIds.ts"

const command = (session_id: string, id: string, tenant_pbx_id = "tenant"): PbxCommand => ({
  id,
  tenant_pbx_id,
  session_id: toSessionId(session_id),
  seq: 1,
  action: { kind: "snapshot" }
})

/** Records the commands that were started and acknowledged, in order. */
const world = Effect.fnUntraced(function* (carryOut: (id: string) => Effect.Effect<void, AriAway>, concurrency = 8) {
  const begun: Array<string> = []
  const acknowledged: Array<string> = []
  const run = yield* FiberSet.makeRuntime()
  const queues = new SessionQueues({
    carryOut: ({ id }) =>
      Effect.suspend(() => {
        begun.push(id)
        return carryOut(id)
      }),
    acknowledge: (ids) => Effect.sync(() => void acknowledged.push(...ids)),
    run,
    concurrency
  })
  /** Waits until nothing more can proceed. */
  const rest = Effect.repeat(Effect.yieldNow, { times: 20 })
  return { begun, acknowledged, queues, rest }
})

const away = new AriAway({ cause: "no answer" })

describe("queued commands", () => {
  it.effect("do not wait for other sessions, and keep their order within a session", () =>
    Effect.gen(function* () {
      const answer = yield* Deferred.make<void>()
      const { acknowledged, begun, queues, rest } = yield* world((id) =>
        id === "a1" ? Deferred.await(answer) : Effect.void
      )
      queues.add([command("a", "a1"), command("b", "b1")])
      queues.add([command("a", "a2"), command("b", "b2")])
      yield* rest
      assert.deepStrictEqual(begun, ["a1", "b1", "b2"])
      yield* Deferred.succeed(answer, undefined)
      yield* rest
      assert.deepStrictEqual(begun, ["a1", "b1", "b2", "a2"])
      assert.deepStrictEqual(acknowledged, ["b1", "b2", "a1", "a2"])
    })
  )

  it.effect("of a tenant with many sessions leave places to others, and none of them is lost", () =>
    Effect.gen(function* () {
      const answer = yield* Deferred.make<void>()
      const { acknowledged, begun, queues, rest } = yield* world((id) =>
        id.startsWith("a") ? Deferred.await(answer) : Effect.void
      )
      const many = Array.from({ length: 100 }, (_, n) => `a${n}`)
      queues.add(many.map((id) => command(id, id)))
      queues.add([command("b1", "b1", "other"), command("b2", "b2", "other"), command("b3", "b3", "other")])
      yield* rest
      assert.deepStrictEqual(begun, [...many.slice(0, 6), "b1", "b2", "b3"])
      yield* Deferred.succeed(answer, undefined)
      yield* Effect.repeat(rest, { times: 20 })
      assert.sameMembers(acknowledged, ["b1", "b2", "b3", ...many])
    })
  )

  it.effect("are carried out once if they are repeated while they wait", () =>
    Effect.gen(function* () {
      const answer = yield* Deferred.make<void>()
      const { begun, queues, rest } = yield* world((id) => (id === "a1" ? Deferred.await(answer) : Effect.void))
      queues.add([command("a", "a1")])
      queues.add([command("a", "a2")])
      queues.add([command("a", "a2")])
      yield* rest
      yield* Deferred.succeed(answer, undefined)
      yield* rest
      assert.deepStrictEqual(begun, ["a1", "a2"])
    })
  )

  it.effect("are repeated from the first command that did not reach Asterisk", () =>
    Effect.gen(function* () {
      let reachable = false
      const { acknowledged, begun, queues, rest } = yield* world((id) =>
        id === "a2" && !reachable ? Effect.fail(away) : Effect.void
      )
      const commands = [command("a", "a1"), command("a", "a2"), command("a", "a3")]
      queues.add(commands)
      yield* rest
      assert.deepStrictEqual([begun, acknowledged], [["a1", "a2"], ["a1"]])
      reachable = true
      queues.add(commands.slice(1))
      yield* rest
      assert.deepStrictEqual(acknowledged, ["a1", "a2", "a3"])
    })
  )

  it.effect("are not repeated for ever if one fails with a defect", () =>
    Effect.gen(function* () {
      const { acknowledged, queues, rest } = yield* world((id) => (id === "a1" ? Effect.die("broken") : Effect.void))
      queues.add([command("a", "a1"), command("a", "a2")])
      yield* rest
      assert.deepStrictEqual(acknowledged, ["a1", "a2"])
    })
  )

  it.effect("are carried out for a limited number of sessions at once", () =>
    Effect.gen(function* () {
      const answer = yield* Deferred.make<void>()
      const { begun, queues, rest } = yield* world(() => Deferred.await(answer), 2)
      queues.add(["a", "b", "c"].map((session) => command(session, `${session}1`)))
      yield* rest
      assert.deepStrictEqual(begun, ["a1", "b1"])
      yield* Deferred.succeed(answer, undefined)
      yield* rest
      assert.deepStrictEqual(begun, ["a1", "b1", "c1"])
    })
  )
})
