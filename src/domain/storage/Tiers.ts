// The tiers of storage. Their sizes are in MB of 1,048,576 bytes.
import { isSandbox } from "../kit/Sandbox.ts"
import { budgets } from "../limits/Budgets.ts"

export const free_tier_mb = 100

/** The tiers of 1 and 4 GB are not sold: an operator assigns them, or a workspace has one from an older plan. */
export const tiers_mb: ReadonlyArray<number> = [
  free_tier_mb,
  1024,
  4096,
  5120,
  10_240,
  25_600,
  51_200,
  102_400,
  256_000
]

const sold_gb: ReadonlyArray<number> = [5, 10, 25, 50, 100, 250]

/** The tier of a size in GB that is sold; undefined for any other size. */
export const tierOfGb = (tier_gb: number): number | undefined =>
  sold_gb.includes(tier_gb) ? tier_gb * 1024 : undefined

/** Null if the size is not a whole number of GB. */
export const gbOfTier = (tier_mb: number): number | null => (tier_mb % 1024 === 0 ? tier_mb / 1024 : null)

export const bytesOfTier = (tier_mb: number): number => tier_mb * 1_048_576

/** How many bytes of recordings the workspace keeps. `tier_mb`: the size of storage that it has. */
export const keptBytes = (workspace_id: string, tier_mb: number): number =>
  isSandbox(workspace_id) ? Math.min(bytesOfTier(tier_mb), budgets.sandbox_stored_bytes.limit) : bytesOfTier(tier_mb)
