// scripts/asterisk/up and down, as an operator runs them.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile, spawn } from "node:child_process"
import { createSocket } from "node:dgram"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { connect } from "node:tls"
import { promisify } from "node:util"
import { folder, freePorts } from "./support/Peers.ts"
import { until } from "../support/Until.ts"

const run = (script: "up" | "down", home: string, env: NodeJS.ProcessEnv = {}) =>
  Effect.promise(
    () =>
      new Promise<{ readonly code: number | null; readonly output: string }>((resolve) => {
        const path = join(import.meta.dirname, "../../scripts/asterisk", script)
        const child = spawn(path, [home], { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] })
        let output = ""
        for (const stream of [child.stdout, child.stderr])
          stream.on("data", (chunk: Buffer) => (output += chunk.toString()))
        child.once("exit", (code) => resolve({ code, output }))
      })
  )

const makeHome = Effect.gen(function* () {
  const home = yield* folder
  const ports = {
    SIP_PORT: String(yield* freePorts()),
    CARRIER_SIP_PORT: String(yield* freePorts()),
    HTTP_PORT: String(yield* freePorts())
  }
  const env = { ...ports, TLS_PORT: String(yield* freePorts()), AMI_PORT: String(yield* freePorts()) }
  yield* Effect.addFinalizer(() => run("down", home))
  return { home, env, pid: Effect.promise(async () => Number(await readFile(join(home, "pid"), "utf8"))) }
})

const responds = (output: string) =>
  Effect.promise(async () => {
    const settings = new Map(output.split("\n").map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]))
    const name = `${settings.get("ARI_USERNAME")}:${settings.get("ARI_PASSWORD")}`
    const authorization = `Basic ${Buffer.from(name).toString("base64")}`
    const { status } = await fetch(`${settings.get("ARI_URL")}/asterisk/info`, { headers: { authorization } })
    return status
  })

/** Sends OPTIONS by UDP and returns the first line of the response. */
const asksOptions = (host: string, port: string) =>
  Effect.callback<string>((resume) => {
    const socket = createSocket(host.includes(":") ? "udp6" : "udp4")
    socket.once("message", (response) => resume(Effect.succeed(response.toString().split("\r\n")[0]!)))
    const at = host.includes(":") ? `[${host}]` : host
    const lines = [
      `OPTIONS sip:${at}:${port} SIP/2.0`,
      `Via: SIP/2.0/UDP ${at}:5099;rport;branch=z9hG4bK1`,
      `From: <sip:somebody@${at}>;tag=1`,
      `To: <sip:${at}>`,
      "Call-ID: 1",
      "CSeq: 1 OPTIONS",
      "Max-Forwards: 70",
      "Content-Length: 0"
    ]
    socket.send(`${lines.join("\r\n")}\r\n\r\n`, Number(port), host)
    return Effect.sync(() => socket.close())
  }).pipe(Effect.timeout("5 seconds"))

/** Makes a certificate of this name with its key. */
const makeCertificate = (home: string, name: string) =>
  Effect.promise(async () => {
    const TLS_CERTIFICATE = join(home, "own.pem")
    const TLS_KEY = join(home, "own-key.pem")
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    const files = ["-keyout", TLS_KEY, "-out", TLS_CERTIFICATE]
    await promisify(execFile)("openssl", ["req", "-x509", ...curve, "-subj", `/CN=${name}`, ...files])
    return { TLS_CERTIFICATE, TLS_KEY }
  })

/** The name in the certificate that is shown at this address. */
const shownAt = (host: string, port: string) =>
  Effect.callback<string | undefined>((resume) => {
    const socket = connect({ host, port: Number(port), rejectUnauthorized: false }, () =>
      resume(Effect.succeed(String(socket.getPeerCertificate().subject["CN"])))
    )
    socket.once("error", () => resume(Effect.undefined))
    return Effect.sync(() => socket.destroy())
  }).pipe(Effect.timeout("5 seconds"))

describe("scripts/asterisk/up", () => {
  it.live("starts Asterisk with the addresses and certificate of phones outside the machine, IPv6 too", () =>
    Effect.gen(function* () {
      const { env, home } = yield* makeHome
      const outside = {
        SIP_BIND: "0.0.0.0",
        SIP_BIND6: "::",
        EXTERNAL_ADDRESS: "203.0.113.7",
        // These are addresses of the machine itself, which the firewall rules allow only by name.
        LOCAL_NETWORKS: "127.0.0.1,::1",
        ...(yield* makeCertificate(home, "sip.voice.example"))
      }
      const { code, output } = yield* run("up", home, { ...env, ...outside })
      assert.strictEqual(code, 0, output)
      for (const host of ["127.0.0.2", "::1"])
        assert.strictEqual(yield* asksOptions(host, env.SIP_PORT), "SIP/2.0 401 Unauthorized", host)
      for (const host of ["127.0.0.1", "::1"])
        assert.strictEqual(yield* shownAt(host, env.TLS_PORT), "sip.voice.example", host)
    }).pipe(Effect.scoped)
  )

  it.live.each(["SIGKILL", "SIGTERM"] as const)("starts Asterisk right after it received %s", (signal) =>
    Effect.gen(function* () {
      const { env, home, pid } = yield* makeHome
      const up = yield* run("up", home, env)
      assert.strictEqual(up.code, 0, up.output)
      const first = yield* pid
      process.kill(first, signal)
      const again = yield* run("up", home, env)
      assert.strictEqual(again.code, 0, again.output)
      assert.notStrictEqual(yield* pid, first)
      assert.strictEqual(yield* responds(again.output), 200)
      assert.include(again.output, `SIP_PORT=${env.SIP_PORT}`)
    }).pipe(Effect.scoped)
  )

  it.live("keeps the log of a flooded Asterisk small, and the log before it", () =>
    Effect.gen(function* () {
      const { env, home } = yield* makeHome
      const up = yield* run("up", home, { ...env, LOG_MAX_MB: "0", LOG_CHECK_SECONDS: "0.2" })
      assert.strictEqual(up.code, 0, up.output)
      const log = join(home, "log")
      // Between the move of the old log and the start of the new one there is none.
      const read = Effect.promise(() => readFile(join(log, "messages"), "utf8").catch(() => undefined))
      const first = yield* until("log of Asterisk", read, (text) => text !== undefined)
      for (let count = 0; count < 5; count++) {
        assert.strictEqual(yield* asksOptions("127.0.0.1", env.SIP_PORT), "SIP/2.0 401 Unauthorized")
        yield* Effect.sleep("400 millis")
      }
      const logs = Effect.promise(async () => (await readdir(log)).filter((name) => name.startsWith("messages")).sort())
      yield* until("pair of logs", logs, (names) => names.join() === "messages,messages.0")
      assert.notStrictEqual(yield* Effect.promise(() => readFile(join(log, "messages.0"), "utf8")), first)
    }).pipe(Effect.scoped)
  )

  it.live("says why where Asterisk does not start", () =>
    Effect.gen(function* () {
      const { env, home } = yield* makeHome
      const other = yield* makeHome
      const up = yield* run("up", home, env)
      assert.strictEqual(up.code, 0, up.output)
      const { code, output } = yield* run("up", other.home, env)
      assert.strictEqual(code, 1, output)
      assert.include(output, `port ${env.HTTP_PORT}`)
      assert.notInclude(output, "ARI_URL=")
    }).pipe(Effect.scoped)
  )
})
