// What a request makes of a subscription, or why it is not acceptable.
import { Result } from "effect"
import type { Failure } from "../errors/Failure.ts"
import { BadRequest } from "../errors/GeneralErrors.ts"
import { type TargetPolicy, targetUrl } from "../targets/TargetUrl.ts"
import { selectors } from "./Selectors.ts"
import type { SubscriptionChange, SubscriptionFacts } from "./SubscriptionCommand.ts"
import { apiVersion, type SubscriptionPatch, type SubscriptionRequest } from "./SubscriptionRecord.ts"

/** The URL as it was given, if it may be called. */
const readUrl = (given: string, policy: TargetPolicy): Result.Result<string, Failure> => {
  const url = targetUrl(given, policy)
  if (Result.isSuccess(url)) return Result.succeed(given)
  const { message, reason } = url.failure
  return Result.fail(
    new BadRequest({
      message: "The webhook URL cannot be used.",
      reason,
      details: [{ field: "/url", code: reason, message }]
    })
  )
}

export const factsOf = (
  workspace_id: string,
  request: SubscriptionRequest,
  policy: TargetPolicy
): Result.Result<Omit<SubscriptionFacts, "secret">, Failure> =>
  Result.flatMap(readUrl(request.url, policy), (url) =>
    Result.map(selectors(request.events), ({ events, kinds }) => ({
      workspace_id,
      url,
      description: request.description ?? "",
      events,
      kinds,
      number_ids: [...new Set(request.filters?.number_ids ?? [])],
      signature_format: request.signature_format ?? "timestamped",
      api_version: request.api_version ?? apiVersion,
      source: "api"
    }))
  )

const nothing = Result.succeed({})

export const changeOf = (
  { events, filters, url, ...plain }: SubscriptionPatch,
  policy: TargetPolicy
): Result.Result<SubscriptionChange, Failure> =>
  Result.flatMap(url === undefined ? nothing : Result.map(readUrl(url, policy), (url) => ({ url })), (target) =>
    Result.map(events === undefined ? nothing : selectors(events), (selected) => ({
      ...plain,
      ...target,
      ...selected,
      ...(filters?.number_ids !== undefined && { number_ids: [...new Set(filters.number_ids)] })
    }))
  )
