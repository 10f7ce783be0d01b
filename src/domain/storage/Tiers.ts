// The sizes of storage that there are, in MB of 1,048,576 bytes.

export const free_tier_mb = 100

/** Those of 1 and 4 GB are given by operators, or kept from an older plan. */
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

/** What a customer may choose; undefined where there is no such size. */
export const tierOfGb = (tier_gb: number): number | undefined =>
  sold_gb.includes(tier_gb) ? tier_gb * 1024 : undefined

export const gbOfTier = (tier_mb: number): number | null => (tier_mb % 1024 === 0 ? tier_mb / 1024 : null)

export const bytesOfTier = (tier_mb: number): number => tier_mb * 1_048_576
