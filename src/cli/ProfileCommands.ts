// `trunkline login`, `logout` and `profiles`: engines and keys that later commands use by name.
import { Effect, Option, Redacted } from "effect"
import { Argument, Command, Flag, Prompt } from "effect/cli"
import { Trunkline } from "../client/Client.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { engineUrl } from "./Connection.ts"
import { asStranger } from "./Handler.ts"
import { Output, table } from "./Output.ts"
import { noSuchProfile, type Profile, readProfiles, writeProfiles } from "./Profiles.ts"

const nameRule = /^[A-Za-z0-9][\w.-]{0,39}$/

/** The name, if it is valid. Throws CommandFailure. */
const checkedName = (name: string): string => {
  if (nameRule.test(name)) return name
  throw new CommandFailure({
    exit: "usage",
    message: `${name} is no name of a profile. Write at most 40 letters, digits, "-", "_" and ".".`
  })
}

const stdinText = Effect.promise(async () =>
  Buffer.concat(await process.stdin.toArray())
    .toString("utf8")
    .trim()
)

/** A secret from stdin, or typed where nobody sees it. */
const secretOf = (question: string, flag: string, isOnStdin: boolean) => {
  if (isOnStdin) return stdinText
  if (process.stdin.isTTY)
    return Prompt.run(Prompt.Password({ message: question })).pipe(
      Effect.map((text) => Redacted.value(text).trim()),
      Effect.catchTag("QuitError", () => Effect.interrupt)
    )
  return Effect.fail(
    new CommandFailure({
      exit: "usage",
      message: "There is no terminal to ask on.",
      help: `trunkline login ${flag} < FILE`
    })
  )
}

/** Adds to the profile, which becomes the current one. What it knows of another engine is forgotten. */
const remember = (name: string, { url, ...secrets }: Profile): void => {
  const { profiles } = readProfiles()
  const before = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  const kept = before !== undefined && new URL(before.url).origin === new URL(url).origin ? before : {}
  writeProfiles({ current: name, profiles: { ...profiles, [name]: { ...kept, url, ...secrets } } })
}

const withApiKey = (name: string, apiKey: string) =>
  asStranger(async ({ baseUrl, out }) => {
    if (apiKey === "") throw new CommandFailure({ exit: "usage", message: "The key is empty." })
    const { env, expires_at, label, workspace_name } = await new Trunkline({ apiKey, baseUrl }).keys.current()
    remember(name, { url: baseUrl, api_key: apiKey })
    out.line(
      out.json
        ? JSON.stringify({ profile: name, url: baseUrl, workspace_name, env })
        : `✓ Profile ${name}: ${workspace_name} (${env}) at ${baseUrl}, key ${label} until ${expires_at.slice(0, 10)}`
    )
  })

/** The token of a sign-in link, or a token as it is. Throws CommandFailure if the link is one of another engine. */
const tokenOf = (link: string, baseUrl: string): string => {
  if (!URL.canParse(link)) return link
  const { origin, searchParams } = new URL(link)
  if (origin === new URL(baseUrl).origin) return searchParams.get("token") ?? ""
  throw new CommandFailure({
    exit: "usage",
    message: `This link signs in at ${origin}, not at ${baseUrl}.`,
    help: `trunkline login --url ${origin} --link-stdin < FILE`
  })
}

const sessionIn = ({ headers }: Response): string | undefined =>
  headers
    .getSetCookie()
    .map((cookie) => /^session=([^;]+)/.exec(cookie)?.[1])
    .find((value) => value !== undefined)

const withLink = (name: string, link: string) =>
  asStranger(async ({ baseUrl, out }) => {
    const { data, response } = await new Trunkline({ baseUrl }).auth
      .verify({ token: tokenOf(link, baseUrl) })
      .withResponse()
    const session = sessionIn(response)
    if (session === undefined)
      throw new CommandFailure({ exit: "unavailable", message: `${baseUrl} signed in without a session cookie.` })
    remember(name, { url: baseUrl, session })
    const workspace = data.workspaces.find(({ id }) => id === data.workspace_id)
    out.line(
      out.json
        ? JSON.stringify({ profile: name, url: baseUrl, email: data.user.email, operator: data.operator })
        : `✓ Profile ${name}: ${data.user.email}${data.operator ? ", operator" : ""}, ${workspace?.name ?? "no workspace"} at ${baseUrl}`
    )
  })

export const login = Command.make(
  "login",
  {
    name: Flag.String("name").pipe(Flag.withDescription("The name of the profile"), Flag.withDefault("default")),
    keyStdin: Flag.Boolean("key-stdin").pipe(
      Flag.withDescription("Read the API key from stdin instead of asking"),
      Flag.withDefault(false)
    ),
    email: Flag.String("email").pipe(
      Flag.withDescription("Sign in as a person: a link is mailed, and asked for"),
      Flag.optional
    ),
    linkStdin: Flag.Boolean("link-stdin").pipe(
      Flag.withDescription("Read a sign-in link from stdin; none is mailed"),
      Flag.withDefault(false)
    )
  },
  ({ email, keyStdin, linkStdin, name }) =>
    Effect.gen(function* () {
      const profile = yield* Effect.try({ try: () => checkedName(name), catch: (error) => error as CommandFailure })
      const { note } = yield* Output
      if (linkStdin) return yield* withLink(profile, yield* stdinText)
      if (Option.isNone(email)) return yield* withApiKey(profile, yield* secretOf("API key", "--key-stdin", keyStdin))
      yield* asStranger(async ({ baseUrl }) => {
        await new Trunkline({ baseUrl }).auth.askForLink({ email: email.value })
      })
      note(`If ${email.value} has an account, a link is on its way.`)
      yield* withLink(profile, yield* secretOf("The link", "--link-stdin", false))
    })
).pipe(Command.withDescription("Remember an engine with a key or a session, as a profile"))

/** Whether the engine ended the session. A URL that is refused, or an engine that is away, keeps no profile here. */
const endSession = async (url: string, session: string): Promise<boolean> => {
  try {
    await new Trunkline({ baseUrl: engineUrl(url), session, retries: 0 }).auth.logout()
    return true
  } catch {
    return false
  }
}

export const logout = Command.make(
  "logout",
  {
    name: Argument.String("profile").pipe(
      Argument.withDescription("The profile; default: the current one"),
      Argument.optional
    )
  },
  ({ name }) =>
    asStranger(async ({ out }) => {
      const { current, profiles } = readProfiles()
      const chosen = Option.getOrElse(name, () => current)
      if (chosen === undefined || !Object.hasOwn(profiles, chosen)) throw noSuchProfile(chosen ?? "at all")
      const { [chosen]: gone, ...others } = profiles
      // The session belongs to this profile alone, so it ends. The key may be in use elsewhere, so it stays.
      const ended = gone?.session !== undefined && (await endSession(gone.url, gone.session))
      writeProfiles({ profiles: others, ...(current !== undefined && current !== chosen && { current }) })
      if (out.json) out.line(JSON.stringify({ profile: chosen, session_ended: ended }))
      else out.line(`✓ Profile ${chosen} is forgotten${ended ? ", and its session has ended" : ""}`)
      if (gone?.api_key !== undefined) out.note("The API key still works. trunkline keys revoke ID ends it.")
    })
).pipe(Command.withDescription("Forget a profile, and end its session"))

const use = Command.make(
  "use",
  { name: Argument.String("profile").pipe(Argument.withDescription("The profile")) },
  ({ name }) =>
    asStranger(async ({ out }) => {
      const { profiles } = readProfiles()
      if (!Object.hasOwn(profiles, name)) throw noSuchProfile(name)
      writeProfiles({ current: name, profiles })
      out.line(out.json ? JSON.stringify({ current: name }) : `✓ Commands use profile ${name}`)
    })
).pipe(Command.withDescription("Choose the profile of commands that name none"))

export const profiles = Command.make("profiles", {}, () =>
  asStranger(async ({ out }) => {
    const { current, profiles } = readProfiles()
    const rows = Object.entries(profiles).map(([name, { api_key, session, url }]) => ({
      name,
      url,
      current: name === current,
      // Enough to tell two keys apart.
      key: api_key === undefined ? null : `…${api_key.slice(-4)}`,
      session: session !== undefined
    }))
    if (out.json) return rows.forEach((row) => out.line(JSON.stringify(row)))
    if (rows.length === 0) return out.note("There is no profile: trunkline login")
    const cells = rows.map(({ current, key, name, session, url }) => [
      current ? "*" : "",
      name,
      url,
      key ?? "-",
      session ? "yes" : "-"
    ])
    for (const line of table([["", "PROFILE", "ENGINE", "KEY", "SESSION"], ...cells])) out.line(line)
  })
).pipe(Command.withDescription("List profiles"), Command.withSubcommands([use]))
