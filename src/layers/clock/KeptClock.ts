// The reading of the clocks that an engine keeps for its next start, in a file of DATA_DIR.
import { Effect, Option, Schema } from "effect"
import { readFileSync } from "node:fs"
import { readFile, rename, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { ClockReading } from "../../domain/ClockReading.ts"
import { makeFolder } from "../node/MakeFolder.ts"

export interface KeptClock {
  readonly boot_id: string
  /** Undefined: none was kept, or it cannot be read. */
  readonly read: Effect.Effect<ClockReading | undefined>
  readonly write: (reading: ClockReading) => Effect.Effect<void>
}

/** Undefined where the operating system does not name its runs: then nothing is known of the time before the start. */
const bootId = (): string | undefined => {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
  } catch {
    return undefined
  }
}

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(ClockReading))

/** In the file `path`. The engine goes on if it cannot be read or written. */
export const keptClock = (path: string): KeptClock | undefined => {
  const boot_id = bootId()
  if (boot_id === undefined) return undefined
  let writes = 0
  const write = async (reading: ClockReading): Promise<void> => {
    const partial = `${path}.${process.pid}.${++writes}`
    await makeFolder(dirname(path))
    await writeFile(partial, JSON.stringify(reading), { mode: 0o600 })
    await rename(partial, path)
  }
  return {
    boot_id,
    read: Effect.promise(() =>
      readFile(path, "utf8").then(
        (text) => Option.getOrUndefined(decode(text)),
        () => undefined
      )
    ),
    write: (reading) =>
      Effect.ignore(
        Effect.tryPromise(() => write(reading)),
        {
          log: "Debug",
          message: "The reading of the clocks was not kept"
        }
      )
  }
}
