// The legs of conferences. Each conference is a mixing bridge, which exists while a leg is in it. A leg that waits or
// is held is out of the bridge, and a coach is in a bridge of its own with a snoop channel, which whispers to the leg
// that it coaches. Ids follow from those of the conference and of the leg, so an engine that restarts finds all again.
import { Effect, Schedule } from "effect"
import type { ActionOf } from "../../../../domain/pbx/PbxCommand.ts"
import type { Capability } from "../../../../domain/pbx/Capabilities.ts"
import type { Ari, AriAway } from "../ari/Ari.ts"
import type { Bridges } from "../legs/Bridges.ts"
import type { LegContext } from "../legs/LegContext.ts"
import type { Leg } from "../legs/Legs.ts"
import type { Media } from "./Media.ts"

type Join = ActionOf<"conference.join">

export interface ConferencesOptions extends LegContext {
  readonly bridges: Bridges
  readonly media: Media
}

/** Where a leg is, and what of it must be taken back. */
interface Place {
  readonly join: Join
  /** The bridge that the leg is in; undefined while it is apart. */
  readonly bridge: string | undefined
  /** The command of a sound that a waiting leg hears. */
  readonly playing: string | undefined
  readonly music: boolean
}

const module = "bridge_softmix.so"
const beep = "tone:1000/200,0/100;l=1"
const notFound = 404
/** How often a sound is repeated for a waiting leg. */
const longestWait_loops = 100

const bridgeOf = ({ conference_id }: Join): string => `conference-${conference_id}`
const coachBridgeOf = (leg: Leg): string => `coach-${leg.id}`
const snoopOf = (leg: Leg): string => `snoop-coach-${leg.id}`

/** What this Asterisk can do: it mixes the audio of many channels, or is not configured for it. */
export const conferenceCapabilities = (ari: Ari): Effect.Effect<ReadonlyArray<Capability>, AriAway> =>
  Effect.map(ari.request("GET", `/asterisk/modules/${module}`), ({ status }) =>
    status === 200 ? ["conference.v1"] : []
  )

export class Conferences {
  private readonly options: ConferencesOptions
  private readonly places = new Map<Leg, Place>()

  constructor(options: ConferencesOptions) {
    this.options = options
  }

  /** Brings the leg into the conference, or to where its settings want it. Reports `conference.failed` if it cannot. */
  join(leg: Leg, command_id: string, action: Join): Effect.Effect<void, AriAway> {
    return Effect.gen({ self: this }, function* () {
      const before = this.places.get(leg)
      const other = before !== undefined && before.join.conference_id !== action.conference_id
      if (other) yield* this.leave(leg, before.join.conference_id)
      const earlier = other ? undefined : before
      const { conference_id } = action
      if (leg.answered_at === undefined)
        return this.options.legs.report(leg, "conference.failed", { conference_id, error: "not_answered" })
      yield* this.withdraw(leg, earlier)
      const place = yield* this.place(leg, command_id, action)
      if (place === undefined) {
        this.places.delete(leg)
        return this.options.legs.report(leg, "conference.failed", { conference_id, error: "bridge_failed" })
      }
      this.places.set(leg, place)
      yield* this.silence(leg, earlier?.join, action)
      if (earlier === undefined && (action.beep === "both" || action.beep === "enter")) yield* this.beep(action)
    })
  }

  leave(leg: Leg, conference_id: string): Effect.Effect<void, AriAway> {
    return Effect.gen({ self: this }, function* () {
      const place = this.places.get(leg)
      if (place?.join.conference_id !== conference_id) return
      this.places.delete(leg)
      yield* this.withdraw(leg, place)
      if (place.bridge !== undefined) yield* this.remove(leg, place.bridge)
      yield* this.silence(leg, place.join, { ...place.join, muted: false, deaf: false })
      yield* this.left(place.join)
    })
  }

  /** The leg has ended. */
  end(leg: Leg): void {
    const place = this.places.get(leg)
    if (place === undefined) return
    this.places.delete(leg)
    if (place.join.coach_session_id !== null) this.options.run(Effect.ignore(this.removeCoach(leg)))
    this.options.run(Effect.ignore(this.left(place.join)))
  }

  private *members({ conference_id }: Join): Generator<Leg> {
    for (const [leg, { join }] of this.places) if (join.conference_id === conference_id) yield leg
  }

  /** Tells the others, or removes the bridge after the last. */
  private left(join: Join): Effect.Effect<void, AriAway> {
    const others = [...this.members(join)]
    if (others.length === 0) return this.options.bridges.delete(bridgeOf(join))
    return join.beep === "both" || join.beep === "exit" ? this.beep(join) : Effect.void
  }

  private beep(join: Join): Effect.Effect<void, AriAway> {
    return Effect.asVoid(this.options.ari.request("POST", `/bridges/${bridgeOf(join)}/play`, { media: beep }))
  }

  /** Ends what the leg hears instead of the conference, and its coaching. It stays in its bridge. */
  private withdraw(leg: Leg, place: Place | undefined): Effect.Effect<void, AriAway> {
    if (place === undefined) return Effect.void
    const { ari, media } = this.options
    return Effect.gen({ self: this }, function* () {
      if (place.playing !== undefined) media.cut(leg, place.playing)
      if (place.music) yield* ari.request("DELETE", `/channels/${leg.channel}/moh`)
      if (place.join.coach_session_id !== null) yield* this.removeCoach(leg)
    })
  }

  private place(leg: Leg, command_id: string, action: Join): Effect.Effect<Place | undefined, AriAway> {
    if (action.held || action.waiting) return this.apart(leg, command_id, action)
    const coached = action.coach_session_id === null ? undefined : this.options.legs.live.get(action.coach_session_id)
    const bridge = coached === undefined ? bridgeOf(action) : coachBridgeOf(leg)
    const entered = coached === undefined ? this.enter(leg, bridge) : this.coach(leg, coached, bridge)
    return Effect.map(entered, (done) =>
      done ? { join: action, bridge, playing: undefined, music: false } : undefined
    )
  }

  /** Out of the bridge, with music, a sound or silence. */
  private apart(leg: Leg, command_id: string, action: Join): Effect.Effect<Place, AriAway> {
    const { ari, media } = this.options
    const bridge = this.places.get(leg)?.bridge
    return Effect.gen({ self: this }, function* () {
      if (bridge !== undefined) yield* this.remove(leg, bridge)
      const music = action.held || action.wait === "music"
      const sound = music || action.wait === "silence" ? undefined : action.wait
      if (music) yield* ari.request("POST", `/channels/${leg.channel}/moh`)
      const playing = sound === undefined ? undefined : `${command_id}:wait`
      if (sound !== undefined && playing !== undefined)
        media.play(leg, playing, { kind: "play", url: sound, loop: longestWait_loops })
      return { join: action, bridge: undefined, playing, music }
    })
  }

  /** Whether the leg is in the bridge. The bridge may have been removed with its last leg just before. */
  private enter(leg: Leg, bridge: string): Effect.Effect<boolean, AriAway> {
    const { ari, bridges } = this.options
    const add = Effect.andThen(
      bridges.create(bridge, "mixing,dtmf_events"),
      ari.request("POST", `/bridges/${bridge}/addChannel`, {}, { channel: [leg.channel], absorbDTMF: true })
    )
    return Effect.flatMap(add, ({ status }) =>
      status === notFound ? Effect.map(add, (again) => again.status < 300) : Effect.succeed(status < 300)
    )
  }

  private coach(leg: Leg, coached: Leg, bridge: string): Effect.Effect<boolean, AriAway> {
    const { app, ari } = this.options
    return Effect.gen({ self: this }, function* () {
      yield* ari.request("DELETE", `/channels/${snoopOf(leg)}`)
      const path = `/channels/${coached.channel}/snoop/${snoopOf(leg)}`
      const snooped = yield* ari.request("POST", path, { spy: "both", whisper: "out", app })
      if (snooped.status >= 300) return false
      const entered = yield* this.enter(leg, bridge)
      const add = ari.request("POST", `/bridges/${bridge}/addChannel`, {}, { channel: [snoopOf(leg)] })
      // A channel enters the application a few milliseconds after it is made.
      const added = yield* Effect.retry(
        Effect.flatMap(add, ({ status }) =>
          status < 300 ? Effect.succeed(true) : Effect.fail("not_entered" as const)
        ),
        { schedule: Schedule.spaced("10 millis"), times: 200 }
      ).pipe(Effect.orElseSucceed(() => false))
      return entered && added
    })
  }

  private removeCoach(leg: Leg): Effect.Effect<void, AriAway> {
    const { ari, bridges } = this.options
    return Effect.andThen(ari.request("DELETE", `/channels/${snoopOf(leg)}`), bridges.delete(coachBridgeOf(leg)))
  }

  private remove(leg: Leg, bridge: string): Effect.Effect<void, AriAway> {
    return Effect.asVoid(
      this.options.ari.request("POST", `/bridges/${bridge}/removeChannel`, {}, { channel: [leg.channel] })
    )
  }

  /** Mutes and deafens as the settings want it, where they have changed. */
  private silence(leg: Leg, before: Join | undefined, now: Join): Effect.Effect<void, AriAway> {
    const change = (was: boolean, is: boolean, direction: "in" | "out") =>
      was === is
        ? Effect.void
        : this.options.ari.request(is ? "POST" : "DELETE", `/channels/${leg.channel}/mute`, { direction })
    return Effect.asVoid(
      Effect.andThen(change(before?.muted ?? false, now.muted, "in"), change(before?.deaf ?? false, now.deaf, "out"))
    )
  }
}
