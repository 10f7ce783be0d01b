// Numbers that processes of one machine reserve among themselves: one file for each, with the id of the process that
// holds it.
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"

interface Reservations {
  /** Reserves a number for this process. False: this or another process holds it. */
  readonly reserve: (wanted: number) => boolean
  readonly release: (reserved: number) => void
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** Whether the file did not exist and is now there, with the id of this process. */
const create = (file: string): boolean => {
  try {
    const opened = openSync(file, "wx")
    writeSync(opened, String(process.pid))
    closeSync(opened)
    return true
  } catch {
    return false
  }
}

/** Whether the process that holds the number has ended. A file without an id is about to get one. */
const isVoid = (file: string): boolean => {
  try {
    const pid = Number(readFileSync(file, "utf8"))
    return pid !== 0 && !isAlive(pid)
  } catch {
    return false
  }
}

/** Only one process at a time takes over a void reservation: another would remove the file that the first has made. */
const takeOver = (file: string): boolean => {
  const turn = `${file}.turn`
  if (!isVoid(file) || !create(turn)) return false
  try {
    if (!isVoid(file)) return false
    rmSync(file)
    return create(file)
  } finally {
    rmSync(turn)
  }
}

/** Reservations in a folder. They end with the process that made them, also where it is killed. */
export const makeReservations = (folder: string): Reservations => {
  mkdirSync(folder, { recursive: true })
  const held = new Set<string>()
  process.once("exit", () => held.forEach((file) => rmSync(file, { force: true })))
  return {
    reserve: (wanted) => {
      const file = join(folder, String(wanted))
      const isReserved = create(file) || takeOver(file)
      if (isReserved) held.add(file)
      return isReserved
    },
    release: (reserved) => {
      const file = join(folder, String(reserved))
      if (held.delete(file)) rmSync(file, { force: true })
    }
  }
}
