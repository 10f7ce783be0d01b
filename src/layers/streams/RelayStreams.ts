// Relays streams: each connects the application of a customer with the audio of a phone. Runs in a thread of its own,
// so that it has the clock and the timers of that thread.
import { frame_ms } from "../../domain/streams/AudioFormat.ts"
import type { StreamResult } from "../../domain/streams/CallStream.ts"
import { type WorkspaceAllowances, workspaceAllowances } from "../../domain/streams/StreamBudget.ts"
import { type RelayPorts, StreamRelay } from "../../domain/streams/StreamRelay.ts"
import type { MediaSource, RelayedStream, RelayNotice } from "../pbx/MediaRelay.ts"
import { ApplicationSocket, type SocketEnd } from "./ApplicationSocket.ts"
import { connectAsterisk } from "./AsteriskMedia.ts"
import type { PbxMedia } from "./PbxMedia.ts"
import type { RelayCommand, RelayReport, RelayThreadOptions } from "./RelayProtocol.ts"
import type * as CheckActions from "./CheckActions.ts"
import { connectTonePhone } from "./TonePhone.ts"

/** When a broken connection to an application is tried again, once. */
const retry_ms = 500
/** A connection that has lasted so long may break again, and is tried again. */
const stable_ms = 10_000
/** How long the headers of that attempt may take, which are signed by the thread of the actors. */
const headers_timeout_ms = 5_000
/** How long the PBX has to provide the audio. */
const attach_timeout_ms = 10_000
/** From so many workspaces on, those that have used nothing lately are forgotten. */
const rememberedMax = 1_000

export interface RelayStreamsOptions extends RelayThreadOptions {
  readonly report: (report: RelayReport) => void
}

const now = (): number => performance.now()

type FaultOfActions = (typeof CheckActions)["faultOfActions"]

/** Loaded once for each thread, when it is first asked for: most streams send no actions. */
let faultOfActions: FaultOfActions | undefined
let loading: Promise<void> | undefined
const loadCheck = async (): Promise<void> => {
  const loaded = await import("./CheckActions.ts")
  faultOfActions = loaded.faultOfActions
}
const checkOfActions = (): FaultOfActions | undefined => {
  loading ??= loadCheck()
  return faultOfActions
}

class RelayedCall {
  private readonly stream: RelayedStream
  private readonly options: RelayStreamsOptions
  private readonly over: () => void
  private readonly relay: StreamRelay
  private readonly timers: Array<NodeJS.Timeout> = []
  private socket: ApplicationSocket
  private media: PbxMedia | undefined
  private wasConnected: boolean
  private isOpen = false
  private isJoined = false
  private isStarted = false
  private retried = false
  /** Whether the connection broke, and is to be made again. */
  private isBroken = false
  private openedAt = 0
  private ended = false

  constructor(stream: RelayedStream, options: RelayStreamsOptions, shared: WorkspaceAllowances, over: () => void) {
    this.stream = stream
    this.options = options
    this.over = over
    this.wasConnected = stream.resumed
    const ports = {
      now,
      send: (text) => this.socket.send(text),
      unsent: () => this.socket.unsent,
      read: (on) => this.socket.read(on),
      play: (frame) => this.media?.play(frame),
      mark: (id) => this.media?.mark(id),
      flush: () => this.media?.flush(),
      said: (said) => this.tell({ kind: "said", ...said }),
      actionsFault: checkOfActions,
      hangup: () => this.tell({ kind: "hangup" }),
      actions: (document) => this.tell({ kind: "actions", document }),
      end: (result, detail) => this.end(result, detail)
    } satisfies RelayPorts
    this.relay = new StreamRelay(stream, ports, shared)
    this.socket = this.connect(stream.headers)
    this.after(stream.time_limit_seconds * 1_000, () => this.end("time_limit", null))
  }

  attach(source: MediaSource): void {
    if (this.ended || this.media !== undefined) return
    const { format, tracks } = this.stream
    const events = {
      opened: () => {
        this.isOpen = true
        this.started()
      },
      heard: this.relay.heard.bind(this.relay),
      marked: this.relay.marked.bind(this.relay),
      ended: () => this.end("media_failed", "The audio of the call was lost.")
    }
    this.media =
      source.kind === "asterisk"
        ? connectAsterisk(source.sockets, events)
        : connectTonePhone({ format, tracks, now }, events)
  }

  joined(): void {
    this.isJoined = true
    this.started()
  }

  pressed(digit: string): void {
    this.relay.pressed(digit)
  }

  tick(): void {
    this.relay.tick()
  }

  end(result: StreamResult, detail: string | null): void {
    if (this.ended) return
    this.ended = true
    this.relay.stopped()
    for (const timer of this.timers) clearTimeout(timer)
    this.media?.close()
    this.socket.close()
    this.tell({ kind: "ended", result, detail })
    this.over()
  }

  reconnect(headers: RelayedStream["headers"]): void {
    if (this.ended || !this.isBroken) return
    this.isBroken = false
    this.socket = this.connect(headers)
  }

  private connect(headers: RelayedStream["headers"]): ApplicationSocket {
    const { url } = this.stream
    return new ApplicationSocket({
      url,
      headers,
      policy: this.options.policy,
      opened: () => this.opened(),
      received: (text) => this.relay.received(text),
      ended: (end) => this.disconnected(end)
    })
  }

  private opened(): void {
    if (this.ended) return
    this.openedAt = now()
    this.relay.opened(this.wasConnected)
    this.wasConnected = true
    if (this.media !== undefined) return
    this.tell({ kind: "connected" })
    this.after(attach_timeout_ms, () => {
      if (!this.isStarted) this.end("media_failed", "The PBX has not provided the audio in time.")
    })
  }

  private started(): void {
    if (this.ended || this.isStarted || !this.isOpen || !this.isJoined) return
    this.isStarted = true
    this.relay.joined()
    this.tell({ kind: "started" })
  }

  private disconnected(end: SocketEnd): void {
    if (this.ended) return
    this.relay.closed()
    if (end.kind === "closed") return this.relay.whenRead(() => this.end("remote_closed", null))
    if (end.kind === "invalid") return this.end("protocol_error", end.detail)
    if (end.kind === "broken" && now() - this.openedAt > stable_ms) this.retried = false
    if (end.kind === "refused" && !this.retried && !this.isStarted) return this.end("connect_failed", end.detail)
    if (this.retried) return this.lost()
    this.retried = true
    this.isBroken = true
    this.after(retry_ms, () => this.options.report({ stream_id: this.stream.stream_id, notice: { kind: "broken" } }))
    this.after(retry_ms + headers_timeout_ms, () => this.isBroken && this.lost())
  }

  private lost(): void {
    this.end("remote_closed", "The connection to the application was lost.")
  }

  private after(ms: number, then: () => void): void {
    this.timers.push(setTimeout(() => !this.ended && then(), ms))
  }

  private tell(notice: RelayNotice): void {
    this.options.report({ stream_id: this.stream.stream_id, notice })
  }
}

interface OpenCall {
  readonly account_id: string
  readonly call: RelayedCall
}

export class RelayStreams {
  private readonly options: RelayStreamsOptions
  private readonly calls = new Map<string, OpenCall>()
  /** What the streams of each workspace may use together. It outlives them: a new stream does not renew it. */
  private readonly shared = new Map<string, WorkspaceAllowances>()
  private ticking: NodeJS.Timeout | undefined

  constructor(options: RelayStreamsOptions) {
    this.options = options
  }

  carryOut(command: RelayCommand): void {
    if (command.kind === "open") return this.open(command.stream)
    const call = this.calls.get(command.stream_id)?.call
    switch (command.kind) {
      case "reconnect":
        return call?.reconnect(command.headers)
      case "attach":
        return call?.attach(command.source)
      case "joined":
        return call?.joined()
      case "pressed":
        return call?.pressed(command.digit)
      case "stop":
        return call?.end(command.result, command.detail)
    }
  }

  private open(stream: RelayedStream): void {
    const { account_id, stream_id, tenant_streams } = stream
    const shared = this.shared.get(account_id) ?? workspaceAllowances(tenant_streams)
    if (this.shared.size >= rememberedMax) this.forget()
    this.shared.set(account_id, shared)
    const call = new RelayedCall(stream, this.options, shared, () => {
      if (this.calls.get(stream_id)?.call === call) this.calls.delete(stream_id)
      if (this.calls.size > 0) return
      clearInterval(this.ticking)
      this.ticking = undefined
    })
    this.calls.set(stream_id, { account_id, call })
    this.ticking ??= setInterval(() => this.tick(), frame_ms)
  }

  /** Forgets the workspaces without streams that have used nothing lately. */
  private forget(): void {
    const open = new Set([...this.calls.values()].map(({ account_id }) => account_id))
    for (const [account_id, allowances] of this.shared)
      if (!open.has(account_id) && allowances.isFull(now())) this.shared.delete(account_id)
  }

  /** The first stream is the last one next time: of those that wait for their workspace, each has its turn. */
  private tick(): void {
    for (const { call } of this.calls.values()) call.tick()
    const [first] = this.calls
    if (first === undefined) return
    this.calls.delete(first[0])
    this.calls.set(...first)
  }
}
