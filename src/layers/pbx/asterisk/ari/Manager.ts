// Asterisk's manager interface (AMI), over the HTTP port of ARI, for what ARI cannot do: read the state of outbound
// registrations, register or qualify a trunk at once, and set a channel variable while the channel is busy.
import { Effect, Redacted, type Scope } from "effect"
import { Agent } from "undici"
import { type AriOptions, AriAway } from "./Ari.ts"

export interface Manager {
  /** States by registration name: `Registered`, `Rejected`, `Unregistered` and others. Undefined: no access to AMI. */
  readonly registrations: Effect.Effect<ReadonlyMap<string, string> | undefined, AriAway>
  /**
   * How long each registration lasts until Asterisk renews it, in seconds by name, of those that are registered. Only
   * Asterisk's command line tells it. None without the right to use that (`write = command`).
   */
  readonly registrationsLeft_s: Effect.Effect<ReadonlyMap<string, number>, AriAway>
  /**
   * How many messages and timers of each registration Asterisk has handled so far, by its name. Only Asterisk's command
   * line tells it. None without the right to use that.
   */
  readonly registrationsHandled: Effect.Effect<ReadonlyMap<string, number>, AriAway>
  /** Registers again now. `registrations` shows the result. */
  readonly register: (name: string) => Effect.Effect<void, AriAway>
  /** Sends OPTIONS now. A contact event reports a change. Without access to AMI, Asterisk's own interval applies. */
  readonly qualify: (endpoint: string) => Effect.Effect<void, AriAway>
  /**
   * The text of the events since the last call; waits up to ten seconds for one. Undefined: no access to AMI, or its
   * session has ended and the next call begins another.
   */
  readonly waitEvents: Effect.Effect<string | undefined, AriAway>
  /** Begins the session of `waitEvents`, unless there is one: Asterisk keeps the events from now on for it. */
  readonly beginEvents: Effect.Effect<void, AriAway>
  /**
   * Whether the user gets security events (`read = security`): a login of its own is one, which another session of the
   * user must get. Undefined: no access to AMI.
   */
  readonly readsSecurity: Effect.Effect<boolean | undefined, AriAway>
  /** What a command of Asterisk's command line prints. Undefined: no access to AMI, or no right (`write = command`). */
  readonly print: (command: string) => Effect.Effect<string | undefined, AriAway>
  /** The steps of all extensions of the dialplan. Undefined: no access to AMI, or no right (`write = reporting`). */
  readonly dialplan: Effect.Effect<ReadonlyArray<DialplanStep> | undefined, AriAway>
  /** True if the variable was set or the channel is gone; false without access to AMI. */
  readonly setVariable: (channel: string, name: string, value: string) => Effect.Effect<boolean, AriAway>
}

/** One step of an extension: an application with its arguments. */
export interface DialplanStep {
  readonly context: string
  readonly application: string
  readonly arguments: string
}

const timeout_ms = 5_000
const wait_seconds = 10

/** The blocks of an AMI response: `Name: value` lines, separated by empty lines. */
const blocksIn = (text: string): ReadonlyArray<ReadonlyMap<string, string>> =>
  text.split(/\r?\n\r?\n/).map(
    (block) =>
      new Map(
        block.split(/\r?\n/).map((line) => {
          const [member = "", value = ""] = line.split(/: ?(.*)/s, 2)
          return [member, value] as const
        })
      )
  )

export const registrationsIn = (text: string): ReadonlyMap<string, string> =>
  new Map(
    blocksIn(text).flatMap((members) => {
      const name = members.get("ObjectName")
      const isOne = members.get("Event") === "OutboundRegistrationDetail" && name !== undefined
      return isOne ? [[name, members.get("Status") ?? ""] as const] : []
    })
  )

/** Reads the response to `ShowDialPlan`. Undefined: Asterisk has refused it. */
export const dialplanIn = (text: string): ReadonlyArray<DialplanStep> | undefined =>
  /^Response: Success/m.test(text)
    ? blocksIn(text).flatMap((members) => {
        const application = members.get("Application")
        const isStep = members.get("Event") === "ListDialplan" && application !== undefined
        return isStep
          ? [{ context: members.get("Context") ?? "", application, arguments: members.get("AppData") ?? "" }]
          : []
      })
    : undefined

/** Reads the response to a command. Undefined: Asterisk has refused it. */
export const outputIn = (text: string): string | undefined =>
  /^Response: Success/m.test(text)
    ? [...text.matchAll(/^Output: ?(.*?)\r?$/gm)].map(([, line]) => line).join("\n")
    : undefined

/**
 * Reads what the command `pjsip show registrations` prints: `<name>/<URI> <auth> Registered (exp. 107s)`, the seconds
 * until Asterisk renews the registration. A registration that is overdue says `(exp. 3s ago)`.
 */
export const registrationsLeftIn = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text.split(/\r?\n/).flatMap((line) => {
      const [, name, seconds] =
        /^(?:Output:)? +([^\s/]+)\/\S+ .*\sRegistered +\(exp\. (\d{1,9})s\)\s*$/.exec(line) ?? []
      return name === undefined || seconds === undefined ? [] : [[name, Number(seconds)] as const]
    })
  )

/**
 * Reads what the command `core show taskprocessors like pjsip/outreg` prints: `pjsip/outreg/<name>-<8 digits>`, and how
 * many tasks it has processed. A registration that was replaced may have two of them for a while.
 */
export const registrationsHandledIn = (text: string): ReadonlyMap<string, number> => {
  const handled = new Map<string, number>()
  for (const line of text.split(/\r?\n/)) {
    const [, name, count] = /^(?:Output:)? *pjsip\/outreg\/(\S+)-[0-9a-f]{8} +(\d{1,15}) /.exec(line) ?? []
    if (name !== undefined) handled.set(name, (handled.get(name) ?? 0) + Number(count))
  }
  return handled
}

/** How often the event of an own login is waited for, a second each. */
const ownEventTries = 5

/** Whether the security event of a login of this user is in a response. */
export const hasOwnLogin = (text: string, username: string): boolean =>
  text.split(/\r?\n\r?\n/).some((block) => {
    const lines = new Set(block.split(/\r?\n/).map((line) => line.trim()))
    return lines.has("Event: SuccessfulAuth") && lines.has("Service: AMI") && lines.has(`AccountID: ${username}`)
  })

/** A channel that is gone needs no variable. */
const isDone = (text: string | undefined): boolean =>
  text !== undefined && /^Response: Success|^Message: No such channel/m.test(text)

/** Asterisk counts each denied action as an attack, so it is not repeated. */
const isDenied = (text: string): boolean => /^Message: Permission denied/m.test(text)

const makeAgent = Effect.acquireRelease(
  Effect.sync(() => new Agent({ connections: 1, keepAliveTimeout: 10_000 })),
  (agent) => Effect.promise(() => agent.destroy())
)

/** Sessions of the manager interface. A session that collects events has a connection of its own, because it waits. */
const makeSessions = ({ password, url, username }: AriOptions) =>
  Effect.gen(function* () {
    const agent = yield* makeAgent
    const waiting = yield* makeAgent
    const checking = yield* makeAgent
    const base = new URL(url.replace(/\/+$/, "").replace(/\/ari$/, ""))
    const send = async (
      signal: AbortSignal,
      query: Readonly<Record<string, string>>,
      cookie?: string,
      { by = agent, patience_ms = timeout_ms } = {}
    ) => {
      const response = await by.request({
        origin: base.origin,
        path: `${base.pathname.replace(/\/$/, "")}/rawman?${new URLSearchParams(query)}`,
        method: "GET",
        headers: cookie === undefined ? {} : { cookie },
        signal: AbortSignal.any([signal, AbortSignal.timeout(patience_ms)])
      })
      return { headers: response.headers, status: response.statusCode, text: await response.body.text() }
    }
    const login = async (signal: AbortSignal, events: "on" | "off") => {
      const secret = Redacted.value(password)
      const { headers, status, text } = await send(signal, { action: "Login", username, secret, events })
      const [cookie = ""] = String(headers["set-cookie"]).split(";", 1)
      return status === 200 && text.startsWith("Response: Success") ? cookie : undefined
    }
    /** The session that collects events. */
    let collecting: string | undefined
    const begin = async (signal: AbortSignal) => {
      collecting ??= await login(signal, "on")
    }
    /** Asterisk keeps the events of a session for its next request, so a request that fails does not end it. */
    const collect = async (signal: AbortSignal) => {
      const patience_ms = timeout_ms + wait_seconds * 1_000
      for (const known of collecting === undefined ? [undefined] : [collecting, undefined]) {
        const cookie = known ?? (await login(signal, "on"))
        collecting = cookie
        if (cookie === undefined) return undefined
        const query = { action: "WaitEvent", timeout: String(wait_seconds) }
        const { text } = await send(signal, query, cookie, { by: waiting, patience_ms })
        if (/^Response: Success/m.test(text)) return text
        collecting = undefined
      }
      return undefined
    }
    const withLogin = async (signal: AbortSignal, query: Readonly<Record<string, string>>) => {
      const cookie = await login(signal, "off")
      if (cookie === undefined) return undefined
      const { text } = await send(signal, query, cookie)
      await send(signal, { action: "Logoff" }, cookie)
      return text
    }
    /** Asterisk reports each login of a manager as a security event. */
    const readsSecurity = async (signal: AbortSignal) => {
      const cookie = await login(signal, "on")
      if (cookie === undefined) return undefined
      await withLogin(signal, { action: "Ping" })
      let isHeard = false
      for (let tries = 0; tries < ownEventTries && !isHeard; tries++) {
        const { text } = await send(signal, { action: "WaitEvent", timeout: "1" }, cookie, { by: checking })
        isHeard = hasOwnLogin(text, username)
      }
      await send(signal, { action: "Logoff" }, cookie)
      return isHeard
    }
    return { begin, collect, readsSecurity, withLogin }
  })

export const makeManager = (options: AriOptions): Effect.Effect<Manager, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { begin, collect, readsSecurity, withLogin } = yield* makeSessions(options)
    const action = (query: Readonly<Record<string, string>>) =>
      Effect.tryPromise({ try: (signal) => withLogin(signal, query), catch: (cause) => new AriAway({ cause }) })
    let mayCommand = true
    /** What a command of Asterisk's command line prints. Nothing without the right to use it. */
    const command = (text: string) =>
      Effect.suspend((): Effect.Effect<string | undefined, AriAway> =>
        mayCommand
          ? Effect.map(action({ action: "Command", Command: text }), (response) => {
              mayCommand = response === undefined || !isDenied(response)
              return response
            })
          : Effect.succeed(undefined)
      )
    return {
      registrations: Effect.map(action({ action: "PJSIPShowRegistrationsOutbound" }), (text) =>
        text === undefined ? undefined : registrationsIn(text)
      ),
      registrationsLeft_s: Effect.map(command("pjsip show registrations"), (text = "") => registrationsLeftIn(text)),
      print: (text) => Effect.map(command(text), (response = "") => outputIn(response)),
      dialplan: Effect.map(action({ action: "ShowDialPlan" }), (text = "") => dialplanIn(text)),
      registrationsHandled: Effect.map(command("core show taskprocessors like pjsip/outreg"), (text = "") =>
        registrationsHandledIn(text)
      ),
      register: (name) => Effect.asVoid(action({ action: "PJSIPRegister", Registration: name })),
      beginEvents: Effect.tryPromise({ try: begin, catch: (cause) => new AriAway({ cause }) }),
      waitEvents: Effect.tryPromise({ try: collect, catch: (cause) => new AriAway({ cause }) }),
      readsSecurity: Effect.tryPromise({ try: readsSecurity, catch: (cause) => new AriAway({ cause }) }),
      qualify: (endpoint) => Effect.asVoid(action({ action: "PJSIPQualify", Endpoint: endpoint })),
      setVariable: (Channel, Variable, Value) =>
        Effect.map(action({ action: "Setvar", Channel, Variable, Value }), isDone)
    }
  })
