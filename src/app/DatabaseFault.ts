// What a database that refuses says, for the operator: which server, as which user, and the server's own reason.
import { errorCode } from "../layers/node/ErrorCode.ts"

/** By SQLSTATE (PostgreSQL, appendix A) or the code of the system. */
const hints: Readonly<Record<string, string>> = {
  "28P01": "Check the password in DATABASE_URL.",
  "28000": "Check the user in DATABASE_URL, and pg_hba.conf of the server.",
  "3D000": "Create the database, or correct its name in DATABASE_URL.",
  "42501": "Give the user this right: docs/database.md.",
  "53300": "Raise max_connections of the server, or stop others.",
  ECONNREFUSED: "Nothing listens there: start PostgreSQL, or correct DATABASE_URL.",
  ENOTFOUND: "The name of the host does not exist: correct DATABASE_URL."
}

interface Coded {
  readonly code: string
  readonly message: string
}

/** The innermost error with a code: what the server or the system said. */
const source = (error: unknown, depth = 0): Coded | undefined => {
  if (!(error instanceof Error) || depth > 8) return undefined
  const deeper = source(error.cause, depth + 1)
  if (deeper !== undefined) return deeper
  const code = errorCode(error)
  return code === undefined ? undefined : { code, message: error.message }
}

/** A server answers with a SQLSTATE, which has a digit. The system has names such as ECONNREFUSED. */
const isOfServer = (code: string): boolean => /^(?=.*\d)[0-9A-Z]{5}$/.test(code)

const placeOf = (url: string, code: string): string => {
  const { hostname, pathname, port, username } = new URL(url)
  const database = pathname.slice(1) || username
  const server = `PostgreSQL at ${hostname}:${port || "5432"}`
  if (!isOfServer(code)) return `${server} does not answer`
  return `${server} refused user "${decodeURIComponent(username)}" on database "${database}"`
}

/**
 * One or two sentences, without the password of the URL. Undefined if neither a server nor the system has said
 * anything.
 */
export const databaseFault = (error: unknown, url: string): string | undefined => {
  const said = source(error)
  if (said === undefined || !URL.canParse(url)) return undefined
  const hint = hints[said.code]
  return `${placeOf(url, said.code)}: ${said.message}.${hint === undefined ? "" : ` ${hint}`}`
}
