/** What a subscription's sealed secret belongs to: table, column, row, workspace. */
export const secretBound = (id: string, workspace_id: string): string =>
  `webhook_subscriptions/secret/${id}/${workspace_id}`
