// What a channel plays, says, sends and collects.
import { Effect, Schedule, Semaphore } from "effect"
import { createHash } from "node:crypto"
import type { ActionOf, PbxAction } from "../../../../domain/pbx/PbxCommand.ts"
import type { AriAway } from "../ari/Ari.ts"
import type { LegContext } from "../legs/LegContext.ts"
import type { Leg, Playback } from "../legs/Legs.ts"
import { NoSound } from "../sounds/NoSound.ts"
import type { Sound } from "../sounds/SoundStore.ts"
import type { Speech } from "../sounds/Speech.ts"

export interface MediaOptions extends LegContext {
  readonly speech: Speech
}

/** The commands that play a sound, on their own or as the prompt of a gather. */
type Prompt = ActionOf<"say" | "play">
export const isPrompt = (action: PbxAction): action is Prompt => action.kind === "say" || action.kind === "play"

const digit_ms = 100
const gap_ms = 100
/** The pauses within digits. */
const pauses_ms: Readonly<Record<string, number>> = { w: 500, W: 1_000 }

/** The channel is gone: its end is reported, and nothing about its playbacks. */
const channelGone = 404

/** Waits for an Asterisk that is unreachable. */
const withRetries = <A>(request: Effect.Effect<A, AriAway>) =>
  Effect.retry(request, { schedule: Schedule.spaced("500 millis"), times: 60 })

/** A hang-up makes the channel's playback fail, and is itself reported a little later. */
const hangupReport_ms = 250

/** A repeated file is requested this many times at once. */
const repetitions = 50

const acceptsDigits = ({ input }: ActionOf<"gather">): boolean => input === undefined || input.includes("dtmf")

const playbackId = (command_id: string): string => createHash("md5").update(command_id).digest("hex")

export class Media {
  private readonly options: MediaOptions
  /** Requests of one leg are made one after the other, however long it takes to prepare the sound. */
  private readonly turns = new WeakMap<Leg, Semaphore.Semaphore>()

  constructor(options: MediaOptions) {
    this.options = options
  }

  /** Queues the prompt behind the current one. `playback.finished` reports its end. */
  play(leg: Leg, command_id: string, action: Prompt): void {
    if (leg.answered_at === undefined)
      return this.playbackEnded(leg, { command_id, cut: false, is_prompt: false }, "not_answered")
    this.start(leg, { command_id, is_prompt: false, cut: false }, action)
  }

  /** Says a text before the answer, as early media, and calls `after` when that is over or has failed. */
  announce(leg: Leg, command_id: string, text: string, after: () => void): void {
    this.sendProgress(leg)
    this.start(leg, { command_id, is_prompt: false, cut: false, after }, { kind: "say", text, loop: 1 })
  }

  /** Plays a file over and over, also before the answer, until `stopRepeating`. Nothing is reported. */
  repeat(leg: Leg, command_id: string, url: string): void {
    if (leg.answered_at === undefined) this.sendProgress(leg)
    const after = (error: string | undefined) => (error === undefined ? this.repeat(leg, command_id, url) : undefined)
    this.start(leg, { command_id, is_prompt: false, cut: false, after }, { kind: "play", url, loop: repetitions })
  }

  stopRepeating(leg: Leg, command_id: string): void {
    this.stop(leg, playbackId(command_id))
  }

  /** Collects digits. This gateway recognises no speech: a gather for speech alone ends as `unavailable`. */
  gather(leg: Leg, command_id: string, action: ActionOf<"gather">): void {
    leg.entry = { command_id, action, digits: "", timer: undefined }
    if (action.prompt === undefined) this.awaitDigit(leg, action.timeout_ms)
    else this.start(leg, { command_id, is_prompt: true, cut: false }, action.prompt)
  }

  /** A key counts for the current gather, and stops its prompt. */
  pressed(leg: Leg, digit: string): void {
    const { entry } = leg
    if (entry === undefined || !acceptsDigits(entry.action)) return
    const { finish_on_key, inter_digit_timeout_ms, max_digits } = entry.action
    this.stopPrompt(leg, entry.command_id)
    if (digit === finish_on_key) return this.finishGather(leg, "complete")
    entry.digits += digit
    if (entry.digits.length >= max_digits) return this.finishGather(leg, "complete")
    this.awaitDigit(leg, inter_digit_timeout_ms)
  }

  /** Sends DTMF digits. `playback.finished` reports the end. */
  sendDigits(leg: Leg, command_id: string, digits: string): void {
    const { legs, now, run } = this.options
    const began_at = now()
    run(
      Effect.match(this.inTurn(leg, this.digitsSent(leg, digits)), {
        onFailure: () => legs.report(leg, "playback.finished", { command_id, result: "failed", error: "pbx_away" }),
        onSuccess: (sent) => {
          if (!sent || !legs.isLive(leg)) return
          const duration_ms = Math.max(0, now() - began_at)
          legs.report(leg, "playback.finished", { command_id, result: "completed", duration_ms })
        }
      })
    )
  }

  /** Stops what the command is playing or collecting. */
  cut(leg: Leg, command_id: string): void {
    if (leg.entry?.command_id === command_id) {
      this.stopPrompt(leg, command_id)
      return this.finishGather(leg, "timeout")
    }
    for (const [id, playback] of leg.playbacks) {
      if (playback.command_id !== command_id) continue
      playback.cut = true
      this.deletePlayback(leg, id)
    }
  }

  /** Asterisk has ended a playback. Its event names the playback alone, not the channel. */
  finished(playback_id: string, state: string): void {
    const { legs, now, timers } = this.options
    for (const leg of legs.live.values()) {
      const playback = leg.playbacks.get(playback_id)
      if (playback === undefined) continue
      this.forget(leg, playback_id)
      if (state === "done") return this.playbackEnded(leg, playback, undefined)
      timers.set(now() + hangupReport_ms, () => {
        if (legs.isLive(leg)) this.playbackEnded(leg, playback, "playback_failed")
      })
      return
    }
  }

  end(leg: Leg): void {
    if (leg.entry?.timer !== undefined) this.options.timers.cancel(leg.entry.timer)
    leg.entry = undefined
    for (const id of leg.playbacks.keys()) this.forget(leg, id)
  }

  /** Removes a playback and releases its sound. False if there is no such playback. */
  private forget(leg: Leg, id: string): boolean {
    leg.playbacks.get(id)?.sound?.release()
    return leg.playbacks.delete(id)
  }

  private playbackEnded(leg: Leg, { after, command_id, cut, is_prompt }: Playback, error: string | undefined): void {
    if (after !== undefined) return after(error)
    if (is_prompt) {
      if (leg.entry?.command_id === command_id && leg.entry.digits === "")
        this.awaitDigit(leg, leg.entry.action.timeout_ms)
      return
    }
    const outcome = error === undefined ? { result: cut ? "cut" : "completed" } : { result: "failed", error }
    this.options.legs.report(leg, "playback.finished", { command_id, ...outcome })
  }

  /** False if the channel is gone. */
  private digitsSent(leg: Leg, digits: string): Effect.Effect<boolean, AriAway> {
    const { ari } = this.options
    return Effect.gen(function* () {
      let sent = true
      for (const part of digits.match(/[wW]|[^wW]+/g) ?? []) {
        const pause_ms = pauses_ms[part]
        if (pause_ms !== undefined) {
          yield* Effect.sleep(pause_ms)
          continue
        }
        const query = { dtmf: part, duration: digit_ms, between: gap_ms }
        const { status } = yield* withRetries(ari.request("POST", `/channels/${leg.channel}/dtmf`, query))
        sent &&= status !== channelGone
        yield* Effect.sleep(part.length * (digit_ms + gap_ms))
      }
      return sent
    })
  }

  private stopPrompt(leg: Leg, command_id: string): void {
    for (const [id, playback] of leg.playbacks) {
      if (playback.is_prompt && playback.command_id === command_id) this.stop(leg, id)
    }
  }

  /** Stops a playback without a report. */
  private stop(leg: Leg, id: string): void {
    if (this.forget(leg, id)) this.deletePlayback(leg, id)
  }

  /** Waits for the leg's earlier requests, so that a playback that is being started can be deleted. */
  private deletePlayback(leg: Leg, id: string): void {
    this.options.run(Effect.ignore(this.inTurn(leg, this.options.ari.request("DELETE", `/playbacks/${id}`))))
  }

  /** Makes what is played before the answer audible, as early media. */
  private sendProgress(leg: Leg): void {
    this.options.run(
      Effect.ignore(this.inTurn(leg, this.options.ari.request("POST", `/channels/${leg.channel}/progress`)))
    )
  }

  private awaitDigit(leg: Leg, timeout_ms: number): void {
    const { entry } = leg
    if (entry === undefined) return
    if (!acceptsDigits(entry.action)) return this.finishGather(leg, "unavailable")
    if (entry.timer !== undefined) this.options.timers.cancel(entry.timer)
    const at = this.options.now() + timeout_ms
    entry.timer = this.options.timers.set(at, () => this.finishGather(leg, "timeout"))
  }

  private finishGather(leg: Leg, result: "complete" | "timeout" | "unavailable"): void {
    const { entry } = leg
    if (entry === undefined) return
    if (entry.timer !== undefined) this.options.timers.cancel(entry.timer)
    leg.entry = undefined
    this.options.legs.report(leg, "gather.finished", { command_id: entry.command_id, result, digits: entry.digits })
  }

  private inTurn<A, E>(leg: Leg, effect: Effect.Effect<A, E>): Effect.Effect<A, E> {
    const turn = this.turns.get(leg) ?? Semaphore.makeUnsafe(1)
    this.turns.set(leg, turn)
    return turn.withPermit(effect)
  }

  private start(leg: Leg, playback: Playback, action: Prompt): void {
    const { ari, run, speech } = this.options
    const { tenant_pbx_id } = leg
    const id = playbackId(playback.command_id)
    const made: Effect.Effect<Sound, NoSound> =
      action.kind === "say"
        ? speech.say(tenant_pbx_id, action.text, action.voice, action.language)
        : speech.fetch(tenant_pbx_id, action.url)
    leg.playbacks.set(id, playback)
    const request = Effect.flatMap(made, (sound): Effect.Effect<boolean, AriAway> => {
      if (leg.playbacks.get(id) !== playback) return Effect.as(Effect.sync(sound.release), true)
      playback.sound = sound
      if (playback.cut && this.forget(leg, id))
        return Effect.sync(() => this.playbackEnded(leg, playback, undefined)).pipe(Effect.as(true))
      const media = Array.from({ length: action.loop }, () => `sound:${sound.path}`)
      return Effect.map(
        withRetries(ari.request("POST", `/channels/${leg.channel}/play`, {}, { media, playbackId: id })),
        ({ status }) => status < 300 || status === channelGone
      )
    })
    const failed = (error: string) =>
      Effect.sync(() => (this.forget(leg, id) ? this.playbackEnded(leg, playback, error) : undefined))
    run(
      this.inTurn(leg, request).pipe(
        Effect.flatMap((started) => (started ? Effect.void : failed("playback_failed"))),
        Effect.catch((error) =>
          Effect.andThen(
            Effect.logWarning(`A playback of session ${leg.id} failed`, error),
            failed(error instanceof NoSound ? error.error : "pbx_away")
          )
        )
      )
    )
  }
}
