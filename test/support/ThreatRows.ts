// The rows of docs/security.md.

export interface ThreatRow {
  readonly threat: string
  /** The files that stop it. */
  readonly checks: ReadonlyArray<string>
  readonly tests: ReadonlyArray<{ readonly path: string; readonly title: string }>
}

/** The rows of the tables with three columns: what is tried, which file stops it, which test proves that. */
export const threatRowsOf = (text: string): ReadonlyArray<ThreatRow> =>
  text
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| What"))
    .map((line) => {
      const [, threat = "", stops = "", proof = ""] = line.split("|")
      return {
        threat: threat.trim(),
        checks: [...stops.matchAll(/`((?:src|scripts)\/[^`]+)`/g)].map(([, path = ""]) => path),
        tests: [...proof.matchAll(/`(test\/[^`]+)` "([^"]+)"/g)].map(([, path = "", title = ""]) => ({ path, title }))
      }
    })
