// Channels that enter the engine's Stasis application without a live leg: inbound calls, and late answers.
import { Effect } from "effect"
import { type AriChannelEvent, instantOf } from "../ari/AriEvent.ts"
import { newBranch } from "../legs/Branches.ts"
import type { CalledNumbers } from "./CalledNumbers.ts"
import { identifyCaller, type Incoming } from "./Incoming.ts"
import type { LegEvents } from "./LegEvents.ts"
import type { LegContext } from "../legs/LegContext.ts"
import { sessionOf } from "../legs/Legs.ts"
import { type OutboundEndpoints, storedVariables } from "../legs/Originate.ts"
import type { ReattachChannels } from "./ReattachChannels.ts"
import type { Registry } from "../registry/Registry.ts"

export interface IncomingChannelsOptions extends LegContext {
  readonly endpoints: OutboundEndpoints
  readonly events: LegEvents
  readonly reattach: ReattachChannels
  readonly registry: Registry
  readonly numbers: CalledNumbers
  /** Handles an event of a live leg. */
  readonly handle: (event: AriChannelEvent) => Effect.Effect<void>
}

type StasisStart = Extract<AriChannelEvent, { type: "StasisStart" }>

export class IncomingChannels {
  private readonly options: IncomingChannelsOptions
  /** Events of channels whose tenant is being looked up. Other channels are unaffected. */
  private readonly buffers = new Map<string, Array<AriChannelEvent>>()

  constructor(options: IncomingChannelsOptions) {
    this.options = options
  }

  /** The buffer for events of this channel; undefined unless its tenant is being looked up. */
  bufferOf(channel_id: string): Array<AriChannelEvent> | undefined {
    return this.buffers.get(channel_id)
  }

  handle(event: StasisStart): Effect.Effect<void> {
    return event.args[0] === "inbound" ? Effect.sync(() => this.accept(event)) : this.answeredLate(event)
  }

  private accept(event: StasisStart): void {
    const { handle, legs, run } = this.options
    const { id } = event.channel
    const buffer: Array<AriChannelEvent> = []
    this.buffers.set(id, buffer)
    run(
      Effect.ensuring(
        this.open(event),
        Effect.suspend(() => {
          this.buffers.delete(id)
          return legs.live.has(sessionOf(id)) ? Effect.forEach(buffer, handle, { discard: true }) : Effect.void
        })
      )
    )
  }

  /** A device has answered a call that is over or that another device answered, or a call of the previous engine. */
  private answeredLate(event: StasisStart): Effect.Effect<void> {
    const { events, legs, reattach } = this.options
    const { args, channel } = event
    const session = sessionOf(channel.id)
    if (args[0] !== "out") return Effect.void
    if (!legs.live.has(session) && !legs.hasEnded(session)) return Effect.sync(() => reattach.handle(channel, event))
    return Effect.ignore(events.hangUp([newBranch(channel.id)], "answered_elsewhere"))
  }

  /** Rings until the engine answers or rejects the call. A call to an unknown number is rejected at once. */
  private open(event: StasisStart): Effect.Effect<void> {
    const { ari, endpoints, numbers, registry } = this.options
    const reject = (reason: string) => Effect.ignore(ari.request("DELETE", `/channels/${event.channel.id}`, { reason }))
    return Effect.matchEffect(
      identifyCaller(
        { ari, carrier: endpoints.carrier, numbers, trunks: registry.trunks, chat_apps: registry.chat_apps },
        event
      ),
      {
        onFailure: () => reject("congestion"),
        onSuccess: (incoming) =>
          incoming === undefined ? reject("unallocated") : Effect.sync(() => this.ring(event, incoming))
      }
    )
  }

  private ring(
    { channel, timestamp }: StasisStart,
    { attestation, chat_app, tenant_pbx_id, transport, ...parties }: Incoming
  ): void {
    const { ari, legs, run } = this.options
    const path = `/channels/${channel.id}`
    const leg = legs.open(channel.id, tenant_pbx_id, "inbound")
    const data = {
      ...(transport !== undefined && { transport }),
      ...(attestation !== undefined && { attestation }),
      ...(chat_app !== undefined && { network: "chatapp" as const, trunk_id: chat_app })
    }
    legs.report(leg, "session.created", data, instantOf(timestamp), parties)
    const store = Effect.forEach(
      Object.entries(storedVariables(tenant_pbx_id)),
      ([variable, value]) => ari.request("POST", `${path}/variable`, { variable, value }),
      { discard: true }
    )
    run(Effect.ignore(Effect.andThen(ari.request("POST", `${path}/ring`), store)))
  }
}
