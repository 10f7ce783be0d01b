// Asterisk's manager interface, by the HTTP port that ARI has, for what ARI has not: how registrations with trunks go, that
// a trunk is asked now whether it is there, or registered with anew, and a variable of a channel that is set whatever the
// channel does.
import { Effect, Redacted, type Scope } from "effect"
import { Agent } from "undici"
import { type AriOptions, AriAway } from "./Ari.ts"

export interface Manager {
  /** By the registration's name: `Registered`, `Rejected`, `Unregistered` and others. Undefined: Asterisk does not tell. */
  readonly registrations: Effect.Effect<ReadonlyMap<string, string> | undefined, AriAway>
  /** Registers anew now, by the registration's name: what comes of it is seen there. */
  readonly register: (name: string) => Effect.Effect<void, AriAway>
  /** Asks by OPTIONS: what comes of it is told as of any change of a contact. Where this cannot be, Asterisk asks in its own time. */
  readonly qualify: (endpoint: string) => Effect.Effect<void, AriAway>
  /** By the id of the channel; one that is gone needs none. False: Asterisk does not let us. */
  readonly setVariable: (channel: string, name: string, value: string) => Effect.Effect<boolean, AriAway>
}

const timeout_ms = 5_000

/** Of an answer of the manager's: a block a line of which is `Name: value`, and an empty line between blocks. */
export const registrationsIn = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(/\r?\n\r?\n/).flatMap((block) => {
      const members = new Map(block.split(/\r?\n/).map((line) => line.split(/: ?(.*)/s, 2) as [string, string]))
      const name = members.get("ObjectName")
      const isOne = members.get("Event") === "OutboundRegistrationDetail" && name !== undefined
      return isOne ? [[name, members.get("Status") ?? ""] as const] : []
    })
  )

/** A channel that is not there any more has what it needs. */
const isDone = (text: string | undefined): boolean =>
  text !== undefined && /^Response: Success|^Message: No such channel/m.test(text)

export const makeManager = ({ password, url, username }: AriOptions): Effect.Effect<Manager, never, Scope.Scope> =>
  Effect.gen(function* () {
    const agent = yield* Effect.acquireRelease(
      Effect.sync(() => new Agent({ connections: 1, keepAliveTimeout: 10_000 })),
      (agent) => Effect.promise(() => agent.destroy())
    )
    const base = new URL(url.replace(/\/+$/, "").replace(/\/ari$/, ""))
    const ask = async (signal: AbortSignal, query: Readonly<Record<string, string>>, cookie?: string) => {
      const response = await agent.request({
        origin: base.origin,
        path: `${base.pathname.replace(/\/$/, "")}/rawman?${new URLSearchParams(query)}`,
        method: "GET",
        headers: cookie === undefined ? {} : { cookie },
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeout_ms)])
      })
      return { headers: response.headers, status: response.statusCode, text: await response.body.text() }
    }
    const act = async (signal: AbortSignal, query: Readonly<Record<string, string>>) => {
      const login = await ask(signal, { action: "Login", username, secret: Redacted.value(password) })
      const cookie = String(login.headers["set-cookie"]).split(";", 1)[0]!
      if (login.status !== 200 || !login.text.startsWith("Response: Success")) return undefined
      const { text } = await ask(signal, query, cookie)
      await ask(signal, { action: "Logoff" }, cookie)
      return text
    }
    const asked = (query: Readonly<Record<string, string>>) =>
      Effect.tryPromise({ try: (signal) => act(signal, query), catch: (cause) => new AriAway({ cause }) })
    return {
      registrations: Effect.map(asked({ action: "PJSIPShowRegistrationsOutbound" }), (text) =>
        text === undefined ? undefined : registrationsIn(text)
      ),
      register: (name) => Effect.asVoid(asked({ action: "PJSIPRegister", Registration: name })),
      qualify: (endpoint) => Effect.asVoid(asked({ action: "PJSIPQualify", Endpoint: endpoint })),
      setVariable: (Channel, Variable, Value) =>
        Effect.map(asked({ action: "Setvar", Channel, Variable, Value }), isDone)
    }
  })
