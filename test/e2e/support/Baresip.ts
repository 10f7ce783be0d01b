// A softphone (https://github.com/baresip/baresip), which has a SIP stack of its own. It speaks a steady tone.
import { Data, Effect, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { readdir, readFile, mkdir, writeFile } from "node:fs/promises"
import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { PbxWorld } from "./PbxWorld.ts"
import { plainProfile } from "./PlainProfile.ts"
import { until } from "../../support/Until.ts"
import { freePorts } from "./Peers.ts"
import type { credential } from "./Phones.ts"

export class BaresipFailed extends Data.TaggedError("BaresipFailed")<{ readonly message: string }> {}

/** An event of its control connection, such as `CALL_INCOMING`, `CALL_ESTABLISHED` or `CALL_CLOSED`. */
export interface BaresipEvent {
  readonly type: string
  readonly param?: string
  readonly peeruri?: string
}

export interface Baresip {
  /** Waits for the first event of this type. */
  readonly event: (type: string) => Effect.Effect<BaresipEvent, BaresipFailed>
  /** Carries out a command of its menu: `accept`, `hangup`, or `dial` with a SIP URI. */
  readonly command: (command: string, params?: string) => Effect.Effect<void>
  /** What it has printed. */
  readonly output: () => string
  /** The seconds of sound other than silence that it has decoded. It is complete when the call is over. */
  readonly heard_s: Effect.Effect<number>
}

/** Where Debian's package has them. */
const modules = "/usr/lib/baresip/modules"
const header_bytes = 44
const sample_bytes = 2
const samples_per_second = 8_000
const loud = 1_000

/** One control message: JSON in a netstring, `<length>:<text>,`. */
const netstring = (message: object): string => {
  const text = JSON.stringify(message)
  return `${Buffer.byteLength(text)}:${text},`
}

/** Splits what was received into whole messages and the rest. */
const messagesIn = (received: string): readonly [ReadonlyArray<object>, string] => {
  const messages: Array<object> = []
  let rest = received
  for (let found = /^(\d+):/.exec(rest); found !== null; found = /^(\d+):/.exec(rest)) {
    const start = found[0].length
    const end = start + Number(found[1])
    if (rest.length <= end) break
    messages.push(JSON.parse(rest.slice(start, end)) as object)
    rest = rest.slice(end + 1)
  }
  return [messages, rest]
}

const configuration = (home: string, sip_port: number, control_port: number): string => `
sip_listen 127.0.0.1:${sip_port}
net_interface 127.0.0.1
audio_source ausine,440
ausrc_srate 48000
ausrc_channels 2
snd_path ${home}
module_path ${modules}
module g711.so
module ausine.so
module sndfile.so
module srtp.so
module dtls_srtp.so
module_tmp account.so
module_app menu.so
module_app ctrl_tcp.so
ctrl_tcp_listen 127.0.0.1:${control_port}
`

const exited = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
  })

const control = (port: number): Effect.Effect<Socket, never, Scope.Scope> =>
  Effect.acquireRelease(
    until(
      "control connection of baresip",
      Effect.callback<Socket | string>((resume) => {
        const socket = connect(port, "127.0.0.1", () => resume(Effect.succeed(socket)))
        socket.on("error", ({ message }) => resume(Effect.succeed(message)))
      }),
      (opened): opened is Socket => typeof opened !== "string"
    ),
    (socket) => Effect.sync(() => socket.destroy())
  )

/** The seconds in which a mono recording of 16-bit samples is loud. */
const loudSeconds = (wav: Buffer): number => {
  let samples = 0
  for (let at = header_bytes; at + sample_bytes <= wav.length; at += sample_bytes)
    if (Math.abs(wav.readInt16LE(at)) > loud) samples++
  return samples / samples_per_second
}

/** How it is told to encrypt: by keys in SDP or by DTLS, and not to talk otherwise. */
const encryption = { none: "", sdes: ";mediaenc=srtp-mand", dtls: ";mediaenc=dtls_srtp" } as const

/** Starts a softphone that registers with this credential. It is killed when the scope closes. */
export const baresip = Effect.fnUntraced(function* (
  user: Effect.Success<ReturnType<typeof credential>>,
  encrypts: keyof typeof encryption = "none"
) {
  const { asterisk, folder } = yield* PbxWorld
  const port = yield* freePorts()
  const control_port = yield* freePorts()
  const home = join(folder, `baresip-${port}`)
  const hop =
    encrypts === "dtls"
      ? `;outbound="sip:127.0.0.1:${yield* plainProfile({ phone: port, asterisk: asterisk.sip_port })}"`
      : ""
  const account = `<sip:${user.username}@127.0.0.1:${asterisk.sip_port}>;auth_pass=${user.password};answermode=manual;regint=60${encryption[encrypts]}${hop}`
  yield* Effect.promise(async () => {
    await mkdir(home)
    await writeFile(join(home, "config"), configuration(home, port, control_port))
    await writeFile(join(home, "accounts"), `${account}\n`)
  })
  let output = ""
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn("baresip", ["-f", home], { stdio: ["ignore", "pipe", "pipe"] })
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (chunk: Buffer) => void (output += chunk.toString()))
      child.on("error", ({ message }) => void (output += message))
      return child
    }),
    (child) =>
      Effect.andThen(
        Effect.sync(() => child.kill("SIGKILL")),
        exited(child)
      )
  )
  const socket = yield* control(control_port)
  const events: Array<BaresipEvent> = []
  let received = ""
  socket.setEncoding("utf8").on("data", (text: string) => {
    const [messages, rest] = messagesIn(received + text)
    received = rest
    for (const message of messages) if ("event" in message) events.push(message as unknown as BaresipEvent)
  })
  const phone: Baresip = {
    event: (type) =>
      Effect.map(
        until(
          `${type} from baresip`,
          Effect.sync(() => events),
          (seen) => seen.some((event) => event.type === type)
        ),
        (seen) => seen.find((event) => event.type === type)!
      ).pipe(Effect.tapCause(() => Effect.logError(output))),
    command: (command, params) =>
      Effect.sync(() => void socket.write(netstring({ command, ...(params !== undefined && { params }) }))),
    output: () => output,
    heard_s: Effect.promise(async () => {
      const files = (await readdir(home)).filter((name) => name.endsWith("-dec.wav"))
      const recordings = await Promise.all(files.map((name) => readFile(join(home, name))))
      return recordings.reduce((seconds, wav) => seconds + loudSeconds(wav), 0)
    })
  }
  yield* Effect.catchDefect(user.registrations(1), (defect) =>
    Effect.fail(new BaresipFailed({ message: `It does not register: ${String(defect)}\n${output}` }))
  )
  return phone
})
