// States of actors that do not exist until a first command: a union of `Absent` and `Present`.

interface Tagged {
  readonly _tag: "Absent" | "Present"
}
type Present<State> = Extract<State, { readonly _tag: "Present" }>

export const isPresent = <State extends Tagged>(state: State): state is Present<State> => state._tag === "Present"

/**
 * The state, which must be present: only the first event of an actor applies to an absent state, and only a present
 * state is stored. Throws for an absent one.
 */
export const presentOf = <State extends Tagged>(state: State): Present<State> => {
  if (!isPresent(state)) throw new Error("This actor was never created.")
  return state
}
