import { mkdir, stat } from "node:fs/promises"
import { dirname } from "node:path"
import { errorCode } from "./ErrorCode.ts"

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false
  )

/**
 * Creates a folder and its missing parents. Replaces Node 26's recursive `mkdir`, which loops forever below a folder
 * that refuses new entries, such as /proc.
 */
export const makeFolder = async (path: string, mode?: number): Promise<void> => {
  try {
    await mkdir(path, mode)
  } catch (error) {
    if (await isFolder(path)) return
    const parent = dirname(path)
    if (errorCode(error) !== "ENOENT" || (await isFolder(parent))) throw error
    await makeFolder(parent)
    await makeFolder(path, mode)
  }
}
