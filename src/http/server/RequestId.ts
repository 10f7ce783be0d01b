import { Context } from "effect"

/**
 * The id of the request being served: `X-Request-Id` of its response and `request_id` of its errors. A reference
 * and not a service, because it has a default: an error can be encoded wherever it arises.
 */
export const RequestId = Context.Reference<string>("trunkline/http/RequestId", { defaultValue: () => "req_none" })
