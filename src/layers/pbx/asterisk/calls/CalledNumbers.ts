// How the called parties of inbound calls are read, and whose numbers they are.
import { Effect } from "effect"
import { ServiceUnavailable } from "../../../../domain/errors/GeneralErrors.ts"
import { calledNumbers } from "../../../../domain/numbers/SipParty.ts"
import type { Directory } from "../../../../domain/ports/access/Directory.ts"
import type { NumberPlan } from "../../../../domain/ports/numbers/NumberPlan.ts"

export interface CalledNumbers {
  /**
   * The numbers (E.164) that a called party may mean, the likeliest first. `tenant_pbx_id`: whose trunk the call came
   * over; undefined for the carrier.
   */
  readonly read: (
    called: string,
    tenant_pbx_id: string | undefined
  ) => Effect.Effect<ReadonlyArray<string>, ServiceUnavailable>
  /** The tenant's name on the PBX by one of its numbers; undefined if the number has no owner. */
  readonly tenantOf: (number: string) => Effect.Effect<string | undefined, ServiceUnavailable>
}

const orUnavailable = <A>(effect: Effect.Effect<A>): Effect.Effect<A, ServiceUnavailable> =>
  Effect.catchDefect(effect, (defect) =>
    defect instanceof ServiceUnavailable ? Effect.fail(defect) : Effect.die(defect)
  )

/**
 * Numbers in national form are read as those of the country of the carrier (ISO 3166-1 alpha-2), or of the countries in
 * which the tenant of the trunk has numbers.
 */
export const makeCalledNumbers = (
  directory: Directory["Service"],
  plan: NumberPlan["Service"],
  carrier_country: string | undefined
): CalledNumbers => ({
  read: (called, tenant_pbx_id) =>
    Effect.gen(function* () {
      const tenant = tenant_pbx_id === undefined ? undefined : yield* directory.workspaceOfPbx(tenant_pbx_id)
      const own = tenant === undefined ? [] : yield* directory.countries(tenant.id)
      const country = carrier_country === undefined ? [] : [carrier_country]
      return calledNumbers(called, [...new Set([...own, ...country])], plan.read)
    }).pipe(orUnavailable),
  tenantOf: (number) =>
    Effect.gen(function* () {
      const owned = yield* directory.numberOf(number)
      return owned && (yield* directory.workspace(owned.workspace_id))?.tenant_pbx_id
    }).pipe(orUnavailable)
})
