// Registrars that make the PBX register again and again: the trunk is withdrawn, and says why.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { until } from "../support/Until.ts"
import { layer as pbxWorld, PbxWorld } from "./support/PbxWorld.ts"
import { answerTo, headerOf, type RawMessage, rawSip } from "./support/RawSip.ts"
import { makeTenant } from "./support/Tenant.ts"

const isRegister = ({ start }: RawMessage): boolean => start.startsWith("REGISTER ")

/** Demands a longer registration each time. */
const growing = () => {
  let least = 3_600
  return ({ text }: RawMessage) => [answerTo(text, "423 Interval Too Brief", [`Min-Expires: ${++least}`])]
}
const granting = (seconds: number) => () => (request: RawMessage) => [
  answerTo(request.text, "200 OK", [`Contact: ${headerOf(request.text, "Contact")};expires=${seconds}`])
]
/** Demands a security agreement each time. */
const disagreeing =
  () =>
  ({ text }: RawMessage) => [answerTo(text, "494 Security Agreement Required")]

/** The rules of docs/asterisk.md. They are for a network of the test's own alone. */
const firewall = Effect.sync(() => {
  if (process.env["E2E_NETWORK"] !== "own") return false
  const text = readFileSync(join(import.meta.dirname, "../../docs/asterisk.md"), "utf8")
  const rules = /```\n(table inet trunkline_registrations[^`]*)```/.exec(text)?.[1] ?? ""
  try {
    execFileSync("nft", ["-f", "-"], { input: rules, stdio: ["pipe", "ignore", "pipe"] })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false
    throw error
  }
})

/** The session of whoever creates the workspaces: each creation renews it. */
let owner: string | undefined

/** Sets up a trunk with this registrar, and waits until it has failed. */
const loses = (name: string, registrar: string, answer: (request: RawMessage) => ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { asterisk, program } = yield* PbxWorld
    const provider = yield* rawSip({ host: registrar }, asterisk.sip_port, (request) =>
      isRegister(request) ? answer(request) : []
    )
    const tenant = yield* makeTenant(program, name, owner)
    owner = tenant.session
    const trunk = { auth_mode: "registration", registrar, port: provider.port, username: "v", password: "secret" }
    yield* tenant.connects(trunk, "POST")
    const failed = yield* tenant.trunkUntil(({ status }) => status === "failed", 120)
    assert.strictEqual(failed.status_reason, "registers_too_often")
    return { provider, tenant, trunk }
  })
type Registrar = Effect.Success<ReturnType<typeof loses>>["provider"]

const registersOf = (registrar: Registrar): number => registrar.requests("REGISTER").length

/** Waits until nothing was heard for a second. */
const silence = (registrar: Registrar) => {
  const heard = Effect.gen(function* () {
    const before = registersOf(registrar)
    yield* Effect.sleep("1 second")
    return registersOf(registrar) - before
  })
  return until("silence of the PBX", heard, (count) => count === 0, { within_ms: 60_000 })
}

/** What the waits of a test may take together, in milliseconds. Each of them says what it waited for. */
const longest_ms = 240_000

layer(pbxWorld, { excludeTestServices: true, timeout: "180 seconds" })("a registrar", (it) => {
  it.effect.each([
    ["grants registrations of a second", granting(1), "127.0.0.41"],
    ["grants registrations of 20 seconds", granting(20), "127.0.0.42"],
    ["demands a security agreement each time", disagreeing, "127.0.0.43"]
  ] as const)(
    "that %s loses its trunk, and hears no more",
    ([name, make, registrar]) =>
      Effect.gen(function* () {
        const { provider, tenant, trunk } = yield* loses(name, registrar, make())
        yield* silence(provider)
        // Trying again at once does not bring it back.
        const before = registersOf(provider)
        yield* tenant.connects(trunk, "PUT")
        yield* tenant.trunkUntil(({ status }) => status === "failed")
        assert.strictEqual(registersOf(provider), before)
      }),
    longest_ms
  )

  it.effect("that demands a longer registration each time loses its trunk, and a firewall ends the loop", () =>
    Effect.gen(function* () {
      const { provider } = yield* loses("423", "127.0.0.44", growing())
      if (yield* firewall) yield* silence(provider)
    })
  )
})
