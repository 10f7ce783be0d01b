// The recordings of the simulated PBX: tones, as files in the engine's spool.
import { createHash } from "node:crypto"
import { Effect, Stream } from "effect"
import { RecordingSpool } from "../../../domain/ports/calls/RecordingSpool.ts"
import type { LeaveAudio } from "./Recorders.ts"
import { toneWav } from "./ToneWav.ts"

type Run = (effect: Effect.Effect<void>) => unknown

const leaveTone =
  (spool: RecordingSpool["Service"], run: Run): LeaveAudio =>
  (file, then) => {
    const hash = createHash("sha256")
    let size_bytes = 0
    const bytes = Stream.fromIterable(toneWav(file)).pipe(
      Stream.map((chunk) => {
        hash.update(chunk)
        size_bytes += chunk.length
        return chunk
      })
    )
    run(
      spool.leave(file.object_key, bytes).pipe(
        Effect.match({
          onFailure: () => then(undefined),
          onSuccess: () => then({ size_bytes, sha256: hash.digest("hex") })
        })
      )
    )
  }

/** Leaves the recordings of the simulator in the engine's spool. */
export const makeLeaveTone = (run: Run) => Effect.map(RecordingSpool, (spool) => leaveTone(spool, run))
