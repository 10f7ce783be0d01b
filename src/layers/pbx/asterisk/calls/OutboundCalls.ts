// Carries out `originate`: one channel for a number, or one for each registered device of a user.
import { Array as Arr, Effect } from "effect"
import type { ActionOf, PbxCommand } from "../../../../domain/pbx/PbxCommand.ts"
import type { AriAway } from "../ari/Ari.ts"
import { type Branch, channelNames, type ChannelEnd, newBranch, unavailable } from "../legs/Branches.ts"
import { dialString } from "../registry/Contacts.ts"
import type { LegEvents } from "./LegEvents.ts"
import type { LegServices } from "./LegServices.ts"
import type { Leg } from "../legs/Legs.ts"
import { channelRequest, endpointOf, type OutboundEndpoints } from "../legs/Originate.ts"
import type { Registry } from "../registry/Registry.ts"

export interface OutboundCallsOptions extends LegServices {
  readonly endpoints: OutboundEndpoints
  readonly registry: Registry
  readonly events: LegEvents
}

/** No device of the user is registered. */
const unregistered: ChannelEnd = { cause: 20, tech_cause: 480 }

export class OutboundCalls {
  private readonly options: OutboundCallsOptions

  constructor(options: OutboundCallsOptions) {
    this.options = options
  }

  /**
   * Creates the channels. Each is dialled when it enters the application. Failures are reported as the end of the leg.
   */
  originate(command: PbxCommand, action: ActionOf<"originate">): Effect.Effect<void, AriAway> {
    const { events, legs } = this.options
    const { id, session_id, tenant_pbx_id } = command
    const { caller_id, send_digits, to } = action
    return Effect.gen({ self: this }, function* () {
      const leg = legs.open(session_id, tenant_pbx_id, "outbound")
      leg.carried_out.add(id)
      leg.calls_devices = action.endpoint !== undefined
      if (send_digits !== undefined) leg.answer_digits = { command_id: `digits:${send_digits}`, digits: send_digits }
      this.prepare(leg, action)
      legs.report(leg, "session.created", {}, undefined, { direction: "outbound", from: caller_id, to })
      const endpoints = yield* Effect.catch(this.endpointsOf(action), (error) =>
        Effect.as(Effect.logWarning("The call failed: Asterisk did not list the user's devices", error.cause), [])
      )
      if (endpoints.length === 0) {
        const end = action.endpoint === undefined ? unavailable : unregistered
        for (const branch of leg.branches.values()) events.channelEnded(leg, branch, end)
        return
      }
      leg.branches.clear()
      const branches = channelNames(session_id, endpoints.length).map(newBranch)
      leg.channel = branches[0]?.channel ?? leg.channel
      for (const branch of branches) leg.branches.set(branch.channel, branch)
      yield* Effect.forEach(
        Arr.zip(branches, endpoints),
        ([branch, endpoint]) => this.call(leg, branch, endpoint, action),
        {
          concurrency: "unbounded",
          discard: true
        }
      )
    })
  }

  private endpointsOf(action: ActionOf<"originate">): Effect.Effect<ReadonlyArray<string>, AriAway> {
    const { endpoints, registry } = this.options
    if (action.endpoint !== undefined)
      return Effect.map(registry.users.contacts(action.endpoint), (contacts) => contacts.map(dialString))
    const endpoint = endpointOf(action, endpoints)
    return Effect.succeed(endpoint === undefined ? [] : [endpoint])
  }

  private call(leg: Leg, branch: Branch, endpoint: string, action: ActionOf<"originate">): Effect.Effect<void> {
    const { app, ari, events, legs, registry } = this.options
    const { channel } = branch
    const format = action.trunk_id === undefined ? undefined : registry.trunks.formatOf(action.trunk_id)
    const isUnwanted = () => leg.hung_up || !legs.isLive(leg) || leg.branches.get(channel) !== branch
    if (isUnwanted()) return Effect.sync(() => events.channelEnded(leg, branch, { cause: 16 }))
    branch.creating = true
    branch.ring_seconds = action.timeout_seconds
    const body = channelRequest({ app, channel, endpoint, format, tenant_pbx_id: leg.tenant_pbx_id }, action)
    const request = Effect.ensuring(
      ari.request("POST", "/channels/create", {}, body),
      Effect.sync(() => (branch.creating = false))
    )
    return Effect.matchEffect(request, {
      onFailure: (error) =>
        Effect.suspend(() => {
          events.channelEnded(leg, branch, unavailable)
          return Effect.logWarning("The call failed: Asterisk did not create its channel", error.cause)
        }),
      onSuccess: ({ status }) =>
        Effect.suspend(() => {
          // 409: the channel exists, from an earlier attempt. Otherwise nobody is registered, or the carrier is down.
          const refused = action.endpoint === undefined ? unavailable : unregistered
          if (status >= 300 && status !== 409) return Effect.sync(() => events.channelEnded(leg, branch, refused))
          return isUnwanted() ? Effect.ignore(events.hangUp([branch], "normal")) : Effect.void
        })
    })
  }

  /** Registers what happens when the leg rings and when it is answered. */
  private prepare(
    leg: Leg,
    { machine_detection, parent_session_id, ringback_url, talk_limit_seconds }: ActionOf<"originate">
  ): void {
    const { limits, machines, ringback } = this.options
    limits.request(leg, talk_limit_seconds)
    if (machine_detection !== undefined) machines.request(leg, machine_detection)
    if (parent_session_id !== undefined) ringback.request(leg, { parent_session_id, url: ringback_url })
  }
}
