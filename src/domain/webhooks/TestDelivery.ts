// What test mode does to the webhooks about calls to certain numbers, so that receivers can be tried
// (docs/test-mode.md).
import type { WorkspaceId } from "../BrandedIds.ts"
import { type TestDelivery, testDelivery } from "../numbers/TestNetwork.ts"
import { isSandbox } from "../kit/Sandbox.ts"
import type { DueDelivery } from "./DeliveryRecord.ts"

/** Undefined: the delivery is an ordinary one, as all deliveries of live workspaces are. */
export const testDeliveryOf = (
  workspace_id: WorkspaceId,
  { event_kind, payload }: Pick<DueDelivery, "event_kind" | "payload">
): TestDelivery | undefined => {
  if (!isSandbox(workspace_id) || !event_kind.startsWith("call.")) return undefined
  const { to } = JSON.parse(payload) as { readonly to?: unknown }
  return typeof to === "string" ? testDelivery(to) : undefined
}
