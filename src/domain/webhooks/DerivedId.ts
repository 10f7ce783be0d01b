// Ids that are computed from other ids. Such a subscription is found without a search and cannot exist twice.
import { type NumberId, type SubscriptionId, toSubscriptionId, type WorkspaceId } from "../BrandedIds.ts"

const bits = (uuid: string): bigint => BigInt(`0x${uuid.replaceAll("-", "")}`)

/** The id of the subscription behind the `events_url` of a workspace's number: a UUID of version 8 (RFC 9562, 5.8). */
export const subscriptionOfNumber = (workspace_id: WorkspaceId, number_id: NumberId): SubscriptionId =>
  toSubscriptionId(
    (bits(workspace_id) ^ bits(number_id))
      .toString(16)
      .padStart(32, "0")
      .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-8$3-8$4-$5")
  )
