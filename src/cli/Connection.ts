// Which engine a command talks to, and as whom. In this order: flag, environment, profile, the demo data of this
// folder.
import { Context } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Trunkline } from "../client/Client.ts"
import type { RequestLog } from "../client/Options.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { chosenProfile } from "./Profiles.ts"
import { neededSecret } from "./SecretFile.ts"

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
    /** Throws CommandFailure if the URL is refused, or if there is no such profile. */
    readonly baseUrl: () => string
    /** With the API key. Throws CommandFailure. */
    readonly asKey: () => Found
    /** With the session of a member. Throws CommandFailure. */
    readonly asMember: () => Found
    /** With the session of an operator of the platform. Throws CommandFailure. */
    readonly asOperator: () => Found
  }
>()("trunkline/cli/Connection") {}

type Environment = Readonly<Record<string, string | undefined>>

interface Demo {
  readonly base_url: string
  readonly api_key: string
  readonly owner_session: string
  readonly operator_session: string
}

/** Flags that choose the engine and the person. */
export interface Chosen {
  readonly url?: string | undefined
  readonly profile?: string | undefined
  /** Is told of each request. */
  readonly onRequest?: ((log: RequestLog) => void) | undefined
}

const demoFile = ({ DATA_DIR }: Environment): string => join(DATA_DIR ?? ".data", "demo.json")

const demoOf = (environment: Environment): Demo | undefined => {
  try {
    return JSON.parse(readFileSync(demoFile(environment), "utf8")) as Demo
  } catch {
    return undefined
  }
}

/** Whether a URL, or anything else, names a host that is this machine. */
export const isLoopback = (url: unknown): url is string =>
  typeof url === "string" &&
  URL.canParse(url) &&
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)

/** Throws CommandFailure if the URL is none, or if a secret would go to another machine unencrypted. */
export const engineUrl = (url: string): string => {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CommandFailure({
      exit: "usage",
      message: `${url} is no URL of an engine.`,
      help: "--url http://127.0.0.1:8080"
    })
  const { host, protocol } = new URL(url)
  if (protocol === "http:" && !isLoopback(url))
    throw new CommandFailure({
      exit: "usage",
      message: `${host} is not on this machine, and http would send the key unencrypted.`,
      help: `https://${host}, or a tunnel to it: http://127.0.0.1:PORT`
    })
  return url
}

const isSet = (text: string | undefined): text is string => text !== undefined && text !== ""

/** The first value that is known, and where it comes from. */
const first = (
  candidates: ReadonlyArray<readonly [string | undefined, string]>
): readonly [string, string] | undefined =>
  candidates.find((candidate): candidate is readonly [string, string] => isSet(candidate[0]))

interface Engine {
  readonly baseUrl: string
  /** The profile, if it is one of this engine: a secret goes to the engine that gave it, and to no other. */
  readonly own: ReturnType<typeof chosenProfile>
  /** The demo data of this folder, if the engine is on this machine. */
  readonly local: Demo | undefined
}

/** Throws CommandFailure if the URL is refused, or if there is no such profile. */
const engineOf = ({ profile, url }: Chosen, environment: Environment): Engine => {
  const demo = demoOf(environment)
  // The folder may be somebody else's: its file must not lead the key of the environment to another machine.
  const here = isLoopback(demo?.base_url) ? demo.base_url : undefined
  const named = profile ?? environment["TRUNKLINE_PROFILE"]
  const found = chosenProfile(isSet(named) ? named : undefined)
  const baseUrl = engineUrl(
    url ?? environment["TRUNKLINE_URL"] ?? found?.profile.url ?? here ?? "http://127.0.0.1:8080"
  )
  return {
    baseUrl,
    own: found !== undefined && new URL(found.profile.url).origin === new URL(baseUrl).origin ? found : undefined,
    local: isLoopback(baseUrl) ? demo : undefined
  }
}

/** Nothing is read before a command needs it: commands that need no engine work with a broken profile, too. */
export const connectionOf = (chosen: Chosen, environment: Environment): Connection["Service"] => {
  const { TRUNKLINE_API_KEY: key, TRUNKLINE_API_KEY_FILE: file, TRUNKLINE_SESSION: session } = environment

  const keyOf = ({ local, own }: Engine): readonly [string, string] => {
    const fromProfile = [own?.profile.api_key, `profile ${own?.name}`] as const
    const found = first([
      ...(chosen.profile === undefined ? [] : [fromProfile]),
      [isSet(file) ? neededSecret(file) : undefined, file ?? ""],
      [key, "TRUNKLINE_API_KEY"],
      fromProfile,
      [local?.api_key, demoFile(environment)]
    ])
    if (found !== undefined) return found
    throw new CommandFailure({
      exit: "denied",
      message: "No key: no TRUNKLINE_API_KEY_FILE, no TRUNKLINE_API_KEY, no profile, no .data here.",
      help: "trunkline login, or trunkline start"
    })
  }

  const sessionOf = ({ local, own }: Engine, who: "owner_session" | "operator_session"): readonly [string, string] => {
    const fromProfile = [own?.profile.session, `profile ${own?.name}`] as const
    const found = first([
      ...(chosen.profile === undefined ? [] : [fromProfile]),
      [session, "TRUNKLINE_SESSION"],
      fromProfile,
      [local?.[who], demoFile(environment)]
    ])
    if (found !== undefined) return found
    throw new CommandFailure({
      exit: "denied",
      message: `Only a signed-in ${who === "owner_session" ? "member" : "operator"} can do this, and no session is known.`,
      help: "trunkline login --email you@example.com"
    })
  }

  const { onRequest } = chosen
  const logged = onRequest === undefined ? {} : { onRequest }
  const signedIn = (who: "owner_session" | "operator_session"): Found => {
    const engine = engineOf(chosen, environment)
    const [session, source] = sessionOf(engine, who)
    const { baseUrl } = engine
    return { client: new Trunkline({ session, baseUrl, ...logged }), apiKey: "", baseUrl, source }
  }
  return {
    baseUrl: () => engineOf(chosen, environment).baseUrl,
    asKey: () => {
      const engine = engineOf(chosen, environment)
      const [apiKey, source] = keyOf(engine)
      const { baseUrl } = engine
      return { client: new Trunkline({ apiKey, baseUrl, ...logged }), apiKey, baseUrl, source }
    },
    asMember: () => signedIn("owner_session"),
    asOperator: () => signedIn("operator_session")
  }
}
