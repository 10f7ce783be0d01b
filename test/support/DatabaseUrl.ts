import { Redacted } from "effect"

/** The URL of another database on the same server. */
export const databaseUrl = (url: string, database: string): string => {
  const result = new URL(url)
  result.pathname = `/${database}`
  return result.href
}

/** The URL without the folder of a Unix socket, for tests that put something between. */
export const overTcp = (url: Redacted.Redacted): URL => {
  const result = new URL(Redacted.value(url))
  result.searchParams.delete("host")
  return result
}
