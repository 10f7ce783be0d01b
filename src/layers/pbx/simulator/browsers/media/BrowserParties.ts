// The parties of the thread: browsers with their connections, and simulated phones. One beat moves all of them on.
import { voiceOf } from "../../../SpeakerVoice.ts"
import type { PhoneVoice, Sound } from "../PhoneMedia.ts"
import type { MediaCommand, MediaReport } from "./MediaProtocol.ts"
import { Peer } from "./Peer.ts"
import { holdMusic, tonesOf } from "./Sounds.ts"
import { SpeakText } from "./SpeakText.ts"
import { frame_ms, Switchboard } from "./Switchboard.ts"

/** After a stall the beat catches up by so much; the rest is left out. */
const behindMax_ms = 100
/** A browser that sends nothing for so long has gone: its page was closed, or its network is away. */
const silenceMax_ms = 30_000

/** A pause between two repetitions of what a phone says. */
const pause = tonesOf([{ hz: [], ms: 1_500 }])

export class BrowserParties {
  private readonly report: (report: MediaReport) => void
  private readonly peers = new Map<string, Peer>()
  private readonly speech = new SpeakText()
  private readonly switchboard = new Switchboard(holdMusic)
  /** The sound that each party is to hear, by its `play_id`; it may still be in the making. */
  private readonly wanted = new Map<string, string>()
  private timer: NodeJS.Timeout | undefined
  private next = 0

  constructor(report: (report: MediaReport) => void) {
    this.report = report
  }

  carryOut(command: MediaCommand): void {
    switch (command.kind) {
      case "answer":
        return this.reply(command.request, this.peer(command.id).answer(command.sdp))
      case "offer":
        return this.reply(command.request, this.peer(command.id).offer())
      case "accept":
        return this.reply(
          command.request,
          this.peer(command.id)
            .accept(command.sdp)
            .then(() => "")
        )
      case "addPhone":
        return this.addPhone(command.id, command.voice)
      case "remove":
        return this.remove(command.id)
      case "link":
        return this.switchboard.link(command.id, command.other)
      case "set":
        return this.switchboard.set(command.id, command)
      case "play":
        return this.play(command)
      case "stop":
        if (this.wanted.get(command.id) === command.play_id) this.wanted.delete(command.id)
        return this.switchboard.stop(command.id, command.play_id)
    }
  }

  private reply(request: number, made: Promise<string>): void {
    made.then(
      (sdp) => this.report({ kind: "reply", request, sdp }),
      () => this.report({ kind: "reply", request, sdp: undefined })
    )
  }

  private peer(id: string): Peer {
    const known = this.peers.get(id)
    if (known !== undefined) return known
    const peer = new Peer({
      heard: (frame) => this.switchboard.hear(id, frame),
      pressed: (digit, duration_ms) => this.report({ kind: "key", id, digit, duration_ms })
    })
    this.peers.set(id, peer)
    this.switchboard.add(id)
    this.keepTime()
    return peer
  }

  /** The phone is there at once, and its links with it; its voice may come later. */
  private addPhone(id: string, voice: PhoneVoice): void {
    if (voice.kind !== "speech") return this.switchboard.add(id, voice.kind)
    this.switchboard.add(id, new Uint8Array())
    void this.speech
      .speak({ text: voice.text, voice: voiceOf(undefined, undefined) })
      .then((audio) => this.switchboard.giveVoice(id, Buffer.concat([audio, pause])))
  }

  private remove(id: string): void {
    this.switchboard.remove(id)
    this.wanted.delete(id)
    const peer = this.peers.get(id)
    this.peers.delete(id)
    peer?.close().catch(() => {})
  }

  private play({ id, play_id, sound, times }: Extract<MediaCommand, { readonly kind: "play" }>): void {
    this.wanted.set(id, play_id)
    void this.audioOf(sound).then((audio) => {
      if (this.wanted.get(id) === play_id) this.switchboard.play(id, play_id, audio, times)
    })
  }

  private audioOf(sound: Sound): Promise<Uint8Array> {
    return sound.kind === "tones"
      ? Promise.resolve(tonesOf(sound.tones))
      : this.speech.speak({ text: sound.text, voice: voiceOf(sound.voice, sound.language) })
  }

  /** Counts from the clock, because a plain interval falls behind. Stops when the last browser has gone. */
  private keepTime(): void {
    if (this.timer !== undefined) return
    this.next = performance.now()
    const tick = (): void => {
      const now = performance.now()
      this.next = Math.max(this.next, now - behindMax_ms)
      for (; this.next <= now; this.next += frame_ms) this.beat()
      this.timer = this.peers.size === 0 ? undefined : setTimeout(tick, Math.max(1, this.next - performance.now()))
    }
    this.timer = setTimeout(tick, frame_ms)
  }

  private beat(): void {
    const { frames, played } = this.switchboard.beat()
    for (const { frame, id } of frames) this.peers.get(id)?.send(frame)
    for (const each of played) this.report({ kind: "played", ...each })
    for (const [id, peer] of this.peers) {
      if (peer.silent_ms < silenceMax_ms) continue
      this.remove(id)
      this.report({ kind: "lost", id })
    }
  }
}
