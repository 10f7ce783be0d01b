import { Context } from "effect"

/**
 * The id of the current request: `X-Request-Id` of its response and `request_id` of its errors. It is a reference and
 * not a service, because an error can be encoded wherever it occurs.
 */
export const RequestId = Context.Reference<string>("trunkline/http/RequestId", { defaultValue: () => "req_none" })
