// The Unix sockets by which processes of one machine reach each other, in plain text: nobody but their user may open
// the folder. Each process has one, named after its address in the cluster.
import { Effect } from "effect"
import { chmod, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { makeFolder } from "../node/MakeFolder.ts"

export interface Address {
  readonly host: string
  readonly port: number
}

/** Linux takes 107 bytes, macOS 103. */
const pathMax_bytes = 103

/** The path of a process's socket; undefined if it would be too long for a socket. */
export const localPath = (folder: string, { host, port }: Address): string | undefined => {
  const path = join(folder, `${encodeURIComponent(host)}-${port}.sock`)
  return Buffer.byteLength(path) <= pathMax_bytes ? path : undefined
}

/** Whether a process of this machine, or one that died, has its socket there. */
export const hasSocket = (path: string): Effect.Effect<boolean> =>
  Effect.promise(() =>
    stat(path).then(
      (found) => found.isSocket(),
      () => false
    )
  )

/** Makes the folder, which belongs to the user alone, and removes the socket of a process that died. */
export const prepareFolder = (folder: string, path: string): Effect.Effect<void> =>
  Effect.promise(async () => {
    await makeFolder(folder, 0o700)
    await chmod(folder, 0o700)
    await rm(path, { force: true })
  })

/** Only the user may connect. */
export const closeToOthers = (path: string): Effect.Effect<void> => Effect.promise(() => chmod(path, 0o600))
