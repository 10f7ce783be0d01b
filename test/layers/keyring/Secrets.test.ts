import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { deriveKeys, loadSecrets, type Secrets } from "../../../src/layers/keyring/Secrets.ts"

const dataDir = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "trunkline-secrets-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true }))
)

const load = (data_dir: string, given: { ingest?: string; master?: string; replaced?: string } = {}) =>
  loadSecrets({
    data_dir,
    pbx_ingest_secret: given.ingest === undefined ? undefined : Redacted.make(given.ingest),
    master_key: given.master === undefined ? undefined : Redacted.make(given.master),
    master_key_previous: given.replaced === undefined ? undefined : Redacted.make(given.replaced)
  })

const plain = (secrets: Secrets) => ({
  ingest: Redacted.value(secrets.pbx_ingest_secret),
  master: Buffer.from(Redacted.value(secrets.master_keys[0])).toString("base64"),
  signing: Redacted.value(secrets.signing_key),
  previous: secrets.previous_signing_key === undefined ? undefined : Redacted.value(secrets.previous_signing_key)
})

describe("loadSecrets", () => {
  it.effect("creates them once, readable only by the owner", () =>
    Effect.gen(function* () {
      const folder = yield* dataDir
      const first = plain(yield* load(folder))
      assert.deepStrictEqual(plain(yield* load(folder)), first)
      assert.match(first.ingest, /^[\w-]{43}$/)
      assert.strictEqual(first.signing.crv, "P-256")
      assert.isString(first.signing.d)
      const files = (yield* Effect.promise(() => readdir(join(folder, "keys")))).toSorted()
      assert.deepStrictEqual(files, ["master-key", "pbx-ingest-secret", "signing-key.json"])
      for (const file of files) {
        const { mode } = yield* Effect.promise(() => stat(join(folder, "keys", file)))
        assert.strictEqual(mode & 0o777, 0o600)
      }
    }).pipe(Effect.scoped)
  )

  it.effect("leaves the data folder open to the database's user, but not the keys", () =>
    Effect.gen(function* () {
      const data_dir = join(yield* dataDir, "data")
      yield* load(data_dir)
      const modeOf = (path: string) =>
        Effect.map(
          Effect.promise(() => stat(path)),
          ({ mode }) => mode & 0o777
        )
      assert.strictEqual(yield* modeOf(data_dir), 0o777 & ~process.umask())
      assert.strictEqual(yield* modeOf(join(data_dir, "keys")), 0o700)
    }).pipe(Effect.scoped)
  )

  it.effect("reads the same secrets in concurrent starts", () =>
    Effect.gen(function* () {
      const folder = yield* dataDir
      const all = yield* Effect.all(
        Array.from({ length: 20 }, () => load(folder)),
        { concurrency: "unbounded" }
      )
      for (const secrets of all) assert.deepStrictEqual(plain(secrets), plain(all[0]!))
      assert.lengthOf(yield* Effect.promise(() => readdir(join(folder, "keys"))), 3)
    }).pipe(Effect.scoped)
  )

  it.effect("prefers configured secrets and does not store them", () =>
    Effect.gen(function* () {
      const folder = yield* dataDir
      const master = Buffer.alloc(32, 5).toString("base64")
      const secrets = plain(yield* load(folder, { ingest: "0123456789abcdef", master }))
      assert.strictEqual(secrets.ingest, "0123456789abcdef")
      assert.strictEqual(secrets.master, master)
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(join(folder, "keys"))), ["signing-key.json"])
    }).pipe(Effect.scoped)
  )

  it.effect("keeps a renamed signing key for verification and makes a new one", () =>
    Effect.gen(function* () {
      const folder = yield* dataDir
      const first = plain(yield* load(folder))
      const path = join(folder, "keys", "signing-key")
      yield* Effect.promise(() => rename(`${path}.json`, `${path}.previous.json`))
      const second = plain(yield* load(folder))
      assert.deepStrictEqual(second.previous, first.signing)
      assert.notDeepEqual(second.signing, first.signing)
    }).pipe(Effect.scoped)
  )

  it.effect("closes a file that others can read", () =>
    Effect.gen(function* () {
      const folder = yield* dataDir
      yield* load(folder)
      const path = join(folder, "keys", "master-key")
      yield* Effect.promise(() => chmod(path, 0o644))
      yield* load(folder)
      assert.strictEqual((yield* Effect.promise(() => stat(path))).mode & 0o777, 0o600)
    }).pipe(Effect.scoped)
  )

  it.effect("refuses a damaged file instead of replacing it, and does not show it", () =>
    Effect.gen(function* () {
      const folder = yield* dataDir
      const path = join(folder, "keys", "master-key")
      yield* Effect.promise(() => mkdir(join(folder, "keys")))
      yield* Effect.promise(() => writeFile(path, "hunter2"))
      const error = yield* Effect.flip(load(folder))
      assert.include(error.message, "master-key is not 32 bytes")
      assert.notInclude(error.message, "hunter2")
      assert.strictEqual(yield* Effect.promise(() => readFile(path, "utf8")), "hunter2")
    }).pipe(Effect.scoped)
  )
})

describe("a master key that was replaced", () => {
  const [old, older] = [5, 6].map((byte) => Buffer.alloc(32, byte).toString("base64"))
  const previous = ({ master_keys: [, ...previous] }: Secrets) =>
    previous.map((key) => Buffer.from(Redacted.value(key)).toString("base64"))

  it.effect("is known from the setting, or from its file", () =>
    Effect.gen(function* () {
      const folder = yield* dataDir
      const first = plain(yield* load(folder))
      assert.deepStrictEqual(previous(yield* load(folder, { replaced: `${old},${older}` })), [old, older])
      const file = (name: string) => join(folder, "keys", name)
      yield* Effect.promise(() => rename(file("master-key"), file("master-key.previous")))
      const second = yield* load(folder)
      assert.notStrictEqual(plain(second).master, first.master)
      assert.deepStrictEqual(previous(second), [first.master])
      yield* Effect.promise(() => writeFile(file("master-key.previous"), "short"))
      assert.include((yield* Effect.flip(load(folder))).message, "master-key.previous is not 32 bytes")
    }).pipe(Effect.scoped)
  )
})

describe("deriveKeys", () => {
  it("derives a different, stable key for each purpose", () => {
    const master = [Redacted.make(new Uint8Array(32).fill(1))] as const
    const key = (purpose: string) => Buffer.from(deriveKeys(master, purpose)[0]).toString("hex")
    assert.strictEqual(key("cursors"), key("cursors"))
    assert.notStrictEqual(key("cursors"), key("sessions"))
    assert.lengthOf(deriveKeys(master, "cursors")[0], 32)
    const other = deriveKeys([Redacted.make(new Uint8Array(32).fill(2)), ...master], "cursors")
    assert.notDeepEqual(other[0], deriveKeys(master, "cursors")[0])
    assert.deepStrictEqual(other[1], deriveKeys(master, "cursors")[0])
  })

  // In /proc no folder can be made, and there is one only on Linux.
  it.live.skipIf(process.platform !== "linux")("says at once where no folder can be made", () =>
    Effect.gen(function* () {
      for (const data_dir of ["/proc/trunkline", "/proc/self/fd/trunkline/x", "/dev/null", "/dev/null/x"]) {
        const { message } = yield* Effect.timeout(Effect.flip(load(data_dir)), "5 seconds")
        assert.isTrue(message.startsWith(`Cannot create DATA_DIR ${data_dir}: `), message)
      }
    })
  )
})
