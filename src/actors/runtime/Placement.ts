/** Connects the actors of this process with those of others. */
export interface Placement {
  /** Whether this process may run the actor. */
  readonly owns: (type: string, id: string) => boolean
  readonly entered: (type: string, id: string) => void
  readonly left: (type: string, id: string) => void
  /** An idle actor has left memory. It must be woken at `due`, in epoch milliseconds; null: never. */
  readonly passivated: (type: string, id: string, due: number | null) => void
  /** Brings an actor into memory, in whichever process runs it then. */
  readonly wake: (type: string, id: string) => void
}
