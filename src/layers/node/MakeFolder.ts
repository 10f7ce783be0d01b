import { mkdir, stat } from "node:fs/promises"
import { dirname } from "node:path"

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false
  )

/**
 * Makes the folder and what is missing above it. The recursive `mkdir` of Node 26 never returns where a folder exists in
 * which none can be made, as in /proc: it takes the refusal for a missing parent, for ever.
 */
export const makeFolder = async (path: string, mode?: number): Promise<void> => {
  try {
    await mkdir(path, mode)
  } catch (error) {
    if (await isFolder(path)) return
    const parent = dirname(path)
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || (await isFolder(parent))) throw error
    await makeFolder(parent)
    await makeFolder(path, mode)
  }
}
