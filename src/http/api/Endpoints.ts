// What endpoints of one kind of caller have in common: who reads their body, and who may call them.
import { bodiless, lists, writes } from "../request/EndpointRow.ts"
import type { EndpointPolicyOptions } from "../request/EndpointPolicy.ts"
import { idempotencyHeader, JsonWrite } from "../request/JsonWrite.ts"
import { JsonOnly } from "../middleware/JsonOnly.ts"
import { OperatorWrite } from "../middleware/OperatorWrite.ts"

/** The access to the endpoints of a group, unless one says otherwise. */
interface Access {
  readonly read?: EndpointPolicyOptions
  readonly write?: EndpointPolicyOptions
}

/** The endpoints of a workspace. A POST takes an Idempotency-Key. */
export const customerEndpoints = ({ read = {}, write = {} }: Access) => ({
  get: bodiless("GET", read),
  list: lists(read),
  remove: bodiless("DELETE", write),
  post: writes("POST", JsonWrite, write, idempotencyHeader),
  /** A POST whose repetition changes nothing, so it takes no Idempotency-Key. */
  repeatable: writes("POST", JsonWrite, write),
  /** A POST without a body and without an Idempotency-Key. */
  act: bodiless("POST", write),
  put: writes("PUT", JsonWrite, write),
  patch: writes("PATCH", JsonWrite, write)
})

/** Endpoints that no API key opens, and that take no Idempotency-Key. */
export const plainEndpoints = (policy: EndpointPolicyOptions = {}) => ({
  get: bodiless("GET", policy),
  list: lists(policy),
  remove: bodiless("DELETE", policy),
  post: writes("POST", JsonOnly, policy),
  /** A POST without a body. */
  act: bodiless("POST", policy),
  put: writes("PUT", JsonOnly, policy),
  patch: writes("PATCH", JsonOnly, policy)
})

/** The endpoints of operators. */
export const operatorEndpoints = (policy: EndpointPolicyOptions = {}) => ({
  ...plainEndpoints(policy),
  /** A POST that takes an Idempotency-Key. */
  create: writes("POST", OperatorWrite, policy, idempotencyHeader)
})
