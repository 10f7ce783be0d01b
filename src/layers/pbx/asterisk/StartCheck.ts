// The check of an Asterisk at its start and at that of the engine (docs/asterisk.md): what is unsafe is named, and
// refused in production.
import { Effect } from "effect"
import type { PlatformHosts } from "../../../actors/pbx/PlatformHosts.ts"
import type { GatewayId } from "../../../domain/BrandedIds.ts"
import type { Ari } from "./Ari.ts"
import { examine } from "./CheckAsterisk.ts"
import { missingForBlocks } from "./CheckGuard.ts"
import type { Manager } from "./Manager.ts"
import type { OutboundEndpoints } from "./Originate.ts"

const refusal = "Asterisk is refused until its configuration is safe:"
const warning = "The configuration of Asterisk is unsafe, and would be refused in production:"
/** How often an Asterisk that is refused is checked again. */
export const recheckInterval = "10 seconds"

interface CheckOptions {
  readonly gateway_id: GatewayId
  readonly endpoints: OutboundEndpoints
  /** Whether an Asterisk whose configuration is unsafe is refused. Otherwise it is only reported. */
  readonly refuse_unsafe: boolean
}

interface Checked {
  readonly ari: Ari
  readonly manager: Pick<Manager, "readsSecurity">
  readonly platform: PlatformHosts["Service"]
}

export const makeStartCheck = (
  { endpoints, gateway_id, refuse_unsafe }: CheckOptions,
  { ari, manager, platform }: Checked
) => {
  let refused = false
  const report = (deviations: ReadonlyArray<string>) =>
    Effect.forEach(
      deviations,
      (deviation) => (refuse_unsafe ? Effect.logError(refusal, deviation) : Effect.logWarning(warning, deviation)),
      { discard: true }
    )
  const unguarded = missingForBlocks(ari, manager)

  return {
    /** Returns whether Asterisk is refused. */
    run: Effect.gen(function* () {
      const [{ deviations, hosts }, missing] = yield* Effect.all(
        [examine(ari, endpoints), refuse_unsafe ? unguarded : Effect.succeed([])],
        { concurrency: 2 }
      )
      yield* platform.report(gateway_id, hosts)
      const all = [...deviations, ...missing]
      yield* report(all)
      refused = refuse_unsafe && all.length > 0
      return refused
    }),
    /** Whether calls are rejected because the configuration is unsafe. */
    refuses: () => refused,
    /** Names what blocks need. It takes seconds where something is missing, so in development nobody waits for it. */
    warnUnguarded: refuse_unsafe
      ? Effect.void
      : unguarded.pipe(
          Effect.flatMap(report),
          Effect.catch((error) => Effect.logDebug("Asterisk could not be checked for blocks", error))
        )
  }
}
