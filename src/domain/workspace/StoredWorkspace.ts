// The stored state of a workspace. Its id is the key of the row. Members that have a column of their own are read from
// the column (JournalTables.ts): people mend rows by hand. `members` and `previous_voice_secret` are read in SQL, too.
import { toWorkspaceId } from "../BrandedIds.ts"
import { storedState } from "../state/StoredState.ts"
import { WorkspaceFacts, type WorkspaceState } from "./Workspace.ts"

/** Rows of version 0 may be older than these members, or inserted without them. */
const added = { invitations: {}, previous_voice_secret: null, wound_up: false }
/** Workspaces of version 1 have no sandbox. */
const withoutSandbox = { sandbox_of: null, sandbox: null }

export const workspaceState = storedState({
  schema: WorkspaceFacts,
  upgrades: [(stored) => ({ ...added, ...stored }), (stored) => ({ ...withoutSandbox, ...stored })]
})

export const restoreWorkspace = workspaceState.restore((stored, _row, id): WorkspaceState => ({
  id: toWorkspaceId(id),
  facts: stored
}))

/** The facts of a stored state, for reads. They are not checked against the schema. */
export const factsOfState = (state: string | object): WorkspaceFacts => workspaceState.view(state)
