// The audio of media streams: channels of chan_websocket, to which the relay connects. A duplex stream has one, in a
// bridge with the leg. A fork has one for each track, in a bridge with a snoop channel, so that the leg is not touched.
import { Effect, Schedule, Schema } from "effect"
import type { AudioFormat } from "../../../../domain/streams/AudioFormat.ts"
import type { StreamTrack } from "../../../../domain/streams/CallStream.ts"
import type { Capability } from "../../../../domain/pbx/Capabilities.ts"
import type { MediaRelay } from "../../MediaRelay.ts"
import { SessionStreams, type StartStream } from "../../SessionStreams.ts"
import { type Ari, AriAway } from "../ari/Ari.ts"
import { type Bridges, streamPrefix } from "../legs/Bridges.ts"
import type { LegContext } from "../legs/LegContext.ts"
import type { Leg } from "../legs/Legs.ts"

export interface StreamSources extends LegContext {
  readonly relay: MediaRelay
  /** Where Asterisk's media sockets are: `ws://127.0.0.1:8088/media`. */
  readonly media_url: string
}

export interface StreamsOptions extends StreamSources {
  readonly bridges: Bridges
}

/** What Asterisk has for a stream. */
interface Resources {
  readonly channels: Array<string>
  readonly bridges: Array<string>
}

const formats: Readonly<Record<AudioFormat, string>> = { "mulaw-8000": "ulaw", "l16-16000": "slin16" }
const module = "chan_websocket.so"

/** A channel enters the application a few milliseconds after the relay has connected to its socket. */
const entry = { schedule: Schedule.spaced("10 millis"), times: 200 }
const cleanup = { schedule: Schedule.spaced("2 seconds"), times: 10 }
const notFound = 404

const isMediaChannel = Schema.is(
  Schema.Struct({ channelvars: Schema.Struct({ MEDIA_WEBSOCKET_CONNECTION_ID: Schema.String }) })
)
/** What this Asterisk can do: it has media WebSockets, or is too old or not configured for them. */
export const capabilitiesOf = (ari: Ari): Effect.Effect<ReadonlyArray<Capability>, AriAway> =>
  Effect.map(ari.request("GET", `/asterisk/modules/${module}`), ({ status }) => (status === 200 ? ["stream.v1"] : []))

/** The address of the media sockets, from that of ARI. */
export const mediaUrlOf = (ari_url: string): string =>
  ari_url
    .replace(/^http/, "ws")
    .replace(/\/+$/, "")
    .replace(/\/ari$/, "/media")

export class Streams {
  private readonly options: StreamsOptions
  private readonly sessions: SessionStreams<Leg>
  private readonly resources = new Map<string, Resources>()

  constructor(options: StreamsOptions) {
    this.options = options
    const { legs, relay } = options
    this.sessions = new SessionStreams<Leg>({
      relay,
      report: (leg, type, data) => legs.report(leg, type, data),
      connect: (leg, action) => this.connect(leg, action),
      release: (_leg, stream_id) => this.release(stream_id)
    })
  }

  start(leg: Leg, command_id: string, action: StartStream): void {
    this.sessions.start(leg, command_id, action)
  }

  stop(stream_id: string): void {
    this.sessions.stop(stream_id)
  }

  pressed(leg: Leg, digit: string): void {
    this.sessions.pressed(leg, digit)
  }

  end(leg: Leg): void {
    this.sessions.end(leg)
  }

  private connect(leg: Leg, action: StartStream): void {
    const { relay, run } = this.options
    const { mode, stream_id } = action
    const taken: Resources = { channels: [], bridges: [] }
    this.resources.set(stream_id, taken)
    const made = mode === "duplex" ? this.duplex(leg, action, taken) : this.fork(leg, action, taken)
    // The stream may end while its audio is being connected: then what was made since must go too.
    const removeIfOver = Effect.sync(() => this.resources.get(stream_id) === taken || this.remove(taken))
    run(
      Effect.matchEffect(Effect.ensuring(made, removeIfOver), {
        onFailure: ({ cause }) =>
          Effect.andThen(
            Effect.logWarning(`The audio of stream ${stream_id} could not be connected`, cause),
            Effect.sync(() => relay.stop(stream_id, "media_failed", "Asterisk has not provided the audio."))
          ),
        onSuccess: () => Effect.sync(() => relay.joined(stream_id))
      })
    )
  }

  private duplex(leg: Leg, { format, stream_id }: StartStream, taken: Resources): Effect.Effect<void, AriAway> {
    return Effect.gen({ self: this }, function* () {
      const { channel, url } = yield* this.mediaChannel(format, "", taken)
      this.options.relay.attach(stream_id, { kind: "asterisk", sockets: [{ track: "inbound", url }] })
      yield* this.join([leg.channel, channel], taken, leg.bridge)
    })
  }

  private fork(leg: Leg, { format, stream_id, tracks }: StartStream, taken: Resources): Effect.Effect<void, AriAway> {
    return Effect.gen({ self: this }, function* () {
      const pairs = yield* Effect.forEach(tracks, (track) => this.listen(leg, track, format, taken))
      this.options.relay.attach(stream_id, {
        kind: "asterisk",
        sockets: pairs.map(({ track, url }) => ({ track, url }))
      })
      yield* Effect.forEach(pairs, ({ channel, snoop }) => this.join([snoop, channel], taken), { discard: true })
    })
  }

  private listen(leg: Leg, track: StreamTrack, format: AudioFormat, taken: Resources) {
    return Effect.gen({ self: this }, function* () {
      const { app, ari, uuid } = this.options
      const snoop = `snoop-${uuid()}`
      const spy = track === "inbound" ? "in" : "out"
      yield* this.requested(ari.request("POST", `/channels/${leg.channel}/snoop/${snoop}`, { spy, app }))
      taken.channels.push(snoop)
      return { track, snoop, ...(yield* this.mediaChannel(format, "d(in)", taken)) }
    })
  }

  /** A channel that waits for the relay at `url`. `direction`: `d(in)` if it only sends. */
  private mediaChannel(format: AudioFormat, direction: string, taken: Resources) {
    const { app, ari, media_url, uuid } = this.options
    const channel = `${streamPrefix}${uuid()}`
    return Effect.gen({ self: this }, function* () {
      const body = yield* this.requested(
        ari.request("POST", "/channels/externalMedia", {
          app,
          channelId: channel,
          transport: "websocket",
          encapsulation: "none",
          connection_type: "server",
          format: formats[format],
          transport_data: `f(json)${direction}`
        })
      )
      taken.channels.push(channel)
      if (!isMediaChannel(body)) return yield* new AriAway({ cause: "The channel has no media socket." })
      return { channel, url: `${media_url}/${body.channelvars.MEDIA_WEBSOCKET_CONNECTION_ID}` }
    })
  }

  /** Puts the channels into a bridge: a new one, or that in which the leg is already. */
  private join(channels: ReadonlyArray<string>, taken: Resources, present?: string) {
    const { ari, bridges, uuid } = this.options
    const bridge = present ?? `${streamPrefix}${uuid()}`
    return Effect.gen({ self: this }, function* () {
      if (present === undefined) {
        taken.bridges.push(bridge)
        bridges.ofStreams.add(bridge)
        yield* bridges.create(bridge, "mixing,dtmf_events")
      }
      const channel = present === undefined ? channels : channels.slice(1)
      yield* Effect.retry(this.requested(ari.request("POST", `/bridges/${bridge}/addChannel`, {}, { channel })), entry)
    })
  }

  /** The body of a successful response. */
  private requested(request: ReturnType<Ari["request"]>): Effect.Effect<unknown, AriAway> {
    return Effect.flatMap(request, ({ body, status }) =>
      status < 300 ? Effect.succeed(body) : Effect.fail(new AriAway({ cause: `Asterisk responded with ${status}.` }))
    )
  }

  private release(stream_id: string): void {
    const taken = this.resources.get(stream_id)
    this.resources.delete(stream_id)
    if (taken !== undefined) this.remove(taken)
  }

  /** Nothing of this ends by itself, also not with the leg. */
  private remove(taken: Resources): void {
    const { ari, bridges, run } = this.options
    for (const id of taken.channels) {
      const deleted = Effect.flatMap(ari.request("DELETE", `/channels/${id}`), ({ status }) =>
        status < 300 || status === notFound ? Effect.void : Effect.fail(new AriAway({ cause: status }))
      )
      run(Effect.ignore(Effect.retry(deleted, cleanup)))
    }
    for (const id of taken.bridges) {
      bridges.ofStreams.delete(id)
      run(bridges.delete(id))
    }
  }
}
