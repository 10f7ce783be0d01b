// Rows whose stored state this engine cannot read. Reads of many rows leave them out, so that one damaged row does not
// take a whole list with it. A read of one row dies of `Unreadable`, as a message to the row's actor does.
import { Context, Effect } from "effect"
import type { WorkspaceId } from "../../domain/BrandedIds.ts"
import { Unreadable } from "../../domain/state/StoredState.ts"

/** No more rows than this are remembered and logged in a process. */
const remembered_max = 10_000

export class UnreadableRows {
  /** The rows that this process has met. Replaced in tests. */
  static readonly Current = Context.Reference<UnreadableRows>("trunkline/layers/UnreadableRows", {
    defaultValue: () => new UnreadableRows()
  })
  private readonly met = new Set<string>()

  /** Each as `Type/id`. */
  get actors(): ReadonlySet<string> {
    return this.met
  }

  /** Whether the row was not met before. */
  add(type: string, id: string): boolean {
    const key = `${type}/${id}`
    if (this.met.has(key) || this.met.size >= remembered_max) return false
    this.met.add(key)
    return true
  }
}

/** Which row it is, for logs. */
export interface RowName {
  readonly type: string
  readonly id: string
  /** Null: the row belongs to no workspace. */
  readonly workspace_id: WorkspaceId | null
}

const unreadable = ({ id, type, workspace_id }: RowName, cause: unknown): Unreadable => {
  const reason = cause instanceof Unreadable ? cause.message : "Its stored state could not be shown."
  return new Unreadable(
    `${type} ${id} is unreadable.${workspace_id === null ? "" : ` Workspace ${workspace_id}.`} ${reason}`,
    { cause }
  )
}

/** What `show` makes of the row, or a defect that is `Unreadable`. */
export const readRow = <A>(of: RowName, show: () => A): Effect.Effect<A> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(show())
    } catch (cause) {
      return Effect.die(unreadable(of, cause))
    }
  })

/** What `show` makes of each row. A row of which it throws is left out, and logged and counted the first time. */
export const readableRows = <Row, A>(
  rows: ReadonlyArray<Row>,
  of: (row: Row) => RowName,
  show: (row: Row) => A
): Effect.Effect<ReadonlyArray<A>> =>
  Effect.gen(function* () {
    const shown: Array<A> = []
    for (const row of rows) {
      try {
        shown.push(show(row))
      } catch (cause) {
        const { id, type, workspace_id } = of(row)
        if ((yield* UnreadableRows.Current).add(type, id))
          yield* Effect.logWarning(
            `A list leaves out ${type} ${id}${workspace_id === null ? "" : ` of workspace ${workspace_id}`}: its stored state is unreadable`,
            cause
          )
      }
    }
    return shown
  })
