// Which version a release may have: Semantic Versioning 2.0.0, without pre-releases.

export type Change = "breaking" | "addition" | "none"

type Parts = readonly [major: number, minor: number, patch: number]

/** Undefined if the text is no version. */
export const partsOf = (version: string): Parts | undefined => {
  const [, major, minor, patch] = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(version) ?? []
  return patch === undefined ? undefined : [Number(major), Number(minor), Number(patch)]
}

const order = (one: Parts, other: Parts): number => one[0] - other[0] || one[1] - other[1] || one[2] - other[2]

const known = (version: string): Parts => {
  const parts = partsOf(version)
  if (parts === undefined) throw new Error(`${version} is no version`)
  return parts
}

/** The highest; undefined if there is none. */
export const newest = (versions: ReadonlyArray<string>): string | undefined =>
  [...versions].sort((one, other) => order(known(one), known(other))).at(-1)

/**
 * The smallest version that may follow. Before 1.0 nothing is promised, so that a minor version may break something
 * (section 4 of Semantic Versioning); a change that is none for users is a patch.
 */
export const nextVersion = (released: string, change: Change): string => {
  const [major, minor, patch] = known(released)
  if (change === "breaking" && major > 0) return `${major + 1}.0.0`
  if (change === "breaking" || (change === "addition" && major > 0)) return `${major}.${minor + 1}.0`
  return `${major}.${minor}.${patch + 1}`
}

export interface Wanted {
  readonly version: string
  /** The versions that have been released, in any order. */
  readonly released: ReadonlyArray<string>
  /** What has changed since the newest of them. */
  readonly change: Change
}

/** Why the version may not be released; undefined if it may. */
export const refusal = ({ change, released, version }: Wanted): string | undefined => {
  const parts = partsOf(version)
  if (parts === undefined) return `${version} is no version: MAJOR.MINOR.PATCH`
  if (released.includes(version)) return `${version} has been released`
  const last = newest(released)
  if (last === undefined) return undefined
  if (order(parts, known(last)) < 0) return `${version} is older than ${last}, the last release`
  const needed = nextVersion(last, change)
  if (order(parts, known(needed)) >= 0) return undefined
  return change === "breaking"
    ? `${version} is too small: the API has changed in a way that breaks clients of ${last}, which takes ${needed}`
    : `${version} is too small: the API has new parts since ${last}, which takes ${needed}`
}
