// The check of an Asterisk at its start and at that of the engine (docs/asterisk.md): what is unsafe is named, and
// refused in production.
import { Effect } from "effect"
import type { PlatformHosts } from "../../../actors/pbx/PlatformHosts.ts"
import type { GatewayId } from "../../../domain/BrandedIds.ts"
import type { Ari } from "./Ari.ts"
import { type Examined, examine } from "./CheckAsterisk.ts"
import { unguardedAddresses } from "./CheckFirewall.ts"
import { missingForBlocks } from "./CheckGuard.ts"
import type { Manager } from "./Manager.ts"
import type { OutboundEndpoints } from "./Originate.ts"

const refusal = "Asterisk is refused until its configuration is safe:"
const warning = "The configuration of Asterisk is unsafe, and would be refused in production:"
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
  readonly manager: Pick<Manager, "readsSecurity">
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
  let examined: Examined | undefined
  /** What needs requests that take seconds where something is missing. */
  const unguarded = Effect.suspend(() =>
    Effect.all(
      [
        missingForBlocks(ari, manager),
        examined === undefined ? Effect.succeed([]) : unguardedAddresses(ari, app, examined.reach)
      ],
      { concurrency: 2 }
    )
  ).pipe(Effect.map((missing) => missing.flat()))

  return {
    /** Returns whether Asterisk is refused. */
    run: Effect.gen(function* () {
      examined = yield* examine(ari, endpoints)
      yield* platform.report(gateway_id, examined.hosts)
      const all = [...examined.deviations, ...(refuse_unsafe ? yield* unguarded : [])]
      yield* report(all)
      refused = refuse_unsafe && all.length > 0
      return refused
    }),
    /** Whether calls are rejected because the configuration is unsafe. */
    refuses: () => refused,
    /** Names what blocks and the firewall lack. In development nobody waits for it. */
    warnUnguarded: refuse_unsafe
      ? Effect.void
      : unguarded.pipe(
          Effect.flatMap(report),
          Effect.catch((error) => Effect.logDebug("Asterisk could not be checked for blocks and firewall", error))
        )
  }
}
