// The connection to the engine: frames, acknowledgements and repetition (docs/pbx-protocol.md, "The feed").
import type { PbxCommand, PbxEvent } from "trunkline"
import { WebSocket } from "ws"

type EngineFrame =
  | { readonly type: "welcome" }
  | { readonly type: "commands"; readonly commands: ReadonlyArray<PbxCommand> }
  | { readonly type: "ack"; readonly event_ids: ReadonlyArray<string> }
  | { readonly type: "refused"; readonly event_id: string; readonly code: string; readonly message: string }
  | { readonly type: "ping"; readonly n: number }

export interface FeedOptions {
  readonly url: string
  readonly secret: string
  readonly gateway_id: string
  /** Every session that the gateway has at the moment. */
  readonly liveSessions: () => ReadonlyArray<string>
  /** Is called once for each command id, however often the engine sends the command. */
  readonly onCommand: (command: PbxCommand) => void
}

const resend_ms = 2_000
const eventsMax = 100
/** Close codes after which connecting again is useless: another gateway's secret, another process with our id. */
const finalCodes = [4403, 4409]

export class Feed {
  private readonly options: FeedOptions
  private socket: WebSocket | undefined
  private welcomed = false
  private pause_ms = 0
  /** Reported and not yet acknowledged, in order. */
  private readonly unacknowledged = new Map<string, PbxEvent>()
  /** Commands that were carried out. A real gateway forgets them a minute after the end of their session. */
  private readonly done = new Set<string>()

  constructor(options: FeedOptions) {
    this.options = options
    setInterval(() => this.send([...this.unacknowledged.values()]), resend_ms)
  }

  connect(): void {
    const { gateway_id, liveSessions, secret, url } = this.options
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${secret}` } })
    this.socket = socket
    socket.on("open", () =>
      socket.send(JSON.stringify({ type: "hello", protocol: 1, gateway_id, live_sessions: liveSessions() }))
    )
    socket.on("message", (data) => this.take(JSON.parse(String(data)) as EngineFrame))
    socket.on("error", ({ message }) => console.error(`The connection failed: ${message}`))
    socket.on("close", (code) => {
      this.welcomed = false
      if (finalCodes.includes(code)) throw new Error(`The engine closed the connection for good, with ${code}.`)
      setTimeout(() => this.connect(), this.pause_ms)
      this.pause_ms = Math.min(10_000, this.pause_ms * 2 + 250)
    })
  }

  /** Reports an event until the engine acknowledges it. */
  report(event: PbxEvent): void {
    this.unacknowledged.set(event.event_id, event)
    this.send([event])
  }

  /** Whether the `leg.hangup` of a session still waits for its acknowledgement. */
  owesHangup(session_id: PbxCommand["session_id"]): boolean {
    return [...this.unacknowledged.values()].some(
      (event) => event.session_id === session_id && event.type === "leg.hangup"
    )
  }

  private send(events: ReadonlyArray<PbxEvent>): void {
    if (!this.welcomed) return
    for (let start = 0; start < events.length; start += eventsMax) {
      this.socket?.send(JSON.stringify({ type: "events", events: events.slice(start, start + eventsMax) }))
    }
  }

  private take(frame: EngineFrame): void {
    switch (frame.type) {
      case "welcome":
        this.welcomed = true
        this.pause_ms = 0
        return this.send([...this.unacknowledged.values()])
      case "commands":
        return this.carryOut(frame.commands)
      case "ack":
        return frame.event_ids.forEach((id) => this.unacknowledged.delete(id))
      case "refused":
        console.error(`The engine refused an event: ${frame.code}, ${frame.message}`)
        return void this.unacknowledged.delete(frame.event_id)
      case "ping":
        return this.socket?.send(JSON.stringify({ type: "pong", n: frame.n }))
    }
  }

  private carryOut(commands: ReadonlyArray<PbxCommand>): void {
    this.socket?.send(JSON.stringify({ type: "ack", command_ids: commands.map(({ id }) => id) }))
    for (const command of commands) {
      if (this.done.has(command.id)) continue
      this.done.add(command.id)
      this.options.onCommand(command)
    }
  }
}
