import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { Readable } from "node:stream"
import type { PbxEvent } from "../../../../../src/domain/pbx/PbxEvent.ts"
import type { Ari } from "../../../../../src/layers/pbx/asterisk/ari/Ari.ts"
import { Legs } from "../../../../../src/layers/pbx/asterisk/legs/Legs.ts"
import { Recorders } from "../../../../../src/layers/pbx/asterisk/media/Recorders.ts"
import { recordingId } from "../../../../support/Ids.ts"
import { until } from "../../../../support/Until.ts"

/** Recorders whose downloads of one tenant hang, and a way to record a call from its beginning to its end. */
const makeRecorders = (hanging_tenant: string) =>
  Effect.gen(function* () {
    const told: Array<PbxEvent> = []
    const released = yield* Deferred.make<void>()
    const count = { legs: 0, hanging: 0 }
    const legs = new Legs({ now: () => 0, uuid: () => "e", report: (event) => told.push(event) })
    const ari: Ari = {
      request: () => Effect.succeed({ status: 200, body: {} }),
      download: (path) =>
        Effect.gen(function* () {
          if (path.includes(hanging_tenant)) {
            count.hanging++
            yield* Deferred.await(released)
          }
          return { size_bytes: 46, bytes: Readable.from([Buffer.alloc(46)]) }
        }),
      follow: () => Effect.never
    }
    const recorders = new Recorders({
      ari,
      app: "trunkline",
      legs,
      run: Effect.runForkWith(yield* Effect.context<never>()),
      spool: { open: () => Effect.die("unused"), remove: () => Effect.void, leave: () => Effect.void },
      combine: ({ bytes, size_bytes }) => ({ bytes, size_bytes, duration_ms: 1, sha256: () => "" })
    })
    const record = Effect.fnUntraced(function* (tenant: string) {
      const leg = legs.open(`${tenant}-${++count.legs}`, tenant, "outbound")
      leg.answered_at = 0
      const recording_id = recordingId(`${tenant}-${count.legs}`)
      recorders.start(leg, "c1", { kind: "record.start", recording_id, channels: 1, from: "answer" })
      yield* until(
        "a recording that has begun",
        Effect.sync(() => told.length),
        () => told.some(({ data, type }) => type === "recording.started" && data.recording_id === recording_id)
      )
      recorders.finished(`${recording_id}.both`, false)
    })
    const completed = (tenant: string) =>
      told.filter(({ tenant_pbx_id, type }) => type === "recording.completed" && tenant_pbx_id === tenant).length
    return { record, completed, count, release: Deferred.succeed(released, undefined) }
  })

describe("recordings that are moved to the spool", () => {
  it.live("of a tenant whose downloads hang leave half of the places to others, and are moved at last", () =>
    Effect.gen(function* () {
      const { completed, count, record, release } = yield* makeRecorders("greedy")
      for (let n = 0; n < 20; n++) yield* record("greedy")
      for (let n = 0; n < 5; n++) yield* record("other")
      yield* until(
        "recordings of the other tenant",
        Effect.sync(() => completed("other")),
        (done) => done === 5
      )
      assert.strictEqual(count.hanging, 2)
      yield* release
      yield* until(
        "recordings of the tenant",
        Effect.sync(() => completed("greedy")),
        (done) => done === 20
      )
    })
  )
})
