// Which cached sounds are removed to keep within the limits: the least recently used, and never one that is playing.

export interface StoredSound {
  /** The workspace that it was made for. */
  readonly owner: string
  readonly bytes: number
  /** Epoch milliseconds. */
  readonly used_at: number
  readonly is_held: boolean
}

export interface SoundLimits {
  /** The bytes of all sounds. */
  readonly total_bytes: number
  /** The bytes of one workspace's sounds. */
  readonly workspace_bytes: number
}

export interface Eviction<Sound> {
  readonly evicted: ReadonlyArray<Sound>
  /** Whether the sounds that stay are within the limits. */
  readonly fits: boolean
}

/** More is removed than has to be, so that the next sounds need not remove any. */
const target = (limit_bytes: number): number => limit_bytes * 0.9

const sum = (sounds: Iterable<StoredSound>): number => {
  let bytes = 0
  for (const sound of sounds) bytes += sound.bytes
  return bytes
}

/** Removes from `oldest`, in this order, until at most the target is left. Nothing is removed within the limit. */
const shrink = <Sound extends StoredSound>(oldest: ReadonlyArray<Sound>, limit_bytes: number): Eviction<Sound> => {
  let bytes = sum(oldest)
  if (bytes <= limit_bytes) return { evicted: [], fits: true }
  const evicted: Array<Sound> = []
  for (const sound of oldest) {
    if (bytes <= target(limit_bytes)) break
    if (sound.is_held) continue
    evicted.push(sound)
    bytes -= sound.bytes
  }
  return { evicted, fits: bytes <= limit_bytes }
}

/** First each workspace is brought within its own limit, then all of them together within theirs. */
export const evictions = <Sound extends StoredSound>(
  sounds: Iterable<Sound>,
  { total_bytes, workspace_bytes }: SoundLimits
): Eviction<Sound> => {
  const oldest = [...sounds].sort((one, other) => one.used_at - other.used_at)
  const own = [...Map.groupBy(oldest, ({ owner }) => owner).values()].map((those) => shrink(those, workspace_bytes))
  const gone = new Set(own.flatMap(({ evicted }) => evicted))
  const all = shrink(
    oldest.filter((sound) => !gone.has(sound)),
    total_bytes
  )
  return { evicted: [...gone, ...all.evicted], fits: all.fits && own.every(({ fits }) => fits) }
}
