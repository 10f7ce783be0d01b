// The recordings of the simulated PBX: files of the right length, left in the spool when the talk is over.
import type { Timers } from "../../../actors/runtime/Timers.ts"
import type { PbxEventData, PbxEventType } from "../../../domain/pbx/PbxEvent.ts"
import { AllowanceOfEach } from "../../../domain/limits/Allowance.ts"
import { budgets } from "../../../domain/limits/Budgets.ts"
import { isSandbox } from "../../../domain/kit/Sandbox.ts"
import { pressesKey } from "./Phones.ts"
import type { Recorder, RecordStart, Session } from "./Sessions.ts"
import type { RecordingId } from "../../../domain/BrandedIds.ts"

export interface AudioFile {
  readonly object_key: string
  readonly channels: 1 | 2
  readonly duration_ms: number
}

export type LeaveAudio = (
  file: AudioFile,
  then: (left: { readonly size_bytes: number; readonly sha256: string } | undefined) => void
) => void

export interface RecordersOptions {
  readonly timers: Timers
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly report: (session: Session, type: PbxEventType, data: PbxEventData) => void
  /** Absent: the PBX has no spool and cannot record. */
  readonly leave?: LeaveAudio
}

/** The phone speaks this long, then presses a key or is silent. */
const speaks_seconds = 3

const maxOf = (tenant_pbx_id: string): number =>
  isSandbox(tenant_pbx_id) ? budgets.sandbox_recording.limit : Number.POSITIVE_INFINITY

export class Recorders {
  private readonly options: RecordersOptions
  /** The seconds that each sandbox may record. */
  private readonly recorded = new AllowanceOfEach(budgets.sandbox_recorded.limit)

  constructor(options: RecordersOptions) {
    this.options = options
  }

  start(session: Session, command_id: string, action: RecordStart): void {
    const recorder: Recorder = { command_id, action, started_at: undefined, timer: undefined }
    session.recorders.push(recorder)
    if (action.from === "ringing" || session.answered_at !== undefined) this.begin(session, recorder)
  }

  answered(session: Session): void {
    session.recorders
      .filter(({ started_at }) => started_at === undefined)
      .forEach((recorder) => this.begin(session, recorder))
  }

  /** Stops one recording, or all when the session ends. */
  stop(session: Session, recording_id?: RecordingId): void {
    session.recorders
      .filter(({ action }) => recording_id === undefined || action.recording_id === recording_id)
      .forEach((recorder) => this.finish(session, recorder))
  }

  /** Stops the recording that this command started. */
  cut(session: Session, command_id: string): void {
    session.recorders
      .filter((recorder) => recorder.command_id === command_id)
      .forEach((recorder) => this.finish(session, recorder))
  }

  private begin(session: Session, recorder: Recorder): void {
    const {
      command_id,
      action: { finish_on_key = "", max_seconds = Infinity, recording_id, silence_seconds = Infinity }
    } = recorder
    const now = this.options.now()
    if (isSandbox(session.tenant_pbx_id) && this.recorded.isSpent(session.tenant_pbx_id, now)) {
      session.recorders.splice(session.recorders.indexOf(recorder), 1)
      return this.options.report(session, "recording.failed", { command_id, recording_id, error: "recording_quota" })
    }
    recorder.started_at = now
    this.options.report(session, "recording.started", { command_id, recording_id })
    const presses = pressesKey(session.phone, finish_on_key)
    const longest_seconds = Math.min(max_seconds, maxOf(session.tenant_pbx_id))
    const lasts_seconds = Math.min(longest_seconds, presses ? speaks_seconds : speaks_seconds + silence_seconds)
    if (lasts_seconds === Infinity) return
    const ends_at = recorder.started_at + lasts_seconds * 1000
    recorder.timer = this.options.timers.set(ends_at, () => this.finish(session, recorder))
  }

  private finish(session: Session, recorder: Recorder): void {
    session.recorders.splice(session.recorders.indexOf(recorder), 1)
    const {
      command_id,
      started_at,
      timer,
      action: { channels, recording_id }
    } = recorder
    if (timer !== undefined) this.options.timers.cancel(timer)
    if (started_at === undefined) return
    const { leave, now, report } = this.options
    const of = { command_id, recording_id }
    if (leave === undefined) return report(session, "recording.failed", { ...of, error: "no_spool" })
    const duration_ms = now() - started_at
    if (isSandbox(session.tenant_pbx_id)) this.recorded.spend(session.tenant_pbx_id, duration_ms / 1_000, now())
    const object_key = `${session.id}/${recording_id}.wav`
    leave({ object_key, channels, duration_ms }, (left) =>
      left === undefined
        ? report(session, "recording.failed", { ...of, error: "spool_unavailable" })
        : report(session, "recording.completed", { ...of, object_key, duration_ms, ...left })
    )
  }
}
