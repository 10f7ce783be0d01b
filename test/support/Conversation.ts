// A gateway to Asterisk that runs the steps of a case, with calls that only record their events.
import { Effect, Layer, Redacted } from "effect"
import { GatewayCommands } from "../../src/domain/pbx/GatewayCommand.ts"
import { PlatformHosts } from "../../src/actors/pbx/PlatformHosts.ts"
import { ActorSystem } from "../../src/actors/runtime/ActorSystem.ts"
import type { PbxCommand } from "../../src/domain/pbx/PbxCommand.ts"
import { StreamHeaders } from "../../src/domain/ports/calls/StreamHeaders.ts"
import { RecordingSpool } from "../../src/domain/ports/calls/RecordingSpool.ts"
import { MemoryJournal } from "../../src/layers/journal/MemoryJournal.ts"
import * as MemoryDirectory from "../../src/layers/memory/MemoryDirectory.ts"
import * as LibPhoneNumber from "../../src/layers/numberplan/LibPhoneNumber.ts"
import * as AsteriskGateway from "../../src/layers/pbx/asterisk/AsteriskGateway.ts"
import { type AriCase, nameOf, own_number } from "./AriCases.ts"
import { actors, workspace } from "./PbxWorld.ts"
import { RecordingIngest } from "./RecordingIngest.ts"
import { gatewayId, numberId, workspaceId } from "./Ids.ts"
import { toSessionId } from "../../src/domain/BrandedIds.ts"
import { until, untilHolds } from "./Until.ts"
import { makeRelayPool } from "../../src/layers/streams/RelayPool.ts"

const policy = { allow_insecure: true, allow_private: true }

const number = {
  id: numberId("0199b000-0000-7000-8000-000000000001"),
  number: own_number,
  country: "KE",
  status: "active" as const,
  outbound_per_min_minor: null
}
const directory = MemoryDirectory.layer({
  workspaces: [{ ...workspace(workspaceId("w1"), "t1", gatewayId("g1")), numbers: [number] }],
  rates: []
})

/** The URL of Asterisk. */
export interface Whereabouts {
  readonly url: string
  readonly username: string
  readonly password: string
  readonly app: string
  readonly sounds: string
}

/** Runs a step when its turn comes; `before` runs immediately before it. */
const patience = "100 millis"

/**
 * `with_patience`: gives the gateway a moment to have it carried out; what Asterisk is asked for may be answered later.
 */
type Does = (step: number, before?: Effect.Effect<void>, with_patience?: boolean) => Effect.Effect<void>

/** `talk` gets a function that runs a step, and the reported events. */
export const conversation = <A, E, R>(
  { steps }: AriCase,
  { password, ...where }: Whereabouts,
  talk: (does: Does, heard: RecordingIngest) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const heard = new RecordingIngest()
    const engine = actors(yield* MemoryJournal.make)
    const gateway = AsteriskGateway.layer({
      ...where,
      gateway_id: gatewayId("g1"),
      password: Redacted.make(password),
      carrier_country: undefined,
      endpoints: { carrier: "carrier", sip_uris: undefined },
      policy,
      relay: makeRelayPool(policy),
      sound_limits: { total_bytes: 1e8, workspace_bytes: 1e8 },
      media_timeout: false,
      refuse_unsafe: true
    })
    const wasTold = (what: string | undefined) =>
      heard.events.some(({ session_id, type }) => session_id !== undefined && `${nameOf(session_id)} ${type}` === what)
    const does = (index: number, before: Effect.Effect<void> = Effect.void, with_patience = false) =>
      Effect.gen(function* () {
        const { action, after, session } = steps[index]!
        if (after !== undefined) {
          yield* untilHolds(`event ${after}`, () => wasTold(after), { every_ms: 1, within_ms: 10_000 })
        }
        yield* before
        if (action === undefined) return
        const session_id =
          heard.events.find((event) => event.session_id !== undefined && nameOf(event.session_id) === session)
            ?.session_id ?? session
        const command: PbxCommand = {
          id: `c${index}`,
          session_id: toSessionId(session_id),
          tenant_pbx_id: "t1",
          seq: index + 1,
          action
        }
        const dispatch = Effect.orDie(
          Effect.flatMap(ActorSystem, ({ ask }) => ask(GatewayCommands.Dispatch, gatewayId("g1"), { command }))
        )
        const { status } = yield* dispatch
        if (!with_patience || status === "acknowledged") return
        const taken = until("acknowledged command", dispatch, (answer) => answer.status === "acknowledged", {
          every_ms: 1
        })
        yield* Effect.timeoutOption(taken, patience)
      })
    return yield* Effect.gen(function* () {
      const context = yield* Effect.context<ActorSystem>()
      return yield* talk((...step) => Effect.provide(does(...step), context), heard)
    }).pipe(
      Effect.provide(
        Layer.provide(gateway, [
          directory,
          LibPhoneNumber.layer,
          PlatformHosts.none,
          RecordingSpool.none,
          StreamHeaders.none
        ])
      ),
      Effect.provide([engine, heard.layer])
    )
  })
