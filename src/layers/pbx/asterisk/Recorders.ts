// Whole legs, recorded by a channel that listens to them, and left in the engine's spool.
import { Effect, Result, Schedule, Stream } from "effect"
import { createHash } from "node:crypto"
import type { RecordingSpool } from "../../../domain/ports/RecordingSpool.ts"
import { wavHeader, wavOf } from "../../../domain/recordings/Wav.ts"
import { type Ari, AriAway } from "./Ari.ts"
import type { ActionOf, Leg, Legs } from "./Legs.ts"

export interface RecordersOptions {
  readonly ari: Ari
  readonly app: string
  readonly legs: Legs
  readonly now: () => number
  readonly run: (effect: Effect.Effect<void>) => void
  readonly spool: RecordingSpool["Service"]
}

interface Recorder {
  readonly leg: Leg
  readonly command_id: string
  readonly wish: ActionOf<"record.start">
  /** Asterisk's names of its files: one, or one for each side. */
  readonly names: ReadonlyArray<string>
  readonly finished: Set<string>
  begun: boolean
  failed: boolean
}

const rate = 8_000
const sides = { 1: ["both"], 2: ["in", "out"] } as const
/** The listening channel takes a moment to be there. */
const soon = { schedule: Schedule.spaced("20 millis"), times: 50 }

/** The samples after the header of a file of Asterisk's: 44 bytes, always. */
const samplesOf = (file: Buffer): Buffer => file.subarray(44)

/** Two channels of 16 bits, side by side; the shorter one ends in silence. */
const interleave = (left: Buffer, right: Buffer): Buffer => {
  const samples = Math.max(left.length, right.length) >> 1
  const both = Buffer.alloc(samples * 4)
  for (let sample = 0; sample < samples; sample++) {
    if (sample * 2 + 1 < left.length) both.writeInt16LE(left.readInt16LE(sample * 2), sample * 4)
    if (sample * 2 + 1 < right.length) both.writeInt16LE(right.readInt16LE(sample * 2), sample * 4 + 2)
  }
  return both
}

/** One file of what one or two files hold. */
export const wholeFile = (files: ReadonlyArray<Buffer>): Buffer => {
  const [first, second] = files.map(samplesOf)
  const data = second === undefined ? first! : interleave(first!, second)
  return Buffer.concat([wavHeader({ channels: second === undefined ? 1 : 2, rate, data_bytes: data.length }), data])
}

export class Recorders {
  private readonly options: RecordersOptions
  private readonly byName = new Map<string, Recorder>()
  private readonly waiting = new Map<Leg, Array<Recorder>>()

  constructor(options: RecordersOptions) {
    this.options = options
  }

  start(leg: Leg, command_id: string, wish: ActionOf<"record.start">): void {
    const names = sides[wish.channels].map((side) => `${wish.recording_id}.${side}`)
    const recorder: Recorder = { leg, command_id, wish, names, finished: new Set(), begun: false, failed: false }
    if ((wish.from === "ringing" && leg.branches.size === 1) || leg.answered_at !== undefined)
      return this.begin(recorder)
    this.waiting.set(leg, [...(this.waiting.get(leg) ?? []), recorder])
  }

  answered(leg: Leg): void {
    for (const recorder of this.waiting.get(leg) ?? []) this.begin(recorder)
    this.waiting.delete(leg)
  }

  stop(leg: Leg, recording_id: string): void {
    const waiting = this.waiting.get(leg)?.filter(({ wish }) => wish.recording_id !== recording_id)
    if (waiting !== undefined) this.waiting.set(leg, waiting)
    for (const recorder of new Set(this.byName.values())) {
      if (recorder.leg !== leg || recorder.wish.recording_id !== recording_id) continue
      for (const name of recorder.names) {
        this.options.run(
          Effect.ignore(this.options.ari.request("POST", `/recordings/live/${encodeURIComponent(name)}/stop`))
        )
      }
    }
  }

  /** Keys end what was to be recorded until one of them. */
  pressed(leg: Leg, digit: string): void {
    for (const recorder of new Set(this.byName.values())) {
      if (recorder.leg === leg && recorder.wish.finish_on_key?.includes(digit))
        this.stop(leg, recorder.wish.recording_id)
    }
  }

  /** The listening channels end with the leg, and their files with them. */
  end(leg: Leg): void {
    this.waiting.delete(leg)
  }

  /** Of one file; true where it was one of ours. */
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
    const { command_id, leg, names, wish } = recorder
    const { max_seconds, recording_id, silence_seconds } = wish
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
            beep: wish.beep === true ? "true" : undefined
          }),
          ({ status }) => (status < 300 ? Effect.void : Effect.fail(new AriAway({ cause: status })))
        )
        yield* Effect.retry(record, soon)
      })
    this.options.run(
      Effect.forEach(names, (name, index) => listen(name, sides[wish.channels][index]!), {
        discard: true,
        concurrency: 2
      }).pipe(
        Effect.match({
          onFailure: () => {
            for (const name of names) this.byName.delete(name)
            legs.report(leg, "recording.failed", { command_id, recording_id, error: "not_recorded" })
          },
          onSuccess: () => {
            recorder.begun = true
            legs.report(leg, "recording.started", { command_id, recording_id })
          }
        })
      )
    )
  }

  private deliver({ command_id, failed, leg, names, wish: { recording_id } }: Recorder): Effect.Effect<void> {
    const { ari, legs, spool } = this.options
    const of = { command_id, recording_id }
    const fault = (error: string) => Effect.sync(() => legs.report(leg, "recording.failed", { ...of, error }))
    if (failed) return fault("not_recorded")
    return Effect.gen(function* () {
      const files = yield* Effect.forEach(names, (name) =>
        ari.download(`/recordings/stored/${encodeURIComponent(name)}/file`)
      )
      const bytes = wholeFile(files)
      const read = wavOf(bytes.subarray(0, 4_096), bytes.length)
      const duration_ms = Result.isSuccess(read) ? read.success.duration_ms : 0
      const object_key = `${leg.id}/${recording_id}.wav`
      yield* spool.leave(object_key, Stream.make(new Uint8Array(bytes)))
      const sha256 = createHash("sha256").update(bytes).digest("hex")
      legs.report(leg, "recording.completed", { ...of, object_key, size_bytes: bytes.length, duration_ms, sha256 })
      for (const name of names) {
        yield* ari.request("DELETE", `/recordings/stored/${encodeURIComponent(name)}`)
        yield* ari.request("DELETE", `/channels/snoop-${name}`)
      }
    }).pipe(
      Effect.catch((error) =>
        Effect.andThen(
          Effect.logWarning("A recording could not be left in the spool", error),
          fault("spool_unavailable")
        )
      )
    )
  }
}
