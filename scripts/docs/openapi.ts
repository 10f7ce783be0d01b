// Writes docs/openapi.json, the OpenAPI document that the engine serves: `node scripts/docs/openapi.ts`. Each operation
// and each component is one line, so that a diff shows which of them have changed.
import { writeFile } from "node:fs/promises"
import { apiDocuments } from "../../src/app/ApiDocuments.ts"

/** How many levels have a line for each member. */
const levels: Readonly<Record<string, number>> = { paths: 2, components: 2, webhooks: 1 }

const lines = (value: unknown, deep: number): string => {
  if (deep === 0 || typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${lines(member, deep - 1)}`)
  return `{\n${members.join(",\n")}\n}`
}

export const render = (): string => {
  const sections = Object.entries(Object(apiDocuments.openapi()) as Record<string, unknown>).map(
    ([name, section]) => `${JSON.stringify(name)}:${lines(section, levels[name] ?? 0)}`
  )
  return `{\n${sections.join(",\n")}\n}\n`
}

if (import.meta.main) await writeFile(new URL("../../docs/openapi.json", import.meta.url), render())
