/**
 * The secrets of a deployment: from the configuration, or else from `DATA_DIR/keys`, where they are created on first
 * use.
 *
 * `master-key` is 32 bytes in base64. To replace it, rename it to `master-key.previous`. The next start creates a new
 * key. Texts that the old key sealed, and tokens signed by keys derived from it, stay valid while that file exists.
 *
 * `signing-key.json` is a private JWK (RFC 7517) on P-256. To replace it, rename it to `signing-key.previous.json`. The
 * next start creates a new key. Tokens that the old key signed stay valid while that file exists.
 */
import { Data, Effect, Redacted } from "effect"
import type { JWK } from "jose"
import { generateKeyPairSync, hkdfSync, randomBytes } from "node:crypto"
import { chmod, link, open, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { makeFolder } from "../node/MakeFolder.ts"
import { errorCode } from "../node/ErrorCode.ts"

export class SecretsUnusable extends Data.TaggedError("SecretsUnusable")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** Keys of 32 bytes. The first seals and signs; all of them open and verify. */
export type MasterKeys = readonly [Redacted.Redacted<Uint8Array>, ...ReadonlyArray<Redacted.Redacted<Uint8Array>>]

export interface Secrets {
  readonly pbx_ingest_secret: Redacted.Redacted
  readonly master_keys: MasterKeys
  readonly signing_key: Redacted.Redacted<JWK>
  /** Verifies signatures and makes none. */
  readonly previous_signing_key: Redacted.Redacted<JWK> | undefined
}

const flushFolder = async (path: string) => {
  const folder = await open(path, "r")
  await folder.sync().finally(() => folder.close())
}

/**
 * Reads a secret, or creates it atomically. It is on disk before it is used, because losing it would lose what it
 * encrypts. If two processes create it at once, both use the first one's.
 */
const readOrCreate = async (folder: string, name: string, make: () => string): Promise<string> => {
  const path = join(folder, name)
  const stored = await readStored(path)
  if (stored !== undefined) return stored
  const partial = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`
  const file = await open(partial, "wx", 0o600)
  try {
    await file.writeFile(make())
    await file.sync()
    await link(partial, path)
    await flushFolder(folder)
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error
  } finally {
    await file.close()
    await rm(partial, { force: true })
  }
  return await readFile(path, "utf8")
}

/** Returns undefined if the file does not exist. Removes access for other users. */
const readStored = async (path: string): Promise<string | undefined> => {
  const file = await open(path, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined
    throw error
  })
  if (file === undefined) return undefined
  try {
    const { mode } = await file.stat()
    if ((mode & 0o077) !== 0) await chmod(path, 0o600)
    return await file.readFile("utf8")
  } finally {
    await file.close()
  }
}

const newSigningKey = () =>
  JSON.stringify(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }))

const parseKey = (name: string, text: string): Redacted.Redacted<JWK> => {
  const jwk = JSON.parse(text) as JWK
  if (jwk.kty !== "EC" || jwk.crv !== "P-256") throw new TypeError(`${name} is not an EC key on P-256`)
  return Redacted.make(jwk)
}

const parseMaster = (name: string, text: string): Redacted.Redacted<Uint8Array> => {
  const bytes = Buffer.from(text, "base64")
  if (bytes.length !== 32) throw new TypeError(`${name} is not 32 bytes in base64`)
  return Redacted.make(new Uint8Array(bytes))
}

const parseMasters = (current: string, previous: string | undefined): MasterKeys => [
  parseMaster("master-key", current.trim()),
  ...(previous?.trim() ?? "")
    .split(/[\s,]+/)
    .filter((text) => text !== "")
    .map((text) => parseMaster("master-key.previous", text))
]

export const loadSecrets = (settings: {
  readonly data_dir: string
  readonly pbx_ingest_secret: Redacted.Redacted | undefined
  readonly master_key: Redacted.Redacted | undefined
  /** Replaced keys, separated by commas. */
  readonly master_key_previous: Redacted.Redacted | undefined
}): Effect.Effect<Secrets, SecretsUnusable> => {
  const folder = join(settings.data_dir, "keys")
  const load = async (): Promise<Secrets> => {
    await makeFolder(folder, 0o700)
    const fromSettingOrFile = async (value: Redacted.Redacted | undefined, name: string, make: () => string) =>
      value === undefined ? await readOrCreate(folder, name, make) : Redacted.value(value)
    const ingest = await fromSettingOrFile(settings.pbx_ingest_secret, "pbx-ingest-secret", () =>
      randomBytes(32).toString("base64url")
    )
    const master = await fromSettingOrFile(settings.master_key, "master-key", () => randomBytes(32).toString("base64"))
    const replaced =
      settings.master_key_previous === undefined
        ? await readStored(join(folder, "master-key.previous"))
        : Redacted.value(settings.master_key_previous)
    const previous = await readStored(join(folder, "signing-key.previous.json"))
    return {
      pbx_ingest_secret: Redacted.make(ingest.trim()),
      master_keys: parseMasters(master, replaced),
      signing_key: parseKey("signing-key.json", await readOrCreate(folder, "signing-key.json", newSigningKey)),
      previous_signing_key: previous === undefined ? undefined : parseKey("signing-key.previous.json", previous)
    }
  }
  const failed = (what: string) => (cause: unknown) =>
    new SecretsUnusable({ message: `Cannot ${what}: ${String(cause)}`, cause })
  // Readable by others, unlike the folder of keys: if root runs the engine, PostgreSQL (another user) has its data
  // here.
  const place = Effect.tryPromise({
    try: () => makeFolder(settings.data_dir),
    catch: failed(`create DATA_DIR ${settings.data_dir}`)
  })
  return Effect.andThen(place, Effect.tryPromise({ try: load, catch: failed(`use the secrets in ${folder}`) }))
}

/** The first key is current; the others still verify. */
export type Keys = readonly [Uint8Array, ...ReadonlyArray<Uint8Array>]

export const plainKeys = ([current, ...previous]: MasterKeys): Keys => [
  Redacted.value(current),
  ...previous.map(Redacted.value)
]

/** Derives keys of 32 bytes for one purpose (HKDF, RFC 5869). Every node with the same master keys derives the same. */
export const deriveKeys = (master_keys: MasterKeys, purpose: string): Keys => {
  const derive = (master: Uint8Array) => new Uint8Array(hkdfSync("sha256", master, "", `trunkline:${purpose}`, 32))
  const [current, ...previous] = plainKeys(master_keys)
  return [derive(current), ...previous.map(derive)]
}
