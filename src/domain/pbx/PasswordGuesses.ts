// Counts wrong passwords and tokens by credential and by address, and says when a workspace must be alerted
// (docs/webhooks.md). A burst is alerted once, however long it lasts.
import { clientNetwork } from "../access/ClientAddress.ts"

/** A wrong password or token for the credential. Over UDP the address may be forged. */
export interface Guess {
  readonly credential: string
  readonly address: string
}

export interface Attack {
  readonly credential: string
  /** Wrong passwords or tokens for it since then. Epoch milliseconds. */
  readonly attempts: number
  readonly since: number
  /** From where: the first few, one of each network. */
  readonly addresses: ReadonlyArray<string>
}

const minute_ms = 60_000
const window_ms = 10 * minute_ms
/** So many guesses of one credential within the window are an attack. */
const guessesMax = 10
/** So many credentials that one address guesses within the window are an attack on each of them. */
const credentialsMax = 5
/** A burst is over after this time without a guess. One that goes on is alerted again after a day. */
const quiet_ms = 60 * minute_ms
const repeat_ms = 24 * 60 * minute_ms

/** Everything that is remembered is bounded: the oldest is forgotten first. */
export const guessBounds = { credentials: 10_000, addresses: 10_000, addresses_shown: 10 } as const

interface Guessed {
  readonly since: number
  readonly attempts: number
  /** By network. */
  readonly addresses: ReadonlyMap<string, string>
  readonly last_at: number
  readonly alerted_at: number | undefined
}

interface Guesser {
  readonly since: number
  readonly credentials: ReadonlySet<string>
}

/** Sets a value as the newest, and forgets the oldest beyond the bound. */
const remember = <V>(map: Map<string, V>, key: string, value: V, most: number): void => {
  map.delete(key)
  map.set(key, value)
  if (map.size <= most) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}

const isOver = (since: number, lasts_ms: number, now: number): boolean => now >= since + lasts_ms

const nobody: Guesser = { since: -Infinity, credentials: new Set() }
const never: Guessed = {
  since: -Infinity,
  attempts: 0,
  addresses: new Map(),
  last_at: -Infinity,
  alerted_at: undefined
}

/** Times are Unix times in milliseconds. */
export class PasswordGuesses {
  private readonly guessed = new Map<string, Guessed>()
  private readonly guessers = new Map<string, Guesser>()

  /** Counts the guess. Returns the attacks that must be alerted because of it. */
  add(guess: Guess, now: number): ReadonlyArray<Attack> {
    const network = clientNetwork(guess.address)
    const { attempts } = this.count(guess, network, now)
    const tried = this.tried(guess, network, now)
    if (tried.size >= credentialsMax) return [...tried].flatMap((credential) => this.alert(credential, now))
    return attempts >= guessesMax ? this.alert(guess.credential, now) : []
  }

  /** How many credentials and networks are remembered. */
  get size(): number {
    return this.guessed.size + this.guessers.size
  }

  private count({ address, credential }: Guess, network: string, now: number): Guessed {
    const before = this.guessed.get(credential) ?? never
    const { addresses, attempts, since } = isOver(before.since, window_ms, now) ? { ...never, since: now } : before
    const isShown = addresses.size < guessBounds.addresses_shown && !addresses.has(network)
    const counted = {
      since,
      attempts: attempts + 1,
      addresses: isShown ? new Map([...addresses, [network, address]]) : addresses,
      last_at: now,
      alerted_at: isOver(before.last_at, quiet_ms, now) ? undefined : before.alerted_at
    }
    remember(this.guessed, credential, counted, guessBounds.credentials)
    return counted
  }

  /** The credentials that the network has tried within the window. */
  private tried({ credential }: Guess, network: string, now: number): ReadonlySet<string> {
    const before = this.guessers.get(network) ?? nobody
    const { credentials, since } = isOver(before.since, window_ms, now) ? { ...nobody, since: now } : before
    const tried = new Set([...credentials, credential])
    const kept = { since, credentials: tried.size > credentialsMax ? credentials : tried }
    remember(this.guessers, network, kept, guessBounds.addresses)
    return tried
  }

  private alert(credential: string, now: number): ReadonlyArray<Attack> {
    const guessed = this.guessed.get(credential)
    if (guessed === undefined) return []
    const { addresses, alerted_at, attempts, since } = guessed
    if (alerted_at !== undefined && !isOver(alerted_at, repeat_ms, now)) return []
    this.guessed.set(credential, { ...guessed, alerted_at: now })
    return [{ credential, attempts, since, addresses: [...addresses.values()] }]
  }
}
