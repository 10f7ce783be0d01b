// The provider of tenants' trunks: a second Asterisk with accounts, which is a registrar and places and receives calls.
import { Effect } from "effect"
import { cp, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { WebSocket } from "ws"
import { freePorts, makeAsterisk } from "./Peers.ts"

/** The provider answers only callers with this caller ID. */
export const shown = "254700009001"
/** The longest registration that the provider grants. */
export const granted_seconds = 240

const answers = (pattern: string): string => `exten => ${pattern},1,GotoIf($["\${CALLERID(num)}" = "${shown}"]?good:bad)
 same => n(good),Answer()
 same => n,Echo()
 same => n(bad),Hangup(21)`
const dialplan = `[general]\nstatic = yes\n[provider]\n${answers("_X.")}\n${answers("_+X.")}\nexten => talks,1,Echo()\n`

type Fields = Readonly<Record<string, string>>

/** Its address. The carrier has another one, which no trunk may name. */
export const provider_host = "127.0.0.4"

/** Starts the provider. It uses the certificate of the Asterisk in `folder`, which trusts no other certificate. */
export const makeProvider = Effect.fnUntraced(function* (folder: string) {
  const own = join(folder, "provider")
  yield* Effect.promise(async () => {
    await mkdir(join(own, "asterisk"), { recursive: true })
    await cp(join(folder, "asterisk/tls"), join(own, "asterisk/tls"), { recursive: true })
  })
  const asterisk = yield* makeAsterisk({
    folder: own,
    carrier_port: yield* freePorts(),
    caller_host: "127.0.0.9",
    bind: provider_host
  })
  const { ARI_PASSWORD, ARI_URL, ARI_USERNAME } = asterisk.settings
  const authorization = `Basic ${Buffer.from(`${ARI_USERNAME}:${ARI_PASSWORD}`).toString("base64")}`
  const app = new WebSocket(`${ARI_URL!.replace("http", "ws")}/events?app=provider`, { headers: { authorization } })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void app.once("open", () => resume(Effect.void))),
    () => Effect.sync(() => app.on("error", () => {}).terminate())
  )
  const ask = (method: string, path: string, body?: unknown) =>
    Effect.promise(async () => {
      const response = await fetch(ARI_URL + path, {
        method,
        headers: { authorization, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) })
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>)
    })
  const put = (type: string, fields: Fields, id = "acme") =>
    ask("PUT", `/asterisk/config/dynamic/res_pjsip/${type}/${id}`, {
      fields: Object.entries(fields).map(([attribute, value]) => ({ attribute, value }))
    })

  const account = Effect.gen(function* () {
    yield* Effect.promise(() => writeFile(join(own, "asterisk/etc/extensions.conf"), dialplan))
    yield* ask("PUT", "/asterisk/modules/pbx_config.so")
    yield* put("auth", { auth_type: "userpass", username: "acme", password: "right" })
    yield* put("aor", { max_contacts: "1", remove_existing: "yes", maximum_expiration: `${granted_seconds}` })
    yield* put("endpoint", {
      aors: "acme",
      auth: "acme",
      context: "provider",
      disallow: "all",
      allow: "ulaw,alaw",
      direct_media: "no"
    })
    yield* put("identify", { endpoint: "acme", match: "127.0.0.1" })
  })
  yield* account
  return {
    /** `vanishes` kills the provider. When it is started again, it has its account. */
    vanishes: asterisk.kill,
    returns: Effect.andThen(asterisk.start, account),
    sip_port: asterisk.sip_port,
    tls_port: asterisk.sip_port + 1,
    /** Requires SRTP (`true`), or does not support it (`false`). */
    encrypts: (on: boolean) => put("endpoint", { media_encryption: on ? "sdes" : "no", callerid: "" }),
    /** Calls the number at the contact that the account registered. */
    calls: (number: string, from: string) =>
      Effect.gen(function* () {
        // The contact of an account can be read only through a channel.
        yield* ask("POST", "/channels/create", { endpoint: "Local/s@provider", app: "provider", channelId: "lookup" })
        const { value } = yield* ask(
          "GET",
          `/channels/lookup/variable?variable=${encodeURIComponent("PJSIP_DIAL_CONTACTS(acme)")}`
        )
        yield* ask("DELETE", "/channels/lookup")
        const endpoint = String(value).replace(/sip:[^@]*@/, `sip:${number}@`)
        yield* ask("POST", "/channels", {
          endpoint,
          extension: "talks",
          context: "provider",
          priority: 1,
          callerId: from
        })
      })
  }
})
