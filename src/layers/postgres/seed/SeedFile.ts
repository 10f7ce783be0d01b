// The file by which scripts find the demo workspaces: `DATA_DIR/demo.json`, which only its owner may read.
import { Data, Effect } from "effect"
import { chmod, open, readFile, rename } from "node:fs/promises"
import { join } from "node:path"
import { makeFolder } from "../../node/MakeFolder.ts"

interface DemoNumber {
  readonly id: string
  readonly number: string
}

export interface Demo {
  readonly base_url: string
  readonly workspace_id: string
  readonly tenant_pbx_id: string
  /** With all scopes. */
  readonly api_key: string
  /** With `calls.read` alone. */
  readonly read_only_api_key: string
  readonly number: DemoNumber
  readonly webhook: null
  /** Values for the cookie `session`: of the workspace's owner, and of an operator of the platform. */
  readonly owner_session: string
  readonly operator_session: string
  /** A second tenant, to see that neither sees the other. */
  readonly other_workspace: { readonly workspace_id: string; readonly api_key: string; readonly number: DemoNumber }
}

export class SeedFileUnwritable extends Data.TaggedError("SeedFileUnwritable")<{
  readonly message: string
  readonly cause: unknown
}> {}

const pathOf = (data_dir: string): string => join(data_dir, "demo.json")

/** What an earlier start wrote; undefined when there is nothing that can be used. */
export const readDemo = (data_dir: string): Effect.Effect<Demo | undefined> =>
  Effect.promise(async () => {
    try {
      return JSON.parse(await readFile(pathOf(data_dir), "utf8")) as Demo
    } catch {
      return undefined
    }
  })

/** The whole file or nothing of it is there, whenever the process dies. */
export const writeDemo = (data_dir: string, demo: Demo): Effect.Effect<void, SeedFileUnwritable> => {
  const write = async () => {
    await makeFolder(data_dir)
    const partial = `${pathOf(data_dir)}.partial`
    const file = await open(partial, "w", 0o600)
    try {
      await chmod(partial, 0o600)
      await file.writeFile(`${JSON.stringify(demo, null, 2)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(partial, pathOf(data_dir))
  }
  return Effect.tryPromise({
    try: write,
    catch: (cause) => new SeedFileUnwritable({ message: `Cannot write ${pathOf(data_dir)}: ${String(cause)}`, cause })
  })
}
