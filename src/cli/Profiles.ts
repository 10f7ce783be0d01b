// Engines and keys that `trunkline login` remembers: `profiles.json` in the command's folder, which only its owner may
// read.
import { Option, Schema } from "effect"
import { chmodSync, mkdirSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { CommandFailure } from "./CommandFailure.ts"
import { configFolder } from "./ConfigFolder.ts"
import { secretFile } from "./SecretFile.ts"

/** What is known of one engine. The key or the session, or both. */
export interface Profile {
  readonly url: string
  readonly api_key?: string
  readonly session?: string
}

export interface Profiles {
  /** The profile of commands that name none. */
  readonly current?: string
  readonly profiles: Readonly<Record<string, Profile>>
}

const none: Profiles = { profiles: {} }

const profilesFile = (): string => join(configFolder(), "profiles.json")

const Stored = Schema.fromJsonString(
  Schema.Struct({
    current: Schema.optionalKey(Schema.String),
    profiles: Schema.Record(
      Schema.String,
      Schema.Struct({
        url: Schema.String.check(Schema.makeFilter((url: string) => URL.canParse(url))),
        api_key: Schema.optionalKey(Schema.String),
        session: Schema.optionalKey(Schema.String)
      })
    )
  })
)

/** Throws CommandFailure if others can read the file, or if it has something else in it. */
export const readProfiles = (): Profiles => {
  const path = profilesFile()
  const text = secretFile(path)
  if (text === undefined) return none
  const read = Schema.decodeUnknownOption(Stored)(text)
  if (Option.isSome(read)) return read.value
  throw new CommandFailure({ exit: "usage", message: `${path} is no list of profiles.`, help: `rm ${path}` })
}

/** Writes a new file and renames it, so that nobody reads half a file. */
export const writeProfiles = (profiles: Profiles): void => {
  const path = profilesFile()
  mkdirSync(configFolder(), { recursive: true, mode: 0o700 })
  const partial = `${path}.${process.pid}.partial`
  writeFileSync(partial, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
  chmodSync(partial, 0o600)
  renameSync(partial, path)
}

export const noSuchProfile = (name: string): CommandFailure =>
  new CommandFailure({ exit: "usage", message: `There is no profile ${name}.`, help: "trunkline profiles" })

/**
 * The named profile, or without a name the current one, if there is one. Throws CommandFailure if there is no profile
 * of that name.
 */
export const chosenProfile = (
  name: string | undefined
): { readonly name: string; readonly profile: Profile } | undefined => {
  const { current, profiles } = readProfiles()
  const chosen = name ?? current
  if (chosen === undefined) return undefined
  const profile = Object.hasOwn(profiles, chosen) ? profiles[chosen] : undefined
  if (profile === undefined) {
    if (name === undefined) return undefined
    throw noSuchProfile(name)
  }
  return { name: chosen, profile }
}
