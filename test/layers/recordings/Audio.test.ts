import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Stream } from "effect"
import { RecordingStore } from "../../../src/domain/ports/calls/RecordingStore.ts"
import * as Audio from "../../../src/layers/recordings/Audio.ts"
import { objectStore } from "../../support/ObjectStore.ts"
import { recordingId, workspaceId } from "../../support/Ids.ts"

const of = { workspace_id: workspaceId("w1"), recording_id: recordingId("r1") }

describe("recordings in an object store", () => {
  it.effect("are stored where RECORDINGS_URL points", () =>
    Effect.gen(function* () {
      const { objects, url } = yield* objectStore
      const layer = Audio.layer({
        data_dir: "/nowhere",
        recordings_url: Redacted.make(`s3://key:secret@bucket/live?endpoint=${url}`),
        master_keys: [Redacted.make(new Uint8Array(32).fill(3))]
      })
      const bytes = Buffer.from("what was said")
      yield* Effect.flatMap(RecordingStore, (store) =>
        Effect.gen(function* () {
          yield* store.save(of, bytes.length, Stream.make(bytes))
          const audio = yield* Effect.flatMap(store.read(of, bytes.length, { start: 5, end: 13 }), Stream.runCollect)
          assert.strictEqual(Buffer.concat(audio).toString(), "was said")
        })
      ).pipe(Effect.provide(layer))
      assert.deepStrictEqual([...objects.keys()], ["/bucket/live/w1/r1"])
      assert.strictEqual(objects.get("/bucket/live/w1/r1")!.indexOf("said"), -1)
    })
  )
})
