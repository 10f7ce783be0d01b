// The faults of docs/operations.md, and what runs each of them.

export interface Fault {
  /** The first cell of its row. */
  readonly name: string
  /** The alerts of deploy/prometheus/alerts.yml that fire. */
  readonly alerts: ReadonlyArray<string>
  /** Files of tests. */
  readonly tests: ReadonlyArray<string>
  /** Parts of `npm run bench`. */
  readonly benchmarks: ReadonlyArray<string>
}

const quoted = (cell: string): ReadonlyArray<string> => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code)

const faultOf = ([name = "", , , alerts = "", shown = ""]: ReadonlyArray<string>): Fault => ({
  name,
  alerts: quoted(alerts),
  tests: quoted(shown).filter((code) => code.startsWith("test/")),
  benchmarks: quoted(shown).flatMap((code) => /^npm run bench -- (\w+)$/.exec(code)?.slice(1) ?? [])
})

/** The rows of the table under the heading "Faults". */
export const faultsIn = (page: string): ReadonlyArray<Fault> => {
  const section = page.split(/^## /m).find((part) => part.startsWith("Faults\n")) ?? ""
  const rows = section.split("\n").filter((line) => line.startsWith("| "))
  // A row begins and ends with a bar. The first is the head.
  return rows.slice(1).map((row) =>
    faultOf(
      row
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim())
    )
  )
}
