// Writes the table of configuration in docs/operations.md from the settings: `node scripts/docs/configuration.ts`.
import { readFile, writeFile } from "node:fs/promises"
import { describeSettings } from "../../src/app/SettingsTable.ts"

const page = new URL("../../docs/operations.md", import.meta.url)
const begin = "| Variable | Default | Allowed | Meaning |\n|---|---|---|---|\n"

/** A line of `--help`: `  NAME  meaning (allowed; default: value)`. */
const line = /^ {2}(\S+) +(.+) \((.+); default: (.+)\)$/

export const render = (): string =>
  begin +
  describeSettings()
    .split("\n")
    .map((text) => {
      const [, name, meaning, allowed, value] = line.exec(text) ?? []
      if (name === undefined) throw new TypeError(`Unknown form of a settings line: ${text}`)
      return `| \`${name}\` | ${value} | ${allowed} | ${meaning} |\n`
    })
    .join("")

if (import.meta.main) {
  const text = await readFile(page, "utf8")
  const [before = "", after = ""] = text.split(begin)
  await writeFile(page, before + render() + after.replace(/^(\|.*\n)*/, ""))
}
