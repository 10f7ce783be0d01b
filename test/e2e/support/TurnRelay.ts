// A TURN relay (https://github.com/coturn/coturn) for the media of browsers.
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { folder, freePorts } from "./Peers.ts"

const turn_secret = "the relays know this secret"
const relay_ports = 200

/** Starts a relay, and returns the settings of an engine whose browsers use it. It is killed when the scope closes. */
export const makeTurnRelay = Effect.gen(function* () {
  const home = yield* folder
  const port = yield* freePorts()
  const relayed = yield* freePorts(relay_ports)
  yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(
        "turnserver",
        [
          "-n",
          "--log-file",
          "stdout",
          "--no-cli",
          "--no-tls",
          "--no-dtls",
          "--allow-loopback-peers",
          "--cli-password",
          "unused",
          "--pidfile",
          `${home}/pid`,
          "--userdb",
          `${home}/users`,
          "--realm",
          "e2e",
          "--use-auth-secret",
          "--static-auth-secret",
          turn_secret,
          "--listening-ip",
          "127.0.0.1",
          "--listening-port",
          `${port}`,
          "--relay-ip",
          "127.0.0.1",
          "--min-port",
          `${relayed}`,
          "--max-port",
          `${relayed + relay_ports - 1}`
        ],
        { cwd: home, stdio: "ignore" }
      )
    ),
    (child) =>
      Effect.promise(async () => {
        if (child.exitCode !== null || child.signalCode !== null || !child.kill("SIGKILL")) return
        await once(child, "exit")
      })
  )
  return { TURN_URLS: `turn:127.0.0.1:${port}?transport=udp`, TURN_SECRET: turn_secret }
})
