// What a sandbox may use, whatever its calling policy, its storage and its retention say. It is free, and its calls,
// recordings and rows are as real to the machine as those of live workspaces.
import type { CallingPolicy } from "../calls/policy/CallingPolicy.ts"
import { bytesOfTier } from "../storage/Tiers.ts"
import { isSandbox } from "../kit/Sandbox.ts"
import { budgets } from "./Budgets.ts"

/** The calling policy as it is enforced. */
export const enforcedPolicy = (workspace: {
  readonly id: string
  readonly calling_policy: CallingPolicy
}): CallingPolicy => {
  const { calling_policy, id } = workspace
  if (!isSandbox(id)) return calling_policy
  return {
    ...calling_policy,
    max_concurrent_calls: Math.min(calling_policy.max_concurrent_calls, budgets.sandbox_concurrent_calls.limit),
    calls_per_second: Math.min(calling_policy.calls_per_second, budgets.sandbox_calls_per_second.limit)
  }
}

/** How many bytes of recordings the workspace keeps. `tier_mb`: the size of storage that it has. */
export const keptBytes = (workspace_id: string, tier_mb: number): number =>
  isSandbox(workspace_id) ? Math.min(bytesOfTier(tier_mb), budgets.sandbox_stored_bytes.limit) : bytesOfTier(tier_mb)

/** How many days the workspace keeps a recording. `retention_days`: its own setting. */
export const keptDays = (workspace_id: string, retention_days: number): number =>
  isSandbox(workspace_id) ? Math.min(retention_days, budgets.sandbox_retention.limit) : retention_days
