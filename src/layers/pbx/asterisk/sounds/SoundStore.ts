// The folder with the sounds that Asterisk plays: one folder for each workspace, one file for each sound, named after
// a hash. What is used least is removed when the sounds exceed a limit, but nothing that is being played.
import { Deferred, Effect, type Scope } from "effect"
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises"
import { dirname, join } from "node:path"
import { evictions, type SoundLimits, type StoredSound } from "../../../../domain/sounds/SoundQuota.ts"
import { NoSound } from "./NoSound.ts"

/** A sound that stays stored until it is released. */
export interface Sound {
  /** Without the extension, as Asterisk's `sound:` wants it. */
  readonly path: string
  readonly release: () => void
}

/** Writes the WAV file that it is given. */
type Make = (file: string) => Effect.Effect<void, NoSound>

export interface SoundStore {
  /** Returns the workspace's sound of this name, or makes it. Requests for one sound at the same time make it once. */
  readonly get: (owner: string, name: string, make: Make) => Effect.Effect<Sound, NoSound>
}

/** Each file takes at least a block of the disk. */
const block_bytes = 4096

class StoredFile implements StoredSound {
  readonly path: string
  readonly owner: string
  readonly bytes: number
  used_at: number
  holders = 0

  constructor(path: string, owner: string, size: number, used_at: number) {
    this.path = path
    this.owner = owner
    this.bytes = Math.max(size, block_bytes)
    this.used_at = used_at
  }

  get is_held(): boolean {
    return this.holders > 0
  }
}

interface Making {
  readonly made: Deferred.Deferred<StoredFile, NoSound>
  /** Set once it is stored. */
  sound: StoredFile | undefined
  waiting: number
}

export const soundName = (...parts: ReadonlyArray<string>): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex")

const extension = ".wav"
const complete = /^[0-9a-f]{64}\.wav$/
const attempt = <A>(run: () => Promise<A>) =>
  Effect.tryPromise({
    try: run,
    catch: (cause) => new NoSound({ error: "sound_failed", reason: "the audio could not be stored", cause })
  })

/** The time of the file tells the next engine when the sound was used. */
const touch = ({ path, used_at }: StoredFile) => attempt(() => utimes(path + extension, used_at / 1000, used_at / 1000))

const holdOf = (sound: StoredFile): Sound => {
  let isReleased = false
  return {
    path: sound.path,
    release: () => {
      if (!isReleased) sound.holders--
      isReleased = true
    }
  }
}

const remove = (file: string) => Effect.ignore(Effect.tryPromise(() => rm(file, { force: true, recursive: true })))

/** Returns the sounds of the folder, and removes everything else: partial files of an engine that was killed. */
const readFolder = async (folder: string): Promise<ReadonlyArray<StoredFile>> => {
  const found: Array<StoredFile> = []
  if (!existsSync(folder)) return found
  for (const owner of await readdir(folder, { withFileTypes: true })) {
    const own = join(folder, owner.name)
    const names = owner.isDirectory() ? await readdir(own) : []
    if (!owner.isDirectory()) await rm(own, { force: true })
    for (const name of names) {
      const file = join(own, name)
      if (complete.test(name)) {
        const { mtimeMs, size } = await stat(file)
        found.push(new StoredFile(file.slice(0, -extension.length), owner.name, size, mtimeMs))
      } else await rm(file, { force: true, recursive: true })
    }
  }
  return found
}

interface Options {
  readonly folder: string
  readonly limits: SoundLimits
  /** Epoch milliseconds. */
  readonly now: () => number
}

class Store implements SoundStore {
  private readonly options: Options
  private readonly scope: Scope.Scope
  private readonly stored = new Map<string, StoredFile>()
  private readonly making = new Map<string, Making>()
  /** By workspace. */
  private readonly bytes = new Map<string, number>()
  private all_bytes = 0

  constructor(options: Options, scope: Scope.Scope, found: ReadonlyArray<StoredFile>) {
    this.options = options
    this.scope = scope
    for (const sound of found) this.add(sound)
  }

  get: SoundStore["get"] = (owner, name, make) => {
    const path = join(this.options.folder, owner, name)
    return Effect.suspend(() => {
      const stored = this.stored.get(path)
      if (stored === undefined) return this.made(owner, path, make)
      stored.used_at = this.options.now()
      stored.holders++
      return Effect.uninterruptibleMask((restore) =>
        Effect.matchEffect(touch(stored), {
          // Somebody else has removed the file.
          onFailure: () => {
            this.forget(stored)
            return restore(this.made(owner, path, make))
          },
          onSuccess: () => Effect.succeed(holdOf(stored))
        })
      )
    })
  }

  /** Removes what exceeds the limits. True if the sounds that stay are within them. */
  readonly evict: Effect.Effect<boolean> = Effect.suspend(() => {
    const { total_bytes, workspace_bytes } = this.options.limits
    const isWithin = this.all_bytes <= total_bytes && [...this.bytes.values()].every((own) => own <= workspace_bytes)
    if (isWithin) return Effect.succeed(true)
    const { evicted, fits } = evictions(this.stored.values(), this.options.limits)
    for (const sound of evicted) this.forget(sound)
    return Effect.as(
      Effect.forEach(evicted, ({ path }) => remove(path + extension), { discard: true }),
      fits
    )
  })

  private made(owner: string, path: string, make: Make): Effect.Effect<Sound, NoSound> {
    return Effect.suspend(() => {
      const known = this.making.get(path)
      const making: Making = known ?? { made: Deferred.makeUnsafe(), sound: undefined, waiting: 0 }
      making.waiting++
      this.making.set(path, making)
      const started =
        known === undefined ? Effect.forkIn(this.carryOut(making, owner, path, make), this.scope) : Effect.void
      return Effect.andThen(started, Deferred.await(making.made)).pipe(
        Effect.map(holdOf),
        Effect.onInterrupt(() =>
          Effect.sync(() => {
            making.waiting--
            if (making.sound !== undefined) making.sound.holders--
          })
        )
      )
    })
  }

  /** Makes a sound. All who wait for it hold it from the moment that it is stored. */
  private carryOut(making: Making, owner: string, path: string, make: Make): Effect.Effect<unknown> {
    const partial = `${path}.partial${extension}`
    return Effect.gen({ self: this }, function* () {
      yield* attempt(() => mkdir(dirname(path), { recursive: true }))
      yield* make(partial)
      yield* attempt(() => rename(partial, path + extension))
      const { size } = yield* attempt(() => stat(path + extension))
      const sound = new StoredFile(path, owner, size, this.options.now())
      sound.holders = making.waiting
      making.sound = sound
      this.add(sound)
      if (yield* this.evict) return sound
      this.forget(sound)
      yield* remove(path + extension)
      return yield* new NoSound({ error: "sounds_full", reason: "the sounds that are being played leave no room" })
    }).pipe(
      Effect.ensuring(remove(partial)),
      Effect.onExit((exit) =>
        Effect.sync(() => {
          this.making.delete(path)
          Deferred.doneUnsafe(making.made, exit)
        })
      ),
      Effect.exit
    )
  }

  private add(sound: StoredFile): void {
    this.stored.set(sound.path, sound)
    this.count(sound, sound.bytes)
  }

  private forget(sound: StoredFile): void {
    if (this.stored.get(sound.path) !== sound) return
    this.stored.delete(sound.path)
    this.count(sound, -sound.bytes)
  }

  private count({ owner }: StoredFile, bytes: number): void {
    const own = (this.bytes.get(owner) ?? 0) + bytes
    if (own === 0) this.bytes.delete(owner)
    else this.bytes.set(owner, own)
    this.all_bytes += bytes
  }
}

/** Reads the folder, and brings it within the limits. */
export const makeSoundStore = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<SoundStore, never, Scope.Scope> {
  const { folder } = options
  const found = yield* Effect.catch(
    attempt(() => readFolder(folder)),
    ({ cause }) => Effect.as(Effect.logError("The folder of the sounds cannot be read", cause), [])
  )
  const store = new Store(options, yield* Effect.scope, found)
  yield* store.evict
  return store
})
