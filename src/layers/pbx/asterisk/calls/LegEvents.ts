// What Asterisk's events mean for a leg: ringing, answer, keys, and the end of its channels.
import { Effect, Schema } from "effect"
import type { AriAway, AriResponse } from "../ari/Ari.ts"
import type { AriChannelEvent } from "../ari/AriEvent.ts"
import {
  type Branch,
  type ChannelEnd,
  decidingBranch,
  isRejectedForAll,
  otherBranches,
  unavailable
} from "../legs/Branches.ts"
import { endingOf, hasNoMedia, noAudioCause } from "./Endings.ts"
import type { Leg } from "../legs/Legs.ts"
import type { LegServices } from "./LegServices.ts"

/** The cause of a soft hang-up that Asterisk itself requested, because no audio came in. */
const requestedByAsterisk = 1

/** "No answer": the cause with which Asterisk hangs up by itself when the ringing time is over. */
const ringTimeout = 19

/** How long a channel without an address for its audio may take to end, before it counts as answered all the same. */
const mediaPatience = "2 seconds"

const isVariable = Schema.is(Schema.Struct({ value: Schema.String }))

/**
 * Whether the channel may have no remote address for its audio, because the far end answered without SDP. Of a channel
 * whose session has ended already, Asterisk cannot read it, and answers 500.
 */
const mayHaveNoMedia = ({ body, status }: AriResponse): boolean =>
  status >= 500 || (isVariable(body) && !/:[1-9]\d*$/.test(body.value))

export class LegEvents {
  private readonly options: LegServices

  constructor(options: LegServices) {
    this.options = options
  }

  handle(leg: Leg, branch: Branch, event: AriChannelEvent, at: number): void {
    switch (event.type) {
      case "Dial":
        if (event.dialstatus === "PROGRESS") return this.earlyMedia(leg, branch, at)
        return event.dialstatus === "RINGING" ? this.ringing(leg, branch, at) : undefined
      case "ChannelStateChange":
        if (event.channel.state === "Ringing") return this.ringing(leg, branch, at)
        return event.channel.state === "Up" ? this.pickedUp(leg, branch, at) : undefined
      case "StasisStart":
        return event.channel.state === "Up" ? this.pickedUp(leg, branch, at) : this.dial(leg, branch)
      case "ChannelDtmfReceived":
        this.confirmed(leg, branch)
        this.options.legs.report(leg, "dtmf", { digit: event.digit, duration_ms: event.duration_ms }, at)
        this.options.recorders.pressed(leg, event.digit)
        this.options.streams.pressed(leg, event.digit)
        return this.options.media.pressed(leg, event.digit)
      case "ChannelTalkingStarted":
        return this.options.machines.talkingStarted(leg)
      case "ChannelTalkingFinished":
        return this.options.machines.talkingFinished(leg, event.duration)
      case "ChannelHangupRequest":
        branch.remote_hangup ||= event.soft !== true
        branch.no_audio ||= event.soft === true && event.cause === requestedByAsterisk
        branch.local_hangup ||= event.soft === true && event.cause !== requestedByAsterisk
        return
      case "StasisEnd":
        return leg.direction === "inbound"
          ? this.channelEnded(leg, branch, { cause: branch.no_audio ? noAudioCause : 0 }, at)
          : undefined
      case "ChannelDestroyed":
        return this.channelEnded(leg, branch, event, at)
    }
  }

  /**
   * A leg counts as answered once its media are agreed on. Asterisk reports an answer before it reads the SDP, and ends
   * the channel right after if there is none.
   */
  private pickedUp(leg: Leg, branch: Branch, at: number): void {
    if (leg.answered_at !== undefined || branch.up_at !== undefined) return
    if (leg.direction === "inbound") return this.answered(leg, branch, at)
    branch.up_at = at
    const { ari, run } = this.options
    const confirm = Effect.sync(() => this.confirmed(leg, branch))
    run(
      Effect.matchEffect(
        ari.request("GET", `/channels/${branch.channel}/variable`, { variable: "CHANNEL(rtp,dest)" }),
        {
          onFailure: () => confirm,
          onSuccess: (answer) => {
            // 404: the channel has ended, which its events report.
            if (answer.status === 404) return Effect.void
            return mayHaveNoMedia(answer) ? Effect.delay(confirm, mediaPatience) : confirm
          }
        }
      )
    )
  }

  /** Counts the leg as answered from when it was picked up, now that its audio is agreed on. */
  private confirmed(leg: Leg, branch: Branch): void {
    if (branch.up_at !== undefined && this.options.legs.isLive(leg)) this.answered(leg, branch, branch.up_at)
  }

  /** The first branch to be answered is the leg from then on; the others are hung up. */
  answered(leg: Leg, branch: Branch, at: number): void {
    if (leg.answered_at !== undefined || !leg.branches.has(branch.channel)) return
    leg.answered_at = at
    this.keepBranch(leg, branch)
    this.options.limits.answered(leg, at)
    this.options.legs.report(leg, "leg.answered", { sip_code: 200 }, at)
    this.options.ringback.answered(leg)
    this.options.machines.answered(leg)
    this.options.recorders.answered(leg)
    if (leg.answer_digits === undefined) return
    const { command_id, digits } = leg.answer_digits
    leg.answer_digits = undefined
    this.options.media.sendDigits(leg, command_id, digits)
  }

  /** Ends the leg if none of its other channels may still be answered. */
  channelEnded(leg: Leg, branch: Branch, end: ChannelEnd, at = this.options.now()): void {
    branch.end = end
    if (!hasNoMedia({ cause: end.cause, tech_cause: end.tech_cause })) this.confirmed(leg, branch)
    if (isRejectedForAll(branch)) this.options.run(Effect.ignore(this.hangUp(otherBranches(leg, branch), "normal")))
    const last = decidingBranch(leg)
    if (last !== undefined) this.end(leg, last, last.end ?? end, at)
  }

  hangUp(branches: ReadonlyArray<Branch>, reason: string): Effect.Effect<void, AriAway> {
    const { ari } = this.options
    return Effect.forEach(branches, ({ channel }) => ari.request("DELETE", `/channels/${channel}`, { reason }), {
      discard: true
    })
  }

  /** Stops everything that is under way on a leg. */
  forget(leg: Leg): void {
    const { bridges, conferences, machines, media, recorders, ringback, streams } = this.options
    for (const part of [bridges, conferences, machines, media, recorders, ringback, streams]) part.end(leg)
  }

  /**
   * Dials a channel that was created for the leg. A channel that is created and then dialled follows no redirection
   * (SIP 3xx). Asterisk would follow those of a channel that it originates to wherever the called party says, also to
   * `PJSIP/<number>@carrier`. A channel can be dialled once it has entered the application.
   */
  private dial(leg: Leg, branch: Branch): void {
    const { ari, ring_timers, run } = this.options
    const { channel, ring_seconds } = branch
    branch.ring_seconds = undefined
    if (ring_seconds === undefined || leg.hung_up) return
    branch.dialled = true
    const fail = (cause: unknown) =>
      Effect.suspend(() => {
        this.channelEnded(leg, branch, unavailable)
        const log = Effect.logWarning("The call failed: Asterisk did not dial", cause)
        return Effect.andThen(log, Effect.ignore(this.hangUp([branch], "normal")))
      })
    const requests = Effect.all(
      [
        ring_timers.dialled(leg, branch, ring_seconds),
        ari.request("POST", `/channels/${channel}/dial`, { timeout: ring_seconds })
      ],
      { concurrency: "unbounded" }
    )
    run(
      Effect.matchEffect(requests, {
        // A phone that rings was dialled: only the response was lost.
        onFailure: ({ cause }) => Effect.suspend(() => (branch.rang ? Effect.void : fail(cause))),
        // 404: the channel has ended, which its events report. 409: it is being dialled.
        onSuccess: (responses) => {
          const status = Math.max(...responses.map(({ status }) => status))
          return status >= 500 ? fail(status) : Effect.void
        }
      })
    )
  }

  /** Two events of Asterisk report ringing, in either order. Only the first is reported on. */
  private ringing(
    leg: Leg,
    branch: Branch,
    at: number,
    type: "leg.ringing" | "leg.early_media" = "leg.ringing",
    sip_code = 180
  ): void {
    branch.rang = true
    if (leg.rang || leg.answered_at !== undefined) return
    leg.rang = true
    this.options.legs.report(leg, type, { sip_code }, at)
    this.options.ringback.ringing(leg)
  }

  private earlyMedia(leg: Leg, branch: Branch, at: number): void {
    this.ringing(leg, branch, at, "leg.early_media", 183)
    if (leg.answered_at === undefined) this.options.ringback.earlyMedia(leg, branch.channel)
  }

  private keepBranch(leg: Leg, branch: Branch): void {
    const others = otherBranches(leg, branch)
    leg.channel = branch.channel
    leg.branches.clear()
    leg.branches.set(branch.channel, branch)
    if (others.length > 0) this.options.run(Effect.ignore(this.hangUp(others, "answered_elsewhere")))
  }

  private end(leg: Leg, branch: Branch, { cause, tech_cause }: ChannelEnd, at: number): void {
    const { legs, limits } = this.options
    if (!legs.isLive(leg)) return
    const { answered_at, calls_devices, direction, reject_code } = leg
    const ending = endingOf({
      direction,
      calls_devices,
      answered: answered_at !== undefined,
      rang: branch.rang,
      local_hangup: leg.hung_up || (branch.local_hangup && cause !== ringTimeout),
      remote_hangup: branch.remote_hangup,
      limit_reached: limits.isReached(leg, at),
      reject_code,
      cause,
      tech_cause
    })
    this.forget(leg)
    const duration_ms = answered_at === undefined ? 0 : Math.max(0, at - answered_at)
    legs.report(leg, "leg.hangup", { ...ending, duration_ms }, at)
    legs.close(leg)
    for (const peer of leg.peers) {
      peer.peers.delete(leg)
      if (peer.peers.size === 0) peer.bridge = undefined
      if (legs.live.has(peer.id)) legs.report(peer, "leg.unbridged", { peer_leg_id: leg.id }, at)
    }
  }
}
