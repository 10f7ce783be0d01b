/** The URL of another database on the same server. */
export const databaseUrl = (url: string, database: string): string => {
  const result = new URL(url)
  result.pathname = `/${database}`
  return result.href
}
