// Subscriptions that stand for something else are named after it, so that they are found, and made once, without a search.

const bits = (uuid: string): bigint => BigInt(`0x${uuid.replaceAll("-", "")}`)

/** The id of the subscription that the `events_url` of this workspace's number stands for: a UUID of version 8. */
export const subscriptionOfNumber = (workspace_id: string, number_id: string): string =>
  (bits(workspace_id) ^ bits(number_id))
    .toString(16)
    .padStart(32, "0")
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-8$3-8$4-$5")
