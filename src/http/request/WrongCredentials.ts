// Limits how often an address may have credentials looked at that are not valid. Each costs a signature check or a
// query, and anybody can send them as fast as they like.
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { clientNetwork } from "../../domain/access/ClientAddress.ts"
import type { RateLimited } from "../../domain/errors/GeneralErrors.ts"
import type { RateLimits } from "./RateLimits.ts"

/** What counts as one client for a rate limit. */
export const clientOf = ({ remoteAddress }: HttpServerRequest.HttpServerRequest): string =>
  clientNetwork(Option.getOrElse(remoteAddress, () => ""))

/**
 * Looks at a credential that this process does not know. It counts before it is looked at, so that many at once cannot
 * pass the limit together, and no longer once `isWrong` says of the outcome that it is not wrong. Fails without looking
 * if the address has sent too many wrong ones. Credentials that are known must not come here: they go on whatever else
 * their address sends.
 */
export const countWrong = <A, E, R>(
  { giveBack, take }: RateLimits["Service"],
  request: HttpServerRequest.HttpServerRequest,
  look: Effect.Effect<A, E, R>,
  isWrong: (outcome: A | E) => boolean
): Effect.Effect<A, E | RateLimited, R> => {
  const client = clientOf(request)
  const back = (outcome: A | E) => (isWrong(outcome) ? Effect.void : giveBack("wrong_credentials", client))
  return Effect.andThen(take("wrong_credentials", client), look.pipe(Effect.tapError(back), Effect.tap(back)))
}
