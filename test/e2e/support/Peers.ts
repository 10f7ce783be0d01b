// The peers of the engine on loopback: an Asterisk for the test, and SIPp as its carrier.
import { Data, Effect } from "effect"
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { freePorts as reservePorts } from "../../support/Ports.ts"
import { until, untilHolds } from "../../support/Until.ts"
import { carrierScenario, type Greetings } from "./CarrierScenario.ts"

export class PeerFailed extends Data.TaggedError("PeerFailed")<{ readonly message: string }> {}

const run = promisify(execFile)
const scripts = join(import.meta.dirname, "../../../scripts/asterisk")

/** The first of `count` consecutive ports that stay reserved. SIP takes two: the second one is for TLS. */
export const freePorts = (count = 2) => reservePorts(count)

export const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "trunkline-e2e-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

const ended = (child: ChildProcess) =>
  Effect.callback<number | null>((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.succeed(child.exitCode))
    child.once("exit", (code) => resume(Effect.succeed(code)))
  })

/** The end of what a process writes to stderr. */
const complaintsOf = (child: ChildProcess) => {
  let text = ""
  child.stderr?.on("data", (chunk: Buffer) => (text = (text + chunk.toString()).slice(-2_000)))
  return () => text
}

/** Starts SIPp. It is killed when the scope closes, unless it has exited before. */
export const sipp = (options: {
  readonly folder: string
  readonly scenario: string
  readonly args: ReadonlyArray<string>
}) =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const file = join(options.folder, `scenario-${randomUUID()}.xml`)
      yield* Effect.promise(() => writeFile(file, options.scenario))
      return spawn("sipp", ["-sf", file, "-nostdin", ...options.args], {
        cwd: options.folder,
        stdio: ["ignore", "ignore", "pipe"]
      })
    }),
    (child) =>
      Effect.andThen(
        Effect.sync(() => child.kill("SIGKILL")),
        ended(child)
      )
  ).pipe(Effect.map((child) => ({ child, complaints: complaintsOf(child), ended: ended(child) })))

const greetings = {
  person: "Hello?",
  machine:
    "Hello. You have reached the voice mail of Mary. I can not come to the telephone now. Please leave a message after the tone."
} as const

/** Makes the audio file of a greeting: half a second of silence, the text, and silence. */
const spoken = (folder: string, name: keyof Greetings) =>
  Effect.promise(async () => {
    const [wav, file] = [join(folder, `${name}.wav`), join(folder, `${name}.al`)]
    await run("espeak-ng", ["-v", "en-us", "-w", wav, greetings[name]])
    await run("sox", [wav, "-r", "8000", "-c", "1", "-t", "al", file, "pad", "0.5", "5"])
    return file
  })

/**
 * Runs the scenario once against an Asterisk, from this address. Returns SIPp's exit status: 0 if it succeeded.
 * Otherwise the test prints what SIPp complained of.
 */
export const plays = (
  { folder, sip_port }: { readonly folder: string; readonly sip_port: number },
  scenario: string,
  { host = "127.0.0.1", port }: { readonly host?: string; readonly port?: number } = {}
) => {
  const from = ["-i", host, ...(port === undefined ? [] : ["-p", `${port}`])]
  return Effect.flatMap(
    sipp({ folder, scenario, args: [`127.0.0.1:${sip_port}`, ...from, "-m", "1", "-timeout", "15"] }),
    ({ complaints, ended }) =>
      Effect.tap(ended, (code) =>
        code === 0 ? Effect.void : Effect.logInfo(`SIPp ended with ${code}: ${complaints()}`)
      )
  ).pipe(Effect.scoped)
}

interface Place {
  readonly host: string
  readonly port: number
}

/** As the kernel lists sockets: the bytes of the address in reverse, and the port. */
const listed = ({ host, port }: Place): string => {
  const address = Buffer.from(host.split(".").map(Number)).reverse().toString("hex")
  return `: ${address}:${port.toString(16).padStart(4, "0")} `.toUpperCase()
}

/** Whether something receives UDP at this address of loopback. A probe that bound it could take it from SIPp. */
const isBound = (place: Place) =>
  Effect.promise(async () => (await readFile("/proc/net/udp", "utf8")).includes(listed(place)))

/** Answers calls according to `carrierScenario`, from when this returns. Audio goes to these ports. */
export const answersCalls = Effect.fnUntraced(function* (
  folder: string,
  { host, port }: Place,
  media_port: number,
  presses_port = media_port
) {
  const files = { person: yield* spoken(folder, "person"), machine: yield* spoken(folder, "machine") }
  const { child, complaints } = yield* sipp({
    folder,
    scenario: carrierScenario(media_port, presses_port, files),
    args: ["-aa", "-i", host, "-p", `${port}`, "-mp", `${yield* freePorts(4)}`]
  })
  // Until it receives, Asterisk would take the phone for one that is switched off.
  yield* until("SIPp that receives", isBound({ host, port }), (bound) => bound || child.exitCode !== null)
  if (child.exitCode !== null) return yield* Effect.die(new Error(`SIPp ended with ${child.exitCode}: ${complaints()}`))
})

export interface Asterisk {
  /** The settings with which an engine connects to it. */
  readonly settings: Readonly<Record<string, string>>
  readonly sip_port: number
  readonly start: Effect.Effect<void, PeerFailed>
  /** Kills the process at once. Returns when it has exited. */
  readonly kill: Effect.Effect<void>
  /** Stops the process, and lets it go on after this time. */
  readonly pauseFor: (ms: number) => Effect.Effect<void>
  /** Its current channels. */
  readonly channels: Effect.Effect<ReadonlyArray<{ readonly id: string }>>
  /** Its current bridges. */
  readonly bridges: Effect.Effect<ReadonlyArray<{ readonly id: string }>>
  /** The seconds that the channel's own timer has left. */
  readonly clockOf: (channel: string) => Effect.Effect<number>
  /** Hangs up all channels. */
  readonly clear: Effect.Effect<void>
}

const settingsIn = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split("\n").flatMap((line) => {
      const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(line) ?? []
      return name === undefined ? [] : [[name, value!]]
    })
  )

/** The addresses at which an Asterisk of the tests may listen with TLS. */
const certified = "DNS:localhost,IP:127.0.0.1,IP:127.0.0.4"

/** Makes the certificate that the script would make, for all these addresses. */
const makeCertificate = async (folder: string) => {
  await mkdir(folder, { recursive: true })
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")]
  if (existsSync(key)) return
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "3650"]
  const about = ["-subj", "/CN=localhost", "-addext", `subjectAltName=${certified}`]
  await run("openssl", ["req", ...kind, ...about, "-keyout", key, "-out", certificate])
}

/**
 * Starts an Asterisk. Inbound calls come from the carrier's address or `caller_host`. `legs` sets the RTP port range.
 */
export const makeAsterisk = Effect.fnUntraced(function* (options: {
  readonly folder: string
  readonly carrier_port: number
  readonly caller_host: string
  readonly legs?: number
  /** URL on which the engine listens. Absent: Asterisk waits for the engine to connect. */
  readonly engine?: string
  /** Seconds without audio after which it ends a call over the carrier. Absent: never. */
  readonly silence_seconds?: number
  /** Where SIP listens. */
  readonly bind?: string
  /** Further variables of the scripts. */
  readonly env?: Readonly<Record<string, string>>
}) {
  const { bind = "127.0.0.1", caller_host, carrier_port, engine, env = {}, legs = 100, silence_seconds = 0 } = options
  const home = join(options.folder, "asterisk")
  const sip_port = yield* freePorts()
  const rtp = yield* freePorts(2 * legs)
  const environment = {
    ...process.env,
    SIP_BIND: bind,
    SIP_PORT: `${sip_port}`,
    CARRIER_SIP_PORT: `${yield* freePorts()}`,
    HTTP_PORT: `${yield* freePorts()}`,
    RTP_START: `${rtp}`,
    RTP_END: `${rtp + 2 * legs - 1}`,
    TLS_CA: join(home, "tls/certificate.pem"),
    RTP_TIMEOUT: `${silence_seconds}`,
    CARRIER: `127.0.0.1:${carrier_port}`,
    CARRIER_FROM: `127.0.0.1:${carrier_port},${caller_host}`,
    ...(engine !== undefined && { ARI_LISTEN: engine }),
    ...env
  }
  const script = (name: string) =>
    Effect.tryPromise({
      try: async () => (await run(join(scripts, name), [home], { env: environment })).stdout,
      catch: (cause) => new PeerFailed({ message: String(cause) })
    })
  const pid = Effect.promise(async () => Number(await readFile(join(home, "pid"), "utf8")))
  const alive = (pid: number) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  yield* Effect.promise(() => makeCertificate(join(home, "tls")))
  const settings = settingsIn(yield* script("up"))
  yield* Effect.addFinalizer(() => Effect.ignore(script("down")))
  const kill = Effect.flatMap(pid, (pid) =>
    Effect.andThen(
      Effect.sync(() => process.kill(pid, "SIGKILL")),
      untilHolds("end of Asterisk", () => !alive(pid))
    )
  )
  const authorization = `Basic ${Buffer.from(`${settings["ARI_USERNAME"]}:${settings["ARI_PASSWORD"]}`).toString("base64")}`
  const ask = (path: string, method = "GET") =>
    fetch(`${settings["ARI_URL"]}${path}`, { method, headers: { authorization } })
  const list = (path: string) =>
    Effect.promise(async () => (await (await ask(path)).json()) as Array<{ readonly id: string }>)
  const channels = list("/channels")
  const asterisk: Asterisk = {
    settings,
    sip_port,
    start: Effect.asVoid(script("up")),
    kill: Effect.asVoid(kill),
    pauseFor: (ms) =>
      Effect.flatMap(pid, (pid) =>
        Effect.acquireUseRelease(
          Effect.sync(() => process.kill(pid, "SIGSTOP")),
          () => Effect.sleep(ms),
          () => Effect.sync(() => process.kill(pid, "SIGCONT"))
        )
      ),
    channels,
    bridges: list("/bridges"),
    clockOf: (channel) =>
      Effect.promise(async () =>
        Number(
          (
            (await (await ask(`/channels/${channel}/variable?variable=TIMEOUT(absolute)`)).json()) as {
              readonly value: string
            }
          ).value
        )
      ),
    clear: Effect.flatMap(
      channels,
      Effect.forEach(({ id }) => Effect.promise(() => ask(`/channels/${id}`, "DELETE")), { discard: true })
    )
  }
  return asterisk
})
