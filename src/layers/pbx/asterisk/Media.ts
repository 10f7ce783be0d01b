// What a channel speaks, plays, sends and takes down.
import { Effect, Schedule, Semaphore } from "effect"
import { createHash } from "node:crypto"
import type { Timers } from "../../../actors/runtime/Timers.ts"
import type { Ari, AriAway } from "./Ari.ts"
import type { ActionOf, Leg, Legs, Playback } from "./Legs.ts"
import type { NoSound, Speech } from "./Speech.ts"

export interface MediaOptions {
  readonly ari: Ari
  readonly legs: Legs
  readonly speech: Speech
  readonly timers: Timers
  readonly now: () => number
  readonly run: (effect: Effect.Effect<void>) => void
}

type Prompt = ActionOf<"say"> | ActionOf<"play">

const digit_ms = 100
const gap_ms = 100
const waits: Readonly<Record<string, number>> = { w: 500, W: 1_000 }

/** There is no such channel: its end is what there is to tell, and nothing of what was to be heard on it. */
const gone = 404

/** An Asterisk that is away is waited for. */
const insist = <A>(request: Effect.Effect<A, AriAway>) =>
  Effect.retry(request, { schedule: Schedule.spaced("500 millis"), times: 60 })

/** A hang-up fails what is being played, and is told a little later itself. */
const parting_ms = 250

/** What is repeated is asked for so many times at once. */
const played_together = 50

const hearsKeys = ({ input }: ActionOf<"gather">): boolean => input === undefined || input.includes("dtmf")

const playbackId = (command_id: string): string => createHash("md5").update(command_id).digest("hex")

export class Media {
  private readonly options: MediaOptions
  /** What a leg speaks is made one after the other, however long the making takes. */
  private readonly turns = new WeakMap<Leg, Semaphore.Semaphore>()

  constructor(options: MediaOptions) {
    this.options = options
  }

  /** It is queued behind what is being played; how it went is told when it is over. */
  play(leg: Leg, command_id: string, action: Prompt): void {
    if (leg.answered_at === undefined)
      return this.told(leg, { command_id, cut: false, of_entry: false }, "not_answered")
    this.start(leg, { command_id, of_entry: false, cut: false }, action)
  }

  /** Says it before the answer, as early media; then, however that went, does what follows. */
  announce(leg: Leg, command_id: string, text: string, after: () => void): void {
    this.early(leg)
    this.start(leg, { command_id, of_entry: false, cut: false, after }, { kind: "say", text, loop: 1 })
  }

  /** Plays it over and over, before the answer too, until it is hushed; nobody is told. */
  repeat(leg: Leg, command_id: string, url: string): void {
    if (leg.answered_at === undefined) this.early(leg)
    const after = (error: string | undefined) => (error === undefined ? this.repeat(leg, command_id, url) : undefined)
    this.start(leg, { command_id, of_entry: false, cut: false, after }, { kind: "play", url, loop: played_together })
  }

  hush(leg: Leg, command_id: string): void {
    this.stop(leg, playbackId(command_id))
  }

  /** Nobody here understands words: keys alone are waited for, and where only words are wanted, nothing is. */
  gather(leg: Leg, command_id: string, wish: ActionOf<"gather">): void {
    leg.entry = { command_id, wish, digits: "", timer: undefined }
    if (wish.prompt === undefined) this.wait(leg, wish.timeout_ms)
    else this.start(leg, { command_id, of_entry: true, cut: false }, wish.prompt)
  }

  /** A key counts for what waits for it, and cuts its prompt short. */
  pressed(leg: Leg, digit: string): void {
    const { entry } = leg
    if (entry === undefined || !hearsKeys(entry.wish)) return
    const { finish_on_key, inter_digit_timeout_ms, max_digits } = entry.wish
    this.stopPrompt(leg, entry.command_id)
    if (digit === finish_on_key) return this.finish(leg, "complete")
    entry.digits += digit
    if (entry.digits.length >= max_digits) return this.finish(leg, "complete")
    this.wait(leg, inter_digit_timeout_ms)
  }

  sendDigits(leg: Leg, command_id: string, digits: string): void {
    const { ari, legs, now } = this.options
    const began_at = now()
    let lost = false
    const parts = digits.match(/[wW]|[^wW]+/g) ?? []
    const send = Effect.forEach(
      parts,
      (part) => {
        const wait_ms = waits[part]
        if (wait_ms !== undefined) return Effect.sleep(wait_ms)
        const sending = insist(
          ari.request("POST", `/channels/${leg.channel}/dtmf`, { dtmf: part, duration: digit_ms, between: gap_ms })
        )
        return Effect.flatMap(sending, ({ status }) => {
          lost ||= status === gone
          return Effect.sleep(part.length * (digit_ms + gap_ms))
        })
      },
      { discard: true }
    )
    this.options.run(
      Effect.matchEffect(this.inTurn(leg, send), {
        onFailure: () =>
          Effect.sync(() => legs.report(leg, "playback.finished", { command_id, result: "failed", error: "pbx_away" })),
        onSuccess: () =>
          Effect.sync(() => {
            if (lost || legs.live.get(leg.id) !== leg) return
            legs.report(leg, "playback.finished", {
              command_id,
              result: "completed",
              duration_ms: Math.max(0, now() - began_at)
            })
          })
      })
    )
  }

  cut(leg: Leg, command_id: string): void {
    if (leg.entry?.command_id === command_id) {
      this.stopPrompt(leg, command_id)
      return this.finish(leg, "timeout")
    }
    for (const [id, playback] of leg.playbacks) {
      if (playback.command_id !== command_id) continue
      playback.cut = true
      this.endPlayback(leg, id)
    }
  }

  /** Asterisk tells it by the playback alone: whose it is, is known here. */
  finished(playback_id: string, state: string): void {
    for (const leg of this.options.legs.live.values()) {
      const playback = leg.playbacks.get(playback_id)
      if (playback === undefined) continue
      leg.playbacks.delete(playback_id)
      if (state === "done") return this.told(leg, playback, undefined)
      this.options.timers.set(this.options.now() + parting_ms, () => {
        if (this.options.legs.live.get(leg.id) === leg) this.told(leg, playback, "playback_failed")
      })
      return
    }
  }

  end(leg: Leg): void {
    if (leg.entry?.timer !== undefined) this.options.timers.cancel(leg.entry.timer)
    leg.entry = undefined
    leg.playbacks.clear()
  }

  private told(leg: Leg, { command_id, cut, of_entry, after }: Playback, error: string | undefined): void {
    if (after !== undefined) return after(error)
    if (of_entry) {
      if (leg.entry?.command_id === command_id && leg.entry.digits === "") this.wait(leg, leg.entry.wish.timeout_ms)
      return
    }
    const how = error === undefined ? { result: cut ? "cut" : "completed" } : { result: "failed", error }
    this.options.legs.report(leg, "playback.finished", { command_id, ...how })
  }

  private stopPrompt(leg: Leg, command_id: string): void {
    for (const [id, playback] of leg.playbacks) {
      if (playback.of_entry && playback.command_id === command_id) this.stop(leg, id)
    }
  }

  /** Of what is stopped nothing is told. */
  private stop(leg: Leg, id: string): void {
    if (leg.playbacks.delete(id)) this.endPlayback(leg, id)
  }

  /** After it has begun, should it be about to. */
  private endPlayback(leg: Leg, id: string): void {
    this.options.run(Effect.ignore(this.inTurn(leg, this.options.ari.request("DELETE", `/playbacks/${id}`))))
  }

  /** What is played before the answer is heard as early media. */
  private early(leg: Leg): void {
    this.options.run(
      Effect.ignore(this.inTurn(leg, this.options.ari.request("POST", `/channels/${leg.channel}/progress`)))
    )
  }

  private wait(leg: Leg, ms: number): void {
    const { entry } = leg
    if (entry === undefined) return
    if (!hearsKeys(entry.wish)) return this.finish(leg, "unavailable")
    if (entry.timer !== undefined) this.options.timers.cancel(entry.timer)
    entry.timer = this.options.timers.set(this.options.now() + ms, () => this.finish(leg, "timeout"))
  }

  private finish(leg: Leg, result: "complete" | "timeout" | "unavailable"): void {
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
    const id = playbackId(playback.command_id)
    const file: Effect.Effect<string, NoSound> =
      action.kind === "say" ? speech.say(action.text, action.voice, action.language) : speech.fetch(action.url)
    leg.playbacks.set(id, playback)
    const asked = Effect.flatMap(file, (path): Effect.Effect<boolean, AriAway> => {
      if (leg.playbacks.get(id) !== playback) return Effect.succeed(true)
      if (playback.cut && leg.playbacks.delete(id))
        return Effect.sync(() => this.told(leg, playback, undefined)).pipe(Effect.as(true))
      const media = Array.from({ length: action.loop }, () => `sound:${path}`)
      return Effect.map(
        insist(ari.request("POST", `/channels/${leg.channel}/play`, {}, { media, playbackId: id })),
        ({ status }) => status < 300 || status === gone
      )
    })
    run(
      this.inTurn(leg, asked).pipe(
        Effect.catch((error) => Effect.as(Effect.logWarning("Nothing could be played", error), false)),
        Effect.flatMap((playing) => {
          if (playing || !leg.playbacks.delete(id)) return Effect.void
          return Effect.sync(() => this.told(leg, playback, "playback_failed"))
        })
      )
    )
  }
}
