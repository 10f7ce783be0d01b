// The permission of one user of the chat app to be called by one number, as the user last decided. Its id follows from
// the number and the user, so that a number may have any number of them.
import { Result, Schema } from "effect"
import { commandsOf, decideBy, type Message } from "../Command.ts"
import { WorkspaceId } from "../BrandedIds.ts"
import type { Change } from "../Decision.ts"
import { EpochMs, orNull } from "../kit/Fields.ts"
import { storedState } from "../state/StoredState.ts"
import { isSince, PermissionReply } from "./PermissionReply.ts"

const Permission = Schema.Struct({
  /** Null: no user has replied. */
  workspace_id: orNull(WorkspaceId),
  status: PermissionReply.fields.status,
  permanent: Schema.Boolean,
  expires_at: orNull(EpochMs),
  replied_at: EpochMs
})
export type Permission = typeof Permission.Type

/** What the id of a permission is made of. */
export const permissionName = (number_id: string, user: string): string => `chatapp permission ${number_id} ${user}`

/** How long a permission without a known end lasts, if it is not permanent (the provider's limit). */
const temporary_ms = 7 * 24 * 3_600_000

export const noPermission: Permission = {
  workspace_id: null,
  status: "denied",
  permanent: false,
  expires_at: null,
  replied_at: 0
}

export const PermissionCommands = commandsOf("ChatAppPermission", {
  /** The user has replied. An older reply changes nothing. */
  Note: { payload: { workspace_id: WorkspaceId, reply: PermissionReply } },
  /** Whether the workspace, which uses the number since `since`, may call the user now. */
  Permits: { payload: { workspace_id: WorkspaceId, since: Schema.Int }, reply: Schema.Boolean }
})
export type PermissionCommands = typeof PermissionCommands
export type PermissionMessage = Message<PermissionCommands>

export interface PermissionEvent {
  readonly _tag: "Noted"
  readonly permission: Permission
}

const permits = (
  { expires_at, permanent, replied_at, status, ...permission }: Permission,
  { since, workspace_id }: { readonly since: number; readonly workspace_id: WorkspaceId },
  now: number
): boolean =>
  status === "granted" &&
  permission.workspace_id === workspace_id &&
  isSince(replied_at, since) &&
  (permanent || now < (expires_at ?? replied_at + temporary_ms))

export const decidePermission = decideBy<Permission, PermissionCommands, PermissionEvent>(() => ({
  Note: (state, { reply, workspace_id }) => {
    const { at: replied_at, expires_at, permanent, status } = reply
    const permission = { workspace_id, status, permanent, expires_at, replied_at }
    const isNewer = state.workspace_id !== workspace_id || replied_at >= state.replied_at
    return Result.succeed({ events: isNewer ? [{ _tag: "Noted", permission }] : [], reply: undefined })
  },
  Permits: (state, command, now) => Result.succeed({ events: [], reply: permits(state, command, now) })
}))

export const evolvePermission = (_state: Permission, { permission }: PermissionEvent): Permission => permission

export const permissionState = storedState({ schema: Permission, upgrades: [] })
export const restorePermission = permissionState.restore((stored): Permission => stored)

export const recordPermission = ({ after }: Change<Permission, PermissionEvent>) => ({
  workspace_id: after.workspace_id,
  state: permissionState.write(after),
  columns: {}
})
