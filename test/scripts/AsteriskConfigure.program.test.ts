// What scripts/asterisk/configure writes. Whether Asterisk reads it is tested in test/e2e.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "trunkline-configure-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

const configure = (env: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const home = yield* folder
    return yield* Effect.promise(async () => {
      await mkdir(join(home, "root"))
      const script = join(import.meta.dirname, "../../scripts/asterisk/configure")
      const given = { PATH: process.env["PATH"], ARI_PASSWORD: "secret", ...env }
      await promisify(execFile)(script, [join(home, "root"), join(home, "run")], { env: given })
      return async (name: string) => await readFile(join(home, "run/etc", name), "utf8")
    })
  })

const section = (text: string, name: string): string =>
  text.split(/^(?=\[)/m).find((s) => s.startsWith(`[${name}]`)) ?? ""

describe("scripts/asterisk/configure", () => {
  it.live("opens SIP and media on loopback only by default", () =>
    Effect.gen(function* () {
      const read = yield* configure({})
      const pjsip = yield* Effect.promise(() => read("pjsip.conf"))
      assert.deepStrictEqual(
        [...pjsip.matchAll(/^bind = (.*)$/gm)].map(([, bind]) => bind!.split(":")[0]),
        pjsip.match(/^bind = .*$/gm)!.map(() => "127.0.0.1")
      )
      assert.include(pjsip, "media_address = 127.0.0.1")
      assert.notInclude(pjsip, "external_")
      assert.notInclude(pjsip, "[udp6]")
    }).pipe(Effect.scoped)
  )

  it.live("opens SIP to phones behind a NAT and by IPv6, and nothing else", () =>
    Effect.gen(function* () {
      const LOCAL_NETWORKS = "10.0.0.0/8,192.168.0.0/16"
      const read = yield* configure({
        SIP_BIND: "0.0.0.0",
        SIP_BIND6: "::",
        EXTERNAL_ADDRESS: "203.0.113.7",
        LOCAL_NETWORKS
      })
      const pjsip = yield* Effect.promise(() => read("pjsip.conf"))
      for (const name of ["udp", "tcp"]) {
        const transport = section(pjsip, name)
        assert.include(transport, "bind = 0.0.0.0:15060\n")
        assert.include(transport, "external_signaling_address = 203.0.113.7\nexternal_media_address = 203.0.113.7\n")
        assert.include(transport, "local_net = 10.0.0.0/8\nlocal_net = 192.168.0.0/16\n")
        assert.include(section(pjsip, `${name}6`), `protocol = ${name}\nbind = [::]:15060\n`)
      }
      assert.notInclude(pjsip, "media_address = 127.0.0.1")
      assert.notMatch(yield* Effect.promise(() => read("rtp.conf")), /=> 127\.0\.0\.1$/m)
      for (const name of ["http.conf", "manager.conf"])
        assert.include(yield* Effect.promise(() => read(name)), "bindaddr = 127.0.0.1\n")
    }).pipe(Effect.scoped)
  )

  it.live.each<[string, Readonly<Record<string, string>>, RegExp]>([
    [
      "a certificate without its key",
      { TLS_CERTIFICATE: "/etc/hostname" },
      /TLS_CERTIFICATE and TLS_KEY belong together/
    ],
    [
      "a file that does not exist",
      { TLS_CERTIFICATE: "/none.pem", TLS_KEY: "/etc/hostname" },
      /TLS_CERTIFICATE: .*none/
    ],
    ["a key that does not exist", { TLS_CERTIFICATE: "/etc/hostname", TLS_KEY: "/none.pem" }, /TLS_KEY: .*none/],
    [
      "a file that is no certificate",
      { TLS_CERTIFICATE: "/etc/hostname", TLS_KEY: "/etc/hostname" },
      /TLS_KEY: .*not the key of/
    ]
  ])("refuses %s", ([, env, expected]) =>
    Effect.gen(function* () {
      const refusal = yield* Effect.flip(Effect.tryPromise(() => Effect.runPromise(Effect.scoped(configure(env)))))
      assert.match(String(refusal.cause), expected)
    })
  )

  it.live("gives calls to the carrier a port that no other endpoint has", () =>
    Effect.gen(function* () {
      const read = yield* configure({ CARRIER: "192.0.2.9:5060", SIP_PORT: "5060", SIP_BIND: "0.0.0.0" })
      const pjsip = yield* Effect.promise(() => read("pjsip.conf"))
      assert.match(pjsip, /\[carrier\]\ntype = transport\nprotocol = udp\nbind = 0\.0\.0\.0:5062\n/)
      assert.lengthOf(pjsip.match(/^transport = carrier$/gm) ?? [], 1)
    }).pipe(Effect.scoped)
  )
})
