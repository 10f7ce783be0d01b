// Reads the values of requests that create or change a subscription.
import { Result } from "effect"
import { BadRequest } from "../errors/GeneralErrors.ts"
import type { WebhookEventUnsupported } from "../errors/WebhookErrors.ts"
import { type TargetPolicy, targetUrl } from "../targets/TargetUrl.ts"
import { selectors } from "./Selectors.ts"
import type { SubscriptionChange, SubscriptionFacts } from "./SubscriptionCommand.ts"
import { apiVersion, type SubscriptionPatch, type SubscriptionRequest } from "./SubscriptionRecord.ts"
import type { WorkspaceId } from "../BrandedIds.ts"

/** The URL as it was written, if the policy allows it. */
const readUrl = (text: string, policy: TargetPolicy): Result.Result<string, BadRequest> => {
  const url = targetUrl(text, policy)
  if (Result.isSuccess(url)) return Result.succeed(text)
  const { message, reason } = url.failure
  return Result.fail(
    new BadRequest({
      message: "The webhook URL cannot be used.",
      reason,
      details: [{ field: "/url", code: reason, message }]
    })
  )
}

/** The members that a new subscription has unless it is created with others. */
export const subscriptionDefaults = {
  description: "",
  events: [],
  kinds: [],
  number_ids: [],
  signature_format: "timestamped",
  api_version: apiVersion
} as const

/** What a new subscription is made of, apart from its secret. Defaults are filled in. */
export const factsFromRequest = (
  workspace_id: WorkspaceId,
  { events, filters, url, ...plain }: SubscriptionRequest,
  policy: TargetPolicy
): Result.Result<Omit<SubscriptionFacts, "secret">, BadRequest | WebhookEventUnsupported> =>
  Result.flatMap(readUrl(url, policy), (url) =>
    Result.map(selectors(events), (selected) => ({
      workspace_id,
      url,
      ...subscriptionDefaults,
      ...plain,
      ...selected,
      number_ids: [...new Set(filters?.number_ids ?? [])],
      source: "api"
    }))
  )

const none = Result.succeed({})

/** What a patch changes. Absent members stay as they are. */
export const changeFromPatch = (
  { events, filters, url, ...plain }: SubscriptionPatch,
  policy: TargetPolicy
): Result.Result<SubscriptionChange, BadRequest | WebhookEventUnsupported> =>
  Result.flatMap(url === undefined ? none : Result.map(readUrl(url, policy), (url) => ({ url })), (target) =>
    Result.map(events === undefined ? none : selectors(events), (selected) => ({
      ...plain,
      ...target,
      ...selected,
      ...(filters?.number_ids !== undefined && { number_ids: [...new Set(filters.number_ids)] })
    }))
  )
