// The engine's end of the feed, without an engine: accepts a gateway's connection, sends commands and records what it
// receives.
import { randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { Result, Schema } from "effect"
import { type WebSocket, WebSocketServer } from "ws"
import { type DownFrame, ReceivedFrame } from "../../domain/pbx/Frame.ts"
import type { PbxAction } from "../../domain/pbx/PbxCommand.ts"
import { PbxEvent } from "../../domain/pbx/PbxEvent.ts"
import type { DownCommand, TenantAction } from "../../domain/pbx/TenantCommand.ts"
import type { SessionId } from "../../domain/BrandedIds.ts"

/** The gateway did not send what the protocol requires, or sent something else. */
export class Unmet extends Error {}

export type Hello = Extract<ReceivedFrame, { readonly type: "hello" }>

/** A message of a media stream. */
export interface StreamMessage {
  readonly event: string
  readonly streamSid?: string
  readonly start?: { readonly callSid: string; readonly customParameters: Readonly<Record<string, string>> }
  readonly media?: { readonly payload: string }
  readonly mark?: { readonly name: string }
}

/** An action that no version of the protocol has yet. */
interface UnknownAction {
  readonly kind: "from_the_future"
}

type FutureCommand = Omit<Extract<DownCommand, { readonly seq: number }>, "action"> & {
  readonly action: PbxAction | UnknownAction
}

export interface EndOptions {
  readonly host: string
  readonly port: number
  /** The secret that the gateway must send. */
  readonly secret: string
  readonly tenant_pbx_id: string
}

/** A quarter of a second of 440 Hz: WAV, 8 kHz, 16 bit, one channel. */
const tone = (() => {
  const samples = 2_000
  const wav = Buffer.alloc(44 + samples * 2)
  wav.write("RIFF")
  wav.writeUInt32LE(wav.length - 8, 4)
  wav.write("WAVEfmt ", 8)
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(8_000, 24)
  wav.writeUInt32LE(16_000, 28)
  wav.writeUInt16LE(2, 32)
  wav.writeUInt16LE(16, 34)
  wav.write("data", 36)
  wav.writeUInt32LE(samples * 2, 40)
  for (let n = 0; n < samples; n++)
    wav.writeInt16LE(Math.round(8_000 * Math.sin((2 * Math.PI * 440 * n) / 8_000)), 44 + n * 2)
  return wav
})()

const decodeFrame = Schema.decodeUnknownResult(ReceivedFrame)
const decodeEvent = Schema.decodeUnknownResult(PbxEvent)

export class EngineEnd {
  /** One per connection, in order. */
  readonly hellos: Array<Hello> = []
  /** As received, including repetitions. */
  readonly events: Array<PbxEvent> = []
  readonly acknowledged: Array<string> = []
  readonly refused: Array<{ readonly command_id: string; readonly reason: string }> = []
  readonly pongs: Array<number> = []
  /** Violations of the protocol that concern no single check. */
  readonly faults: Array<string> = []
  /** Sessions whose events are not acknowledged. */
  readonly unanswered = new Set<string>()
  /** If false, connections are refused. */
  open = true
  attempts = 0
  /** How many of them had another secret, or none. */
  strangers = 0
  private readonly options: EndOptions
  private readonly server: Server
  /** URL of a sound file, at the address that the gateway connected to. */
  sound_url = ""
  /** URL of an application for media streams, there too. */
  stream_url = ""
  /** What the applications of media streams were sent, and the sockets to answer by. */
  readonly streamed: Array<{ readonly socket: WebSocket; readonly message: StreamMessage }> = []
  private socket: WebSocket | undefined
  private watchers = new Set<() => void>()

  private constructor(options: EndOptions, server: Server) {
    this.options = options
    this.server = server
    const verifyClient = ({ req }: { readonly req: IncomingMessage }) => this.admits(req.headers.authorization)
    const sockets = new WebSocketServer({ noServer: true, maxPayload: 1 << 20, verifyClient })
    sockets.on("connection", (socket, request) => {
      this.sound_url = `http://${request.headers.host}/tone.wav`
      this.stream_url = `ws://${request.headers.host}/stream`
      this.take(socket)
    })
    const streams = new WebSocketServer({ noServer: true })
    streams.on("connection", (socket) => this.takeStream(socket))
    server.on("upgrade", (request, socket, head) => {
      const paths = new Map([
        ["/v1/pbx/feed", sockets],
        ["/stream", streams]
      ])
      const found = paths.get(request.url ?? "")
      if (found === undefined) return socket.destroy()
      found.handleUpgrade(request, socket, head, (opened) => found.emit("connection", opened, request))
    })
  }

  static listen(options: EndOptions): Promise<EngineEnd> {
    const server = createServer((request, response) =>
      request.url === "/tone.wav"
        ? response.writeHead(200, { "content-type": "audio/wav" }).end(tone)
        : response.writeHead(404).end()
    )
    const end = new EngineEnd(options, server)
    return new Promise((resolve, reject) => {
      server.on("error", reject)
      server.listen(options.port, options.host, () => resolve(end))
    })
  }

  get url(): string {
    return `ws://${this.options.host}:${(this.server.address() as AddressInfo).port}/v1/pbx/feed`
  }

  close(): void {
    this.socket?.terminate()
    this.server.close()
    this.server.closeAllConnections()
  }

  /** Closes the present connection. */
  hangUp(code: number): void {
    this.socket?.close(code)
    this.socket = undefined
  }

  send(frame: DownFrame | object): void {
    this.socket?.send(JSON.stringify(frame))
  }

  /** Sends a command as the engine does, with an additional unknown member. Returns its id. */
  command(session_id: SessionId, seq: number, action: PbxAction | UnknownAction, id: string = randomUUID()): string {
    this.sendCommand({ id, session_id, tenant_pbx_id: this.options.tenant_pbx_id, seq, action })
    return id
  }

  sendCommand(command: DownCommand | FutureCommand): void {
    this.send({ type: "commands", commands: [{ ...command, from_the_future: true }] })
  }

  /** Sends a command about a tenant. Returns its id. */
  tenantCommand(about: string, action: TenantAction): string {
    const id = randomUUID()
    this.sendCommand({ id, tenant_pbx_id: this.options.tenant_pbx_id, about, action })
    return id
  }

  /** Events of a session without repetitions, ordered by `seq`. */
  of(session_id: SessionId): ReadonlyArray<PbxEvent> {
    const known = new Map(
      this.events.filter((event) => event.session_id === session_id).map((event) => [event.event_id, event])
    )
    return [...known.values()].sort((a, b) => a.seq - b.seq)
  }

  /** Waits until `find` finds something. Rejects with `what` after the timeout. */
  until<A>(what: string, find: () => A | undefined | false, actionTimeout_ms = 10_000): Promise<A> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = find()
        if (found === undefined || found === false) return
        clearTimeout(timer)
        this.watchers.delete(look)
        resolve(found)
      }
      const timer = setTimeout(() => {
        this.watchers.delete(look)
        reject(new Unmet(`${what}: not within ${actionTimeout_ms / 1000} s`))
      }, actionTimeout_ms)
      this.watchers.add(look)
      look()
    })
  }

  private admits(authorization: string | undefined): boolean {
    this.attempts++
    this.changed()
    if (!this.open) return false
    const borne = authorization === `Bearer ${this.options.secret}`
    if (!borne) {
      this.strangers++
      this.faults.push("the request does not carry the secret: Authorization: Bearer <secret>")
    }
    return borne
  }

  private takeStream(socket: WebSocket): void {
    socket.on("error", () => {})
    socket.on("message", (data) => {
      try {
        this.streamed.push({ socket, message: JSON.parse(String(data)) as StreamMessage })
      } catch {
        this.faults.push("a message of a media stream is not JSON")
      }
      this.changed()
    })
  }

  private take(socket: WebSocket): void {
    let greeted = false
    socket.on("error", () => {})
    socket.on("message", (data) => {
      const decoded = parsed(String(data))
      if (typeof decoded === "string") this.faults.push(decoded)
      else if (!greeted && decoded.type !== "hello")
        this.faults.push(`the first frame is not hello but ${decoded.type}`)
      else {
        greeted = true
        this.read(socket, decoded)
      }
      this.changed()
    })
  }

  private read(socket: WebSocket, frame: ReceivedFrame): void {
    switch (frame.type) {
      case "hello":
        this.socket = socket
        this.hellos.push(frame)
        return this.send({ type: "welcome", protocol: 1, from_the_future: true })
      case "events":
        return this.readEvents(frame.events)
      case "ack":
        return void this.acknowledged.push(...frame.command_ids)
      case "refuse":
        return void this.refused.push(frame)
      case "pong":
        return void this.pongs.push(frame.n)
    }
  }

  private readEvents(values: ReadonlyArray<unknown>): void {
    const taken: Array<string> = []
    for (const value of values) {
      const event = decodeEvent(value)
      if (Result.isFailure(event)) {
        this.faults.push(`an event is not as the protocol says: ${event.failure.message.replaceAll(/\s+/g, " ")}`)
        continue
      }
      this.events.push(event.success)
      if (!this.unanswered.has(event.success.session_id ?? "")) taken.push(event.success.event_id)
    }
    if (taken.length > 0) this.send({ type: "ack", event_ids: taken })
  }

  private changed(): void {
    for (const look of this.watchers) look()
  }
}

/** The decoded frame, or a message that says what is wrong with it. */
const parsed = (text: string): ReceivedFrame | string => {
  try {
    const decoded = decodeFrame(JSON.parse(text))
    return Result.isSuccess(decoded)
      ? decoded.success
      : `a frame is not as the protocol says: ${decoded.failure.message.replaceAll(/\s+/g, " ")}`
  } catch {
    return "a frame is not JSON"
  }
}
