// Records legs through snoop channels, and leaves the files in the engine's spool.
import { Effect, Schedule, Stream } from "effect"
import { makeFairShares } from "../../../../domain/access/FairShares.ts"
import type { ActionOf } from "../../../../domain/pbx/PbxCommand.ts"
import type { RecordingSpool } from "../../../../domain/ports/calls/RecordingSpool.ts"
import { AriAway } from "../ari/Ari.ts"
import type { LegContext } from "../legs/LegContext.ts"
import type { Leg } from "../legs/Legs.ts"
import type { Combine } from "./RecordingThread.ts"
import type { RecordingId } from "../../../../domain/BrandedIds.ts"

export interface RecordersOptions extends Pick<LegContext, "ari" | "app" | "legs" | "run"> {
  readonly combine: Combine
  readonly spool: RecordingSpool["Service"]
}

interface Recorder {
  readonly leg: Leg
  readonly command_id: string
  readonly action: ActionOf<"record.start">
  /** Asterisk's names of the files: one, or one for each side. */
  readonly names: ReadonlyArray<string>
  readonly finished: Set<string>
  failed: boolean
}

const sides = { 1: ["both"], 2: ["in", "out"] } as const
/** The snoop channel takes a moment to exist. */
const retries = { schedule: Schedule.spaced("20 millis"), times: 50 }

/**
 * Recordings that are moved to the spool: at once, and of one tenant. The others wait on Asterisk's disk, so that a
 * wait is long before a recording is given up.
 */
export const deliveryShares = { total: 4, each: 2, waiting: 1_000, waiting_total: 10_000, wait_ms: 3_600_000 }

export class Recorders {
  private readonly options: RecordersOptions
  private readonly byName = new Map<string, Recorder>()
  private readonly waiting = new Map<Leg, Array<Recorder>>()
  private readonly deliveries = makeFairShares(deliveryShares)

  constructor(options: RecordersOptions) {
    this.options = options
  }

  /** Starts now, or when the leg is answered. A leg with several ringing devices is always recorded from the answer. */
  start(leg: Leg, command_id: string, action: ActionOf<"record.start">): void {
    const names = sides[action.channels].map((side) => `${action.recording_id}.${side}`)
    const recorder: Recorder = { leg, command_id, action, names, finished: new Set(), failed: false }
    if ((action.from === "ringing" && leg.branches.size === 1) || leg.answered_at !== undefined)
      return this.begin(recorder)
    this.waiting.set(leg, [...(this.waiting.get(leg) ?? []), recorder])
  }

  answered(leg: Leg): void {
    for (const recorder of this.waiting.get(leg) ?? []) this.begin(recorder)
    this.waiting.delete(leg)
  }

  stop(leg: Leg, recording_id: RecordingId): void {
    const waiting = this.waiting.get(leg)?.filter(({ action }) => action.recording_id !== recording_id)
    if (waiting !== undefined) this.waiting.set(leg, waiting)
    for (const recorder of new Set(this.byName.values())) {
      if (recorder.leg !== leg || recorder.action.recording_id !== recording_id) continue
      for (const name of recorder.names) {
        this.options.run(
          Effect.ignore(this.options.ari.request("POST", `/recordings/live/${encodeURIComponent(name)}/stop`))
        )
      }
    }
  }

  /** A key ends the recordings that have it as `finish_on_key`. */
  pressed(leg: Leg, digit: string): void {
    for (const recorder of new Set(this.byName.values())) {
      if (recorder.leg === leg && recorder.action.finish_on_key?.includes(digit))
        this.stop(leg, recorder.action.recording_id)
    }
  }

  /** The snoop channels, and so the files, end with the leg. */
  end(leg: Leg): void {
    this.waiting.delete(leg)
  }

  /** Asterisk has finished one file. */
  finished(name: string, failed: boolean): void {
    const recorder = this.byName.get(name)
    if (recorder === undefined) return
    this.byName.delete(name)
    recorder.finished.add(name)
    recorder.failed ||= failed
    if (recorder.finished.size === recorder.names.length) this.options.run(this.deliver(recorder))
  }

  private begin(recorder: Recorder): void {
    const { ari, app, legs } = this.options
    const { action, command_id, leg, names } = recorder
    const { max_seconds, recording_id, silence_seconds } = action
    for (const name of names) this.byName.set(name, recorder)
    const listen = (name: string, spy: string) =>
      Effect.gen(function* () {
        const snoop_id = `snoop-${name}`
        yield* ari.request("POST", `/channels/${leg.channel}/snoop/${snoop_id}`, { spy, app })
        const record = Effect.flatMap(
          ari.request("POST", `/channels/${snoop_id}/record`, {
            name,
            format: "wav",
            ifExists: "overwrite",
            maxDurationSeconds: max_seconds,
            maxSilenceSeconds: silence_seconds,
            beep: action.beep === true ? "true" : undefined
          }),
          ({ status }) => (status < 300 ? Effect.void : Effect.fail(new AriAway({ cause: status })))
        )
        yield* Effect.retry(record, retries)
      })
    this.options.run(
      Effect.forEach(names, (name, index) => listen(name, sides[action.channels][index] ?? "both"), {
        discard: true,
        concurrency: 2
      }).pipe(
        Effect.match({
          onFailure: () => {
            for (const name of names) this.byName.delete(name)
            legs.report(leg, "recording.failed", { command_id, recording_id, error: "not_recorded" })
          },
          onSuccess: () => legs.report(leg, "recording.started", { command_id, recording_id })
        })
      )
    )
  }

  private deliver({ action: { recording_id }, command_id, failed, leg, names }: Recorder): Effect.Effect<void> {
    const { ari, combine, legs, spool } = this.options
    const of = { command_id, recording_id }
    const reportFailure = (error: string) => Effect.sync(() => legs.report(leg, "recording.failed", { ...of, error }))
    if (failed) return reportFailure("not_recorded")
    const move = Effect.gen(function* () {
      const [first, second] = yield* Effect.forEach(names, (name) =>
        ari.download(`/recordings/stored/${encodeURIComponent(name)}/file`)
      )
      if (first === undefined) return yield* reportFailure("not_recorded")
      const { bytes, duration_ms, sha256, size_bytes } = combine(first, second)
      const object_key = `${leg.id}/${recording_id}.wav`
      yield* spool.leave(
        object_key,
        Stream.fromAsyncIterable(bytes, (cause) => new AriAway({ cause }))
      )
      legs.report(leg, "recording.completed", {
        ...of,
        object_key,
        size_bytes,
        duration_ms,
        sha256: sha256()
      })
      for (const name of names) {
        yield* ari.request("DELETE", `/recordings/stored/${encodeURIComponent(name)}`)
        yield* ari.request("DELETE", `/channels/snoop-${name}`)
      }
    })
    return this.deliveries
      .run(leg.tenant_pbx_id, Effect.scoped(move))
      .pipe(
        Effect.catch((error) =>
          Effect.andThen(
            Effect.logWarning(`The recording of session ${leg.id} could not be stored in the spool`, error),
            reportFailure("spool_unavailable")
          )
        )
      )
  }
}
