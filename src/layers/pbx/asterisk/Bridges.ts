import { Effect } from "effect"
import type { Ari, AriAway } from "./Ari.ts"
import type { Leg, Legs } from "./Legs.ts"
import type { SessionId } from "../../../domain/BrandedIds.ts"

/**
 * Connects the audio of two legs. A leg that is in a bridge already brings the other into it, so that several legs hear
 * each other. Reports `leg.bridged` for both, or `leg.unbridged` with `peer_absent`.
 */
export const connect = (
  { ari, legs }: { readonly ari: Ari; readonly legs: Legs },
  leg: Leg,
  peer_session_id: SessionId
): Effect.Effect<void, AriAway> => {
  const peer = legs.live.get(peer_session_id)
  const reportFailure = Effect.sync(() =>
    legs.report(leg, "leg.unbridged", { peer_leg_id: peer_session_id, error: "peer_absent" })
  )
  if (peer === undefined || peer === leg || peer.answered_at === undefined || leg.answered_at === undefined)
    return reportFailure
  const bridge_id = leg.bridge ?? peer.bridge ?? `bridge-${leg.id}`
  return Effect.gen(function* () {
    if (leg.bridge === undefined && peer.bridge === undefined) {
      yield* ari.request("POST", `/bridges/${bridge_id}`, { type: "mixing,dtmf_events" })
    }
    const channel = [leg, peer].filter(({ bridge }) => bridge === undefined).map(({ channel }) => channel)
    const added =
      channel.length === 0
        ? { status: 204 }
        : yield* ari.request("POST", `/bridges/${bridge_id}/addChannel`, {}, { channel })
    if (added.status >= 300) return yield* reportFailure
    for (const [one, other] of [
      [leg, peer],
      [peer, leg]
    ] as const) {
      one.bridge = bridge_id
      one.peers.add(other)
      legs.report(one, "leg.bridged", { peer_leg_id: other.id })
    }
  })
}
