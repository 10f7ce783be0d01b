// `DATA_DIR/demo.json` tells scripts the ids and keys of the demo workspaces. Only its owner may read it.
import { Data, Effect } from "effect"
import { chmod, open, readFile, rename } from "node:fs/promises"
import { join, resolve } from "node:path"
import { makeFolder } from "../../node/MakeFolder.ts"
import type { NumberId, WorkspaceId } from "../../../domain/BrandedIds.ts"

interface DemoNumber {
  readonly id: NumberId
  readonly number: string
}

export type PbxGateway = "simulator" | "asterisk" | "none"

export interface Demo {
  readonly base_url: string
  /** The PBX that carries the calls. */
  readonly pbx_gateway: PbxGateway
  readonly workspace_id: WorkspaceId
  readonly tenant_pbx_id: string
  /** The mode of `api_key`: its calls spend the demo's money. */
  readonly mode: "live"
  /** What signs the voice callbacks of the workspace. Null: the master key does not unseal it; rotate it. */
  readonly voice_secret: string | null
  /** A key with all scopes. */
  readonly api_key: string
  /** A key of test mode with all scopes, for the sandbox of the workspace. */
  readonly test_api_key: string
  /** A key with the scope `calls.read` only. */
  readonly read_only_api_key: string
  readonly number: DemoNumber
  readonly webhook: null
  /** Values of the cookie `session`, for the workspace's owner and for a platform operator. */
  readonly owner_session: string
  readonly operator_session: string
  /** A second tenant, for trying tenant isolation. */
  readonly other_workspace: {
    readonly workspace_id: WorkspaceId
    readonly api_key: string
    readonly number: DemoNumber
  }
}

export class SeedFileUnwritable extends Data.TaggedError("SeedFileUnwritable")<{
  readonly message: string
  readonly cause: unknown
}> {}

const pathOf = (data_dir: string): string => join(data_dir, "demo.json")

/** Returns the file that an earlier start wrote, or undefined if there is none that can be parsed. */
export const readDemo = (data_dir: string): Effect.Effect<Demo | undefined> =>
  Effect.promise(async () => {
    try {
      return JSON.parse(await readFile(pathOf(data_dir), "utf8")) as Demo
    } catch {
      return undefined
    }
  })

const writePrivately = async (path: string, text: string): Promise<void> => {
  const partial = `${path}.partial`
  const file = await open(partial, "w", 0o600)
  try {
    await chmod(partial, 0o600)
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(partial, path)
}

/** The file that has nothing but the key of the demo, for scripts. An absolute path. */
export const apiKeyFile = (data_dir: string): string => resolve(data_dir, "api-key")

/** Writes both files, each atomically: a crash leaves the old one or the new one. */
export const writeDemo = (data_dir: string, demo: Demo): Effect.Effect<void, SeedFileUnwritable> => {
  const write = async () => {
    await makeFolder(data_dir)
    await writePrivately(pathOf(data_dir), `${JSON.stringify(demo, null, 2)}\n`)
    await writePrivately(apiKeyFile(data_dir), `${demo.api_key}\n`)
  }
  return Effect.tryPromise({
    try: write,
    catch: (cause) => new SeedFileUnwritable({ message: `Cannot write ${pathOf(data_dir)}: ${String(cause)}`, cause })
  })
}
