// The check of an Asterisk at its start and at that of the engine (docs/asterisk.md): what is unsafe is named, and
// refused in production.
import { Effect } from "effect"
import type { PlatformHosts } from "../../../../actors/pbx/PlatformHosts.ts"
import type { GatewayId } from "../../../../domain/BrandedIds.ts"
import type { Ari } from "../ari/Ari.ts"
import { type Examined, examine } from "./CheckAsterisk.ts"
import { unguardedAddresses } from "./CheckFirewall.ts"
import { settingsFaults } from "./CheckSettings.ts"
import { missingForBlocks } from "./CheckGuard.ts"
import type { Manager } from "../ari/Manager.ts"
import type { OutboundEndpoints } from "../legs/Originate.ts"

const refusal = "Asterisk is refused until its configuration is safe:"
const warning = "The configuration of Asterisk is unsafe, and would be refused in production:"
/** The contexts in which calls of trunks and of devices come in. */
const fromCarrier = "from-carrier"
const fromUser = "from-user"
/** How often an Asterisk that is refused is checked again. */
export const recheckInterval = "10 seconds"

interface CheckOptions {
  /** The engine's application. */
  readonly app: string
  readonly gateway_id: GatewayId
  readonly endpoints: OutboundEndpoints
  /** Whether an Asterisk whose configuration is unsafe is refused. Otherwise it is only reported. */
  readonly refuse_unsafe: boolean
}

interface Checked {
  readonly ari: Ari
  readonly manager: Pick<Manager, "dialplan" | "print" | "readsSecurity">
  readonly platform: PlatformHosts["Service"]
}

export const makeStartCheck = (
  { app, endpoints, gateway_id, refuse_unsafe }: CheckOptions,
  { ari, manager, platform }: Checked
) => {
  let refused = false
  const report = (deviations: ReadonlyArray<string>) =>
    Effect.forEach(
      deviations,
      (deviation) => (refuse_unsafe ? Effect.logError(refusal, deviation) : Effect.logWarning(warning, deviation)),
      { discard: true }
    )
  /** What takes seconds to find out where something is missing. */
  const missing = ({ contexts, reach }: Examined) =>
    Effect.map(
      Effect.all(
        [
          missingForBlocks(ari, manager),
          unguardedAddresses(ari, app, reach),
          settingsFaults(manager, {
            app,
            carriers: [...new Set([contexts.carrier ?? fromCarrier, fromCarrier])],
            devices: [fromUser],
            nobody: contexts.sip_uris
          })
        ],
        { concurrency: 3 }
      ),
      (found) => found.flat()
    )
  let examined: Examined | undefined

  return {
    /** Returns whether Asterisk is refused. */
    run: Effect.gen(function* () {
      examined = yield* examine(ari, endpoints)
      yield* platform.report(gateway_id, examined.hosts)
      const all = [...examined.deviations, ...(refuse_unsafe ? yield* missing(examined) : [])]
      yield* report(all)
      refused = refuse_unsafe && all.length > 0
      return refused
    }),
    /** Whether calls are rejected because the configuration is unsafe. */
    refuses: () => refused,
    /** Names what blocks, the firewall and the settings lack. In development nobody waits for it. */
    warnUnguarded: Effect.suspend(() =>
      refuse_unsafe || examined === undefined
        ? Effect.void
        : Effect.flatMap(missing(examined), report).pipe(
            Effect.catch((error) => Effect.logDebug("Asterisk could not be checked completely", error))
          )
    )
  }
}
