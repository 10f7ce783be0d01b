import { Context, type Effect } from "effect"
import type { Quota, QuotaName, Verdict } from "../access/Quota.ts"
import type { ReadFailed } from "../errors/ReadFailed.ts"

/** Counts one more for everybody who asks it, in whichever process. */
export type CountShared = (
  name: QuotaName,
  quota: Quota,
  who: string,
  now: number
) => Effect.Effect<Verdict, ReadFailed>

/** What all processes of the engine count together. Undefined: each counts for itself. */
export class SharedCounts extends Context.Reference<CountShared | undefined>("trunkline/domain/ports/SharedCounts", {
  defaultValue: () => undefined
}) {}
