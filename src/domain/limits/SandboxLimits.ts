// What a sandbox may use, whatever its calling policy and its retention say; storage/Tiers.ts has what it may store. It
// is free, and its calls, recordings and rows are as real to the machine as those of live workspaces.
import { isSandbox } from "../kit/Sandbox.ts"
import { budgets } from "./Budgets.ts"

/** The members of a calling policy that say how many calls there may be. */
interface CallLimits {
  readonly max_concurrent_calls: number
  readonly calls_per_second: number
}

/** The calling policy as it is enforced. */
export const enforcedPolicy = <Policy extends CallLimits>(workspace: {
  readonly id: string
  readonly calling_policy: Policy
}): Policy => {
  const { calling_policy, id } = workspace
  if (!isSandbox(id)) return calling_policy
  return {
    ...calling_policy,
    max_concurrent_calls: Math.min(calling_policy.max_concurrent_calls, budgets.sandbox_concurrent_calls.limit),
    calls_per_second: Math.min(calling_policy.calls_per_second, budgets.sandbox_calls_per_second.limit)
  }
}

/** How many days the workspace keeps a recording. `retention_days`: its own setting. */
export const keptDays = (workspace_id: string, retention_days: number): number =>
  isSandbox(workspace_id) ? Math.min(retention_days, budgets.sandbox_retention.limit) : retention_days
