// The sandbox of a workspace (docs/test-mode.md): a workspace of its own, to which test keys lead. What separates it
// from the live workspace is therefore what separates two tenants. Its id tells that it is one, so that a rule which
// knows the id of a workspace knows the mode.
import { toGatewayId, toWorkspaceId, type WorkspaceId } from "../BrandedIds.ts"

/** The first eight hex digits of every sandbox. Ids of other workspaces begin with a time (RFC 9562, version 7). */
const marker = "7e577e57"

/** The range of the ids of sandboxes, for queries. */
export const firstSandboxId = `${marker}-0000-0000-0000-000000000000`
export const lastSandboxId = `${marker}-ffff-ffff-ffff-ffffffffffff`

export const isSandbox = (workspace_id: string): boolean => workspace_id.startsWith(marker)

/** Whether the workspace is no sandbox: what payment APIs call the mode. */
export const isLive = (workspace_id: string): boolean => !isSandbox(workspace_id)

/** The id of a workspace's sandbox. `named` derives a UUID from a text (`Ids.named`). */
export const sandboxIdOf = (named: (name: string) => string, workspace_id: WorkspaceId): WorkspaceId =>
  toWorkspaceId(marker + named(`sandbox ${workspace_id}`).slice(marker.length))

/** Under which id a workspace and its sandbox are counted as one. */
export const accountOf = (named: (name: string) => string, workspace_id: WorkspaceId): WorkspaceId =>
  isSandbox(workspace_id) ? workspace_id : sandboxIdOf(named, workspace_id)

/** Whether a number belongs to the test network (domain/numbers/TestNetwork.ts). */
export const isTestNumber = (e164: string): boolean => e164.startsWith("+999")

/** Whether a number is of the network that the workspace uses: the test network for a sandbox, else the real one. */
export const mayHold = (workspace_id: string, e164: string): boolean => isSandbox(workspace_id) === isTestNumber(e164)

/** The gateway of the simulated network. It runs within the engine; no PBX may connect under this id. */
export const sandboxGatewayId = toGatewayId("sandbox")
