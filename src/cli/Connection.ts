// Which engine a command talks to, and as whom. In this order: flag, environment, the demo data of this folder.
import { Context } from "effect"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { Trunkline } from "../client/Client.ts"
import { CommandFailure } from "./CommandFailure.ts"

export interface Found {
  readonly client: Trunkline
  readonly baseUrl: string
  /** Empty for a member. */
  readonly apiKey: string
  /** Where the key or the session comes from. */
  readonly source: string
}

export class Connection extends Context.Service<
  Connection,
  {
    readonly baseUrl: string
    /** With the API key. Throws CommandFailure. */
    readonly asKey: () => Found
    /** With the session of a member. Throws CommandFailure. */
    readonly asMember: () => Found
  }
>()("trunkline/cli/Connection") {}

type Environment = Readonly<Record<string, string | undefined>>

interface Demo {
  readonly base_url: string
  readonly api_key: string
  readonly owner_session: string
}

const demoFile = ({ DATA_DIR }: Environment): string => join(DATA_DIR ?? ".data", "demo.json")

const demoOf = (environment: Environment): Demo | undefined => {
  try {
    return JSON.parse(readFileSync(demoFile(environment), "utf8")) as Demo
  } catch {
    return undefined
  }
}

const isLoopback = (url: string): boolean => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)

/** The key in a file that nobody else may read. */
const keyIn = (path: string): string => {
  try {
    if (process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0)
      throw new CommandFailure({ exit: "denied", message: `Others can read ${path}.`, help: `chmod 600 ${path}` })
    return readFileSync(path, "utf8").trim()
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    throw new CommandFailure({ exit: "denied", message: `The key file ${path} cannot be read.` })
  }
}

const urlOf = (given: string | undefined, environment: Environment, demo: Demo | undefined): string => {
  const url = given ?? environment["TRUNKLINE_URL"] ?? demo?.base_url ?? "http://127.0.0.1:8080"
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CommandFailure({
      exit: "usage",
      message: `${url} is no URL of an engine.`,
      help: "--url http://127.0.0.1:8080"
    })
  return url
}

/** Throws CommandFailure if the URL is none. */
export const connectionOf = (url: string | undefined, environment: Environment): Connection["Service"] => {
  const demo = demoOf(environment)
  const baseUrl = urlOf(url, environment, demo)
  const local = demo !== undefined && isLoopback(baseUrl) ? demo : undefined
  const keyOf = (): readonly [string, string] => {
    const { TRUNKLINE_API_KEY: key, TRUNKLINE_API_KEY_FILE: file } = environment
    if (file !== undefined && file !== "") return [keyIn(file), file]
    if (key !== undefined && key !== "") return [key, "TRUNKLINE_API_KEY"]
    if (local !== undefined) return [local.api_key, demoFile(environment)]
    throw new CommandFailure({
      exit: "denied",
      message: "No key: no TRUNKLINE_API_KEY_FILE, no TRUNKLINE_API_KEY, no .data here.",
      help: "npm start, or set TRUNKLINE_API_KEY_FILE"
    })
  }
  return {
    baseUrl,
    asKey: () => {
      const [apiKey, source] = keyOf()
      return { client: new Trunkline({ apiKey, baseUrl }), apiKey, baseUrl, source }
    },
    asMember: () => {
      const session = environment["TRUNKLINE_SESSION"] ?? local?.owner_session
      if (session !== undefined)
        return { client: new Trunkline({ session, baseUrl }), apiKey: "", baseUrl, source: demoFile(environment) }
      throw new CommandFailure({
        exit: "denied",
        message: "Only a signed-in member can do this, and no session is known.",
        help: "set TRUNKLINE_SESSION to the value of your session cookie"
      })
    }
  }
}
