// Asterisk's manager interface (AMI), over the HTTP port of ARI, for what ARI cannot do: read the state of outbound
// registrations, register or qualify a trunk at once, and set a channel variable while the channel is busy.
import { Effect, Redacted, type Scope } from "effect"
import { Agent } from "undici"
import { type AriOptions, AriAway } from "./Ari.ts"

export interface Manager {
  /** States by registration name: `Registered`, `Rejected`, `Unregistered` and others. Undefined: no access to AMI. */
  readonly registrations: Effect.Effect<ReadonlyMap<string, string> | undefined, AriAway>
  /** Registers again now. `registrations` shows the result. */
  readonly register: (name: string) => Effect.Effect<void, AriAway>
  /** Sends OPTIONS now. A contact event reports a change. Without access to AMI, Asterisk's own interval applies. */
  readonly qualify: (endpoint: string) => Effect.Effect<void, AriAway>
  /** True if the variable was set or the channel is gone; false without access to AMI. */
  readonly setVariable: (channel: string, name: string, value: string) => Effect.Effect<boolean, AriAway>
}

const timeout_ms = 5_000

/** Parses an AMI response: blocks of `Name: value` lines, separated by empty lines. */
export const registrationsIn = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(/\r?\n\r?\n/).flatMap((block) => {
      const members = new Map(
        block.split(/\r?\n/).map((line) => {
          const [member = "", value = ""] = line.split(/: ?(.*)/s, 2)
          return [member, value] as const
        })
      )
      const name = members.get("ObjectName")
      const isOne = members.get("Event") === "OutboundRegistrationDetail" && name !== undefined
      return isOne ? [[name, members.get("Status") ?? ""] as const] : []
    })
  )

/** A channel that is gone needs no variable. */
const isDone = (text: string | undefined): boolean =>
  text !== undefined && /^Response: Success|^Message: No such channel/m.test(text)

export const makeManager = ({ password, url, username }: AriOptions): Effect.Effect<Manager, never, Scope.Scope> =>
  Effect.gen(function* () {
    const agent = yield* Effect.acquireRelease(
      Effect.sync(() => new Agent({ connections: 1, keepAliveTimeout: 10_000 })),
      (agent) => Effect.promise(() => agent.destroy())
    )
    const base = new URL(url.replace(/\/+$/, "").replace(/\/ari$/, ""))
    const send = async (signal: AbortSignal, query: Readonly<Record<string, string>>, cookie?: string) => {
      const response = await agent.request({
        origin: base.origin,
        path: `${base.pathname.replace(/\/$/, "")}/rawman?${new URLSearchParams(query)}`,
        method: "GET",
        headers: cookie === undefined ? {} : { cookie },
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeout_ms)])
      })
      return { headers: response.headers, status: response.statusCode, text: await response.body.text() }
    }
    const withLogin = async (signal: AbortSignal, query: Readonly<Record<string, string>>) => {
      const login = await send(signal, { action: "Login", username, secret: Redacted.value(password) })
      const [cookie = ""] = String(login.headers["set-cookie"]).split(";", 1)
      if (login.status !== 200 || !login.text.startsWith("Response: Success")) return undefined
      const { text } = await send(signal, query, cookie)
      await send(signal, { action: "Logoff" }, cookie)
      return text
    }
    const action = (query: Readonly<Record<string, string>>) =>
      Effect.tryPromise({ try: (signal) => withLogin(signal, query), catch: (cause) => new AriAway({ cause }) })
    return {
      registrations: Effect.map(action({ action: "PJSIPShowRegistrationsOutbound" }), (text) =>
        text === undefined ? undefined : registrationsIn(text)
      ),
      register: (name) => Effect.asVoid(action({ action: "PJSIPRegister", Registration: name })),
      qualify: (endpoint) => Effect.asVoid(action({ action: "PJSIPQualify", Endpoint: endpoint })),
      setVariable: (Channel, Variable, Value) =>
        Effect.map(action({ action: "Setvar", Channel, Variable, Value }), isDone)
    }
  })
