// The provider of a chat app: a second Asterisk, which calls and is called over TLS with a certificate of its own. It
// knows each number of a business by a password, and speaks a tone in each call.
import { Effect } from "effect"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { WebSocket } from "ws"
import { muLawOf } from "../../../src/domain/sounds/MuLaw.ts"
import { wavHeader } from "../../../src/domain/recordings/Wav.ts"
import { amplitudeOf } from "../../support/StreamApplication.ts"
import { until } from "../../support/Until.ts"
import type { Authority } from "./Authority.ts"
import { freePorts, makeAsterisk } from "./Peers.ts"

/** Its address, and the tone that its users speak. */
export const chat_app_host = "127.0.0.4"
export const spoken_hz = 650
/** A user who is busy. */
export const busy_user = "+254799000486"
/** How long the tone lasts. */
const spoken_seconds = 60
const app = "users"

interface Heard {
  readonly type: string
  readonly channel?: {
    readonly id: string
    readonly state: string
    readonly caller: { readonly number: string }
    readonly dialplan: { readonly exten: string }
  }
  readonly args?: ReadonlyArray<string>
  readonly tech_cause?: number
}

export interface BusinessNumber {
  /** The number in E.164. */
  readonly number: string
  readonly password: string
}

/** How a user of the chat app calls. */
export interface UserCall {
  /** The PBX's port of SIP, beside which it listens for TLS. */
  readonly sip_port: number
  /** The called number. */
  readonly to: string
  /** With whose user name and password. */
  readonly as: BusinessNumber
  readonly transport?: "tls" | "udp"
  readonly from?: string
}

const digits = (number: string): string => number.replace(/^\+/, "")

const dialplan = `[general]
static = yes
[users]
exten => _+X.,1,Stasis(${app},called)
 same => n,Hangup()
exten => ${busy_user},1,Hangup(17)
`

/** The tone as a WAV file of 8 kHz and 16 bit. */
const tone = () => {
  const rate = 8_000
  const sample = (_: unknown, at: number) => 8_000 * Math.sin((2 * Math.PI * spoken_hz * at) / rate)
  const audio = Buffer.from(Int16Array.from({ length: spoken_seconds * rate }, sample).buffer)
  return Buffer.concat([wavHeader({ channels: 1, rate, data_bytes: audio.length }), audio])
}

/** The samples of a WAV file of 8 kHz and 16 bit. */
const samplesIn = (wav: Buffer): ReadonlyArray<number> => {
  const audio = wav.subarray(wav.indexOf("data") + 8)
  return Array.from({ length: Math.floor(audio.length / 2) }, (_, index) => audio.readInt16LE(index * 2))
}

/** The amplitude of a frequency in such a file. */
export const amplitudeInWav = (wav: Buffer, hz: number): number =>
  amplitudeOf(Buffer.from(samplesIn(wav).map(muLawOf)), hz)

/** Starts the provider. */
export const makeChatAppProvider = Effect.fnUntraced(function* (folder: string, authority: Authority) {
  const own = join(folder, "chat-app")
  const { certificate, key } = yield* authority.certifies("provider", `IP:${chat_app_host}`)
  const asterisk = yield* makeAsterisk({
    folder: own,
    carrier_port: yield* freePorts(),
    caller_host: "127.0.0.9",
    bind: chat_app_host,
    env: { TLS_CERTIFICATE: certificate, TLS_KEY: key, TLS_CA: authority.file }
  })
  const { ARI_PASSWORD, ARI_URL, ARI_USERNAME } = asterisk.settings
  const authorization = `Basic ${Buffer.from(`${ARI_USERNAME}:${ARI_PASSWORD}`).toString("base64")}`
  const events: Array<Heard> = []
  let socket: WebSocket | undefined
  /** Until the provider vanishes. */
  const follow = Effect.callback<void>((resume) => {
    socket = new WebSocket(`${ARI_URL!.replace("http", "ws")}/events?app=${app}`, { headers: { authorization } })
    socket.on("message", (text) => void events.push(JSON.parse(String(text)) as Heard))
    socket.on("error", () => {})
    socket.once("open", () => resume(Effect.void))
  })
  yield* Effect.addFinalizer(() => Effect.sync(() => socket?.terminate()))
  const send = (method: string, path: string, body?: unknown) =>
    Effect.promise(() =>
      fetch(ARI_URL + path, {
        method,
        headers: { authorization, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) })
      })
    )
  const ask = (method: string, path: string, body?: unknown) =>
    Effect.flatMap(send(method, path, body), (response) =>
      response.ok
        ? Effect.void
        : Effect.promise(async () => {
            throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
          })
    )
  const put = (type: string, id: string, fields: Readonly<Record<string, string>>) =>
    ask("PUT", `/asterisk/config/dynamic/res_pjsip/${type}/${id}`, {
      fields: Object.entries(fields).map(([attribute, value]) => ({ attribute, value }))
    })
  const media = { disallow: "all", allow: "opus", media_encryption: "sdes", direct_media: "no", timers: "no" }

  const businesses: Array<BusinessNumber> = []
  /** Lets the number be called and call with this password. */
  const serves = (business: BusinessNumber) =>
    Effect.gen(function* () {
      const id = digits(business.number)
      businesses.push(business)
      yield* put("auth", id, { auth_type: "userpass", username: id, password: business.password })
      yield* put("endpoint", id, { ...media, auth: id, identify_by: "auth_username", context: "users" })
    })
  const speech = join(own, "speech")
  const begin = Effect.gen(function* () {
    yield* Effect.promise(async () => {
      await writeFile(`${speech}.wav`, tone())
      await writeFile(join(own, "asterisk/etc/extensions.conf"), dialplan)
    })
    yield* ask("PUT", "/asterisk/modules/pbx_config.so")
    yield* follow
  })
  yield* begin

  const of = (id: string) => events.filter(({ channel }) => channel?.id === id)
  const comes = (id: string, what: string, wanted: (event: Heard) => boolean) =>
    until(
      `${what} of ${id}`,
      Effect.sync(() => of(id).find(wanted)),
      (event) => event !== undefined
    )
  const enters = (id: string) => comes(id, "channel", ({ type }) => type === "StasisStart")
  /** Keeps what the user hears from now on. */
  const listens = (id: string) =>
    Effect.gen(function* () {
      const ear = `ear-${id}`
      yield* ask("POST", `/channels/${id}/snoop/${ear}`, { spy: "in", app })
      yield* enters(ear)
      yield* ask("POST", `/channels/${ear}/record`, { name: `heard-${id}`, format: "wav", ifExists: "overwrite" })
    })
  const speaks = (id: string) => ask("POST", `/channels/${id}/play`, { media: `sound:${speech}` })
  const met = new Set<string>()
  let calls = 0
  return {
    tls_port: asterisk.sip_port + 1,
    serves,
    /** Kills it. When it is started again, it serves the same numbers. */
    vanishes: asterisk.kill,
    returns: Effect.gen(function* () {
      yield* asterisk.start
      yield* begin
      yield* Effect.forEach(businesses.splice(0), serves, { discard: true })
    }),
    /** A user calls. Returns the channel, and the SIP code of the refusal unless the call is answered. */
    calls: ({ as, from = "+254799000001", sip_port, to, transport = "tls" }: UserCall) =>
      Effect.gen(function* () {
        const id = `user-${++calls}`
        const port = transport === "tls" ? sip_port + 1 : sip_port
        yield* put("auth", id, { auth_type: "userpass", username: digits(as.number), password: as.password })
        yield* put("aor", id, { contact: `sip:127.0.0.1:${port};transport=${transport}` })
        yield* put("endpoint", id, { ...media, transport, aors: id, outbound_auth: id, from_domain: chat_app_host })
        const variables = { "CALLERID(all)": from, "CONNECTEDLINE(all,i)": from }
        yield* ask("POST", "/channels/create", { endpoint: `PJSIP/${to}@${id}`, app, channelId: id, variables })
        yield* enters(id)
        // What it hears before an answer counts too.
        yield* listens(id)
        yield* ask("POST", `/channels/${id}/dial`, { timeout: 60 })
        const { tech_cause, type } = yield* comes(
          id,
          "answer",
          ({ channel, type }) => type === "ChannelDestroyed" || channel?.state === "Up"
        )
        if (type === "ChannelDestroyed") return { id, refused_with: tech_cause ?? 0 }
        yield* speaks(id)
        return { id }
      }),
    /** Answers a call to a user. Returns its channel, who calls and whom. */
    answers: Effect.gen(function* () {
      const { channel } = yield* until(
        "call to a user",
        Effect.sync(() =>
          events.find(
            ({ args, channel, type }) => type === "StasisStart" && args?.[0] === "called" && !met.has(channel!.id)
          )
        ),
        (event) => event !== undefined
      )
      const { caller, dialplan, id } = channel!
      met.add(id)
      yield* ask("POST", `/channels/${id}/answer`)
      yield* listens(id)
      yield* speaks(id)
      return { id, from: caller.number, to: dialplan.exten }
    }),
    hangsUp: (id: string) => Effect.asVoid(send("DELETE", `/channels/${id}`)),
    /** Whether the call is over. */
    isOver: (id: string) => of(id).some(({ type }) => type === "StasisEnd" || type === "ChannelDestroyed"),
    /** Stops listening. Returns the amplitudes of what the user has heard, and for how long it was loud. */
    heard: (id: string) =>
      Effect.gen(function* () {
        yield* send("POST", `/recordings/live/heard-${id}/stop`)
        const response = yield* until("recording", send("GET", `/recordings/stored/heard-${id}/file`), ({ ok }) => ok)
        const wav = Buffer.from(yield* Effect.promise(() => response.arrayBuffer()))
        return {
          amplitude: (hz: number) => amplitudeInWav(wav, hz),
          loud_ms: samplesIn(wav).filter((sample) => Math.abs(sample) > 1_000).length / 8
        }
      })
  }
})
