// What a relay does with the messages of an application and the audio of a phone. It has no sockets and no timers of
// its own: its owner passes on what arrives, calls `tick` every 20 ms, and carries out what it asks for.
import { audioOf, frame_ms } from "./AudioFormat.ts"
import type { StreamResult, StreamTrack } from "./CallStream.ts"
import { StreamBudget, type WorkspaceAllowances } from "./StreamBudget.ts"
import { makeMessagePrinter, parseApplicationMessage, type Said, type StreamIdentity } from "./StreamMessage.ts"

export interface RelayOptions extends StreamIdentity {
  readonly mode: "duplex" | "fork"
}

/** What the relay asks its owner for. */
export interface RelayPorts {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number
  /** Sends a message to the application. */
  readonly send: (text: string) => void
  /** The bytes that the application has not read yet. */
  readonly unsent: () => number
  /** Stops (`false`) or resumes reading messages of the application. */
  readonly read: (on: boolean) => void
  /** Queues a whole frame for the phone. */
  readonly play: (frame: Uint8Array) => void
  /** Asks to be told by `marked` when all that was queued before it has been played. */
  readonly mark: (id: string) => void
  /** Drops all that is queued for the phone. */
  readonly flush: () => void
  readonly said: (said: Required<Said>) => void
  readonly hangup: () => void
  /** Says why a document has no valid actions; undefined if it has. Absent while it cannot be said yet. */
  readonly actionsFault: () => ((document: string) => string | undefined) | undefined
  /** `document`: valid voice actions. */
  readonly actions: (document: string) => void
  /** Ends the stream. Nothing is asked for after it. */
  readonly end: (result: StreamResult, detail: string) => void
}

/** How much audio may wait in each direction. */
const waiting_ms = 30_000
const waitingMax = waiting_ms / frame_ms
/** Reading resumes when this many frames fewer wait. */
const resumeBelow = waitingMax - 250
/** How far ahead of the phone frames are passed to the PBX: it holds a second of them at most. */
const aheadMax = 50
/** Bytes that the socket may hold unsent. The rest waits here, where it can be counted and dropped. */
const unsentMax = 64 << 10
const openMarksMax = 1_000
/** Messages without audio in one second, and all messages. */
const controlsMax = 200
const messagesMax = 5_000
/** Bytes of messages that wait for the budget: what the socket had read already when it was told to read no more. */
const heldMax_bytes = 2 << 20

type Item = { readonly frame: Uint8Array } | { readonly mark_id: string }

export class StreamRelay {
  private readonly options: RelayOptions
  private readonly ports: RelayPorts
  private readonly print: ReturnType<typeof makeMessagePrinter>
  private readonly frame_bytes: number
  private readonly silence: number
  private connected = false
  private ended = false

  /** For the phone. Nothing is passed on before it hears. */
  private hears = false
  private queue: Array<Item> = []
  private queued = 0
  private rest = new Uint8Array(0)
  /** When the frames that were passed to the PBX have been played. */
  private playedAt: number
  /** Whether there is room for more audio. */
  private hasRoom = true
  private reading = true
  /** The names of open marks by their ids. */
  private readonly marks = new Map<string, string>()
  private markCount = 0

  /** For the application. */
  private unread: Array<string> = []
  private readonly chunks: Record<StreamTrack, number> = { inbound: 0, outbound: 0 }
  private turns = 0

  private second = 0
  private messages = 0
  private controls = 0

  private readonly budget: StreamBudget
  /** Messages that wait for the budget. */
  private held: Array<string> = []
  private held_bytes = 0
  /** The first message that waits has actions, which cannot be checked yet. */
  private awaitsCheck = false
  private whenHeldIsRead: (() => void) | undefined

  /** `shared`: what the streams of the workspace may use together. */
  constructor(options: RelayOptions, ports: RelayPorts, shared: WorkspaceAllowances) {
    this.options = options
    this.ports = ports
    this.budget = new StreamBudget(shared)
    this.print = makeMessagePrinter(options)
    const { frame_bytes, silence } = audioOf[options.format]
    this.frame_bytes = frame_bytes
    this.silence = silence
    this.playedAt = ports.now()
  }

  /** The application is connected: for the first time, or again. */
  opened(resumed: boolean): void {
    this.connected = true
    this.ports.send(this.print.connected())
    this.ports.send(this.print.start(resumed))
    this.ports.read(this.reading)
  }

  /** The phone hears the stream from now on. */
  joined(): void {
    this.hears = true
    this.drain()
  }

  /** The connection to the application was lost. What it should hear waits for the next one. */
  closed(): void {
    this.connected = false
  }

  /** Calls `then` when all that the application has sent was passed on. */
  whenRead(then: () => void): void {
    if (this.held.length === 0) return then()
    this.whenHeldIsRead = then
  }

  /** The last message of the stream. */
  stopped(): void {
    if (this.connected && !this.ended) this.ports.send(this.print.stop())
    this.ended = true
  }

  /** A frame of the phone. */
  heard(track: StreamTrack, frame: Uint8Array): void {
    if (this.ended) return
    const chunk = ++this.chunks[track]
    this.tell(this.print.media(track, chunk, (chunk - 1) * frame_ms, frame))
  }

  pressed(digit: string): void {
    if (!this.ended) this.tell(this.print.dtmf(digit))
  }

  /** The PBX has played everything before this mark. */
  marked(id: string): void {
    const name = this.marks.get(id)
    if (name === undefined || this.ended) return
    this.marks.delete(id)
    this.tell(this.print.mark(name))
  }

  /** A text message of the application. It waits if the budget of the stream or of the workspace is used up. */
  received(text: string): void {
    if (this.ended) return
    if (this.held.length === 0 && !this.mustWait()) this.carryOut(text)
    else this.hold(text)
    this.pace()
  }

  /** Passes on what is due, in both directions. */
  tick(): void {
    if (this.ended) return
    this.release()
    this.flow()
    this.drain()
  }

  private hold(text: string): void {
    this.held.push(text)
    this.held_bytes += Buffer.byteLength(text)
    if (this.held_bytes > heldMax_bytes) this.end("protocol_error", "The application sends too much.")
  }

  private mustWait(): boolean {
    const unchecked = this.awaitsCheck && this.ports.actionsFault() === undefined
    return unchecked || this.budget.isSpent(this.ports.now())
  }

  private holdFirst(text: string): void {
    this.held.unshift(text)
    this.held_bytes += Buffer.byteLength(text)
  }

  /** Passes on what has waited for the budget. */
  private release(): void {
    while (this.held.length > 0 && !this.ended && !this.mustWait()) {
      const text = this.held.shift() ?? ""
      this.held_bytes -= Buffer.byteLength(text)
      this.carryOut(text)
    }
    this.pace()
    if (this.held.length > 0 || this.whenHeldIsRead === undefined) return
    this.whenHeldIsRead()
    this.whenHeldIsRead = undefined
  }

  /** Reads while there is room for audio and the budget is not used up. */
  private pace(): void {
    if (this.ended) return
    const reads = this.hasRoom && this.held.length === 0 && !this.budget.isSpent(this.ports.now())
    if (reads === this.reading) return
    this.reading = reads
    this.ports.read(reads)
  }

  private carryOut(text: string): void {
    const message = parseApplicationMessage(text, this.options.stream_id)
    if ("fault" in message)
      return this.end("protocol_error", `A message of the application is not valid: ${message.fault}.`)
    if (!this.count(message.event)) return this.end("protocol_error", "The application sends too many messages.")
    this.awaitsCheck = message.event === "actions" && this.ports.actionsFault() === undefined
    if (this.awaitsCheck) return this.holdFirst(text)
    this.budget.spend(message, Buffer.byteLength(text), this.ports.now())
    switch (message.event) {
      case "media":
        return this.options.mode === "duplex" ? this.speak(message.payload) : undefined
      case "mark":
        return this.addMark(message.name)
      case "clear":
        return this.clear()
      case "transcript": {
        const { event: _, turn = this.turns + 1, ...said } = message
        this.turns = said.final ? Math.max(this.turns, turn) : this.turns
        return this.ports.said({ ...said, turn })
      }
      case "hangup":
        return this.ports.hangup()
      case "actions":
        return this.act(message.document)
      case "unknown":
        return
    }
  }

  private act(document: string): void {
    const fault = this.ports.actionsFault()?.(document)
    if (fault === undefined) this.ports.actions(document)
    else this.end("protocol_error", fault)
  }

  private end(result: StreamResult, detail: string): void {
    if (this.ended) return
    if (this.connected) this.ports.send(this.print.stop())
    this.ended = true
    this.ports.end(result, detail)
  }

  /** False if there are more messages in this second than an application sends. */
  private count(event: string): boolean {
    const second = Math.floor(this.ports.now() / 1_000)
    if (second !== this.second) {
      this.second = second
      this.messages = 0
      this.controls = 0
    }
    this.messages++
    if (event !== "media" && event !== "mark") this.controls++
    return this.messages <= messagesMax && this.controls <= controlsMax
  }

  // ---- to the application

  private tell(text: string): void {
    this.unread.push(text)
    this.flow()
    if (this.unread.length <= waitingMax * this.options.tracks.length) return
    if (this.options.mode === "fork") this.unread.shift()
    else this.end("too_slow", "The application has not read 30 seconds of audio.")
  }

  private flow(): void {
    if (!this.connected || this.unread.length === 0) return
    let sent = 0
    while (sent < this.unread.length && this.ports.unsent() < unsentMax) this.ports.send(this.unread[sent++] ?? "")
    if (sent > 0) this.unread = this.unread.slice(sent)
  }

  // ---- to the phone

  private speak(payload: Uint8Array): void {
    const all = new Uint8Array(this.rest.length + payload.length)
    all.set(this.rest)
    all.set(payload, this.rest.length)
    let at = 0
    for (; at + this.frame_bytes <= all.length; at += this.frame_bytes)
      this.add(all.subarray(at, at + this.frame_bytes))
    this.rest = all.slice(at)
    this.drain()
  }

  private add(frame: Uint8Array): void {
    this.queue.push({ frame })
    this.queued++
    if (this.queued < waitingMax || !this.hasRoom) return
    this.hasRoom = false
    this.pace()
  }

  /** A mark comes after the audio before it, so an unfinished frame is filled up with silence. */
  private addMark(name: string): void {
    if (this.marks.size >= openMarksMax)
      return this.end("protocol_error", `The application has more than ${openMarksMax} open marks.`)
    if (this.rest.length > 0) {
      const frame = new Uint8Array(this.frame_bytes).fill(this.silence)
      frame.set(this.rest)
      this.rest = new Uint8Array(0)
      this.add(frame)
    }
    const mark_id = `m${++this.markCount}`
    this.marks.set(mark_id, name)
    this.queue.push({ mark_id })
    this.drain()
  }

  /** Drops what has not been heard. Its marks come back, as if it had been. */
  private clear(): void {
    this.queue = []
    this.queued = 0
    this.rest = new Uint8Array(0)
    this.playedAt = this.ports.now()
    this.ports.flush()
    const names = [...this.marks.values()]
    this.marks.clear()
    for (const name of names) this.tell(this.print.mark(name))
    this.resume()
  }

  private drain(): void {
    if (!this.hears) return
    const now = this.ports.now()
    this.playedAt = Math.max(this.playedAt, now)
    let taken = 0
    for (const item of this.queue) {
      if ("frame" in item) {
        if (this.playedAt - now >= aheadMax * frame_ms) break
        this.playedAt += frame_ms
        this.queued--
        this.ports.play(item.frame)
      } else this.ports.mark(item.mark_id)
      taken++
    }
    if (taken > 0) this.queue = this.queue.slice(taken)
    this.resume()
  }

  private resume(): void {
    if (this.hasRoom || this.queued > resumeBelow) return
    this.hasRoom = true
    this.pace()
  }
}
