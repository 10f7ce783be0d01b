// The changelog of a release: what stood under "Unreleased" gets the version and the day.

const heading = "## Unreleased\n"

/** What stands under "Unreleased". Undefined without the heading. */
export const unreleased = (text: string): string | undefined => {
  const at = `\n${text}`.indexOf(`\n${heading}`)
  if (at === -1) return undefined
  const rest = text.slice(at + heading.length)
  const next = rest.search(/^## /m)
  return (next === -1 ? rest : rest.slice(0, next)).trim()
}

/**
 * The changelog with a section for the version, below an empty one for what comes next. `day` is YYYY-MM-DD. Throws
 * where there is nothing to release.
 */
export const cutChangelog = (text: string, version: string, day: string): string => {
  const changes = unreleased(text)
  if (changes === undefined) throw new Error('CHANGELOG.md has no section "Unreleased"')
  if (changes === "") throw new Error('CHANGELOG.md says nothing under "Unreleased"')
  if (`\n${text}`.includes(`\n## ${version} `)) throw new Error(`CHANGELOG.md has ${version} already`)
  return text.replace(heading, `${heading}\n## ${version} - ${day}\n`)
}

/** The operations that "Unreleased" names as breaking: in its section "Breaking", in backticks, as GET /v1/calls. */
export const toldAsBreaking = (text: string): ReadonlySet<string> => {
  const [, section = ""] = (unreleased(text) ?? "").split(/^### Breaking\n/m)
  const [told = ""] = section.split(/^### /m)
  return new Set([...told.matchAll(/`([^`\n]+)`/g)].map(([, name = ""]) => name))
}
