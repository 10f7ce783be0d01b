/** What a workspace's sealed voice secret (`workspaces.voice_secret`) belongs to: table, column, row, workspace. */
export const voiceSecretBound = (workspace_id: string): string =>
  `workspaces/voice_secret/${workspace_id}/${workspace_id}`
