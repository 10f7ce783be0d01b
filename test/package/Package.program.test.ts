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
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { type Packed, packages, packed } from "../../scripts/bundles/Packed.ts"
import { type CleanFolder, cleanFolder, fetched, serves } from "../support/CleanFolder.ts"
import { freePort } from "../support/Ports.ts"

interface Manifest {
  readonly name: string
  readonly version: string
  readonly scripts?: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, string>>
}

interface Lock {
  readonly packages: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const json = <A>(file: string): A => JSON.parse(readFileSync(file, "utf8")) as A

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

/** Installs the large package with the versions that package-lock.json has, so that no registry decides. */
const installWhole = ({ path, run }: CleanFolder, { file }: Packed) =>
  Effect.gen(function* () {
    const { dependencies, optionalDependencies, bin, engines, version } =
      json<Readonly<Record<string, unknown>>>("package.json")
    const tarball = `file:${basename(file)}`
    const root = { name: "application", version: "1.0.0", dependencies: { trunkline: tarball } }
    const locked = Object.entries(json<Lock>("package-lock.json").packages).filter(
      ([name, { dev }]) => name !== "" && dev !== true
    )
    const lock = {
      ...root,
      lockfileVersion: 3,
      requires: true,
      packages: {
        "": root,
        ...Object.fromEntries(locked),
        "node_modules/trunkline": { version, resolved: tarball, dependencies, optionalDependencies, bin, engines }
      }
    }
    copyFileSync(file, join(path, basename(file)))
    writeFileSync(join(path, "package.json"), JSON.stringify(root))
    writeFileSync(join(path, "package-lock.json"), JSON.stringify(lock))
    const { code, stderr } = yield* run("npm", ["ci", "--no-audit", "--no-fund"])
    assert.strictEqual(code, 0, stderr)
  })

describe("the package", () => {
  it("holds the engine, its console, the command, the clients and their texts, and nothing else", () => {
    const others = whole.files.filter(
      (name) =>
        ![...texts, "CHANGELOG.md", ...commandFiles].includes(name) &&
        !clientFiles.test(name) &&
        !engineFiles.test(name) &&
        !/^dist\/console\/(?:index\.html|LICENSES\.md|assets\/[\w.-]+)(?:\.br|\.gz)?$/.test(name)
    )
    assert.deepStrictEqual(others, [])
    assert.includeMembers([...whole.files], [...texts, "CHANGELOG.md", ...commandFiles, "dist/console/index.html"])
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
        const folder = yield* cleanFolder
        const { begin, path, run } = folder
        yield* installWhole(folder, whole)
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
