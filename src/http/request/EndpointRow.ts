// Endpoints as rows: what one has of its own. What its group and its method have in common is stated once, here.
import { Context, Schema } from "effect"
import type { HttpMethod } from "effect/http"
import { HttpApiEndpoint, type HttpApiMiddleware, OpenApi } from "effect/http-api"
import type { FailureClass } from "../../domain/errors/Failure.ts"
import { BadRequest, InvalidCursor } from "../../domain/errors/GeneralErrors.ts"
import { EndpointPolicy, type EndpointPolicyOptions } from "./EndpointPolicy.ts"
import { ListOf, paging } from "./Pagination.ts"
import { responses } from "./Responses.ts"

type Path = `/${string}`
type Fields = Schema.Struct.Fields
type Errors = ReadonlyArray<FailureClass<string, number>>

interface About {
  readonly summary: string
  readonly description: string
  /** Replaces what the group says of the access to endpoints of this method. */
  readonly policy?: EndpointPolicyOptions
}

export interface Row<Params, Query, Success, Classes> extends About {
  readonly params?: Params
  readonly query?: Query
  readonly success: Success
  /** Those of the endpoint itself. Its middleware and, for a list, its paging have others. */
  readonly errors?: Classes
}

/** `[Schema, Schema.Null]`: the request may have no body. */
const isOptional = (payload: unknown): boolean => Array.isArray(payload) && payload.includes(Schema.Null)

const bodyOptional = (operation: Record<string, unknown>) => ({
  ...operation,
  requestBody: { ...Object(operation["requestBody"]), required: false }
})

interface Annotated extends About {
  readonly params?: unknown
  readonly payload?: unknown
  readonly errors?: Errors
}

/**
 * Unless a row says otherwise, a malformed id is answered with the first of its errors of status 404, because nothing
 * has such an id, and a failed read with its error of status 500.
 */
const policyOf = ({ errors = [], params, policy }: Annotated, defaults: EndpointPolicyOptions) => {
  const withStatus = (status: number) => errors.find((declared) => declared.status === status)
  const whenIdMalformed = params === undefined ? undefined : withStatus(404)
  const whenReadFails = withStatus(500)
  return {
    ...defaults,
    ...(whenIdMalformed !== undefined && { whenIdMalformed }),
    ...(whenReadFails !== undefined && { whenReadFails }),
    ...policy
  }
}

const annotations = (row: Annotated, defaults: EndpointPolicyOptions) =>
  OpenApi.annotations({
    summary: row.summary,
    description: row.description,
    ...(isOptional(row.payload) && { transform: bodyOptional })
  }).pipe(Context.add(EndpointPolicy, policyOf(row, defaults)))

/** Makes endpoints that read no body. */
export const bodiless =
  <Method extends HttpMethod.HttpMethod>(method: Method, defaults: EndpointPolicyOptions) =>
  <
    const Name extends string,
    const Route extends Path,
    const Success extends HttpApiEndpoint.SuccessConstraint,
    Params extends Fields = never,
    Query extends Fields = never,
    Headers extends Fields = never,
    const Classes extends Errors = readonly []
  >(
    name: Name,
    path: Route,
    row: Row<Params, Query, Success, Classes> & { readonly headers?: Headers }
  ) =>
    HttpApiEndpoint.make(method)(name, path, {
      params: row.params,
      query: row.query,
      headers: row.headers,
      success: row.success,
      error: responses(...(row.errors ?? []))
    }).annotateMerge(annotations(row, defaults))

/** Makes endpoints that return the pages of a list. `query`: its filters. `success`: the schema of one entry. */
export const lists =
  (defaults: EndpointPolicyOptions) =>
  <
    const Name extends string,
    const Route extends Path,
    Entry extends Schema.Top,
    Query extends Fields,
    Params extends Fields = never,
    const Classes extends Errors = readonly []
  >(
    name: Name,
    path: Route,
    row: Row<Params, Query, Entry, Classes> & { readonly query: Query }
  ) =>
    HttpApiEndpoint.get(name, path, {
      params: row.params,
      query: { ...paging, ...row.query },
      success: ListOf(row.success),
      error: responses(BadRequest, InvalidCursor, ...(row.errors ?? []))
    }).annotateMerge(annotations(row, defaults))

/** Makes endpoints whose body is read by this middleware. `headers`: those that the middleware reads. */
export const writes =
  <
    Method extends HttpMethod.HttpMethod.WithBody,
    Reader extends HttpApiMiddleware.AnyId,
    Service,
    Headers extends Fields = never
  >(
    method: Method,
    reader: Context.Key<Reader, Service>,
    defaults: EndpointPolicyOptions,
    headers?: Headers
  ) =>
  <
    const Name extends string,
    const Route extends Path,
    const Success extends HttpApiEndpoint.SuccessConstraint,
    Params extends Fields = never,
    Query extends Fields = never,
    Payload extends HttpApiEndpoint.PayloadConstraintCodecs<Method> = never,
    const Classes extends Errors = readonly []
  >(
    name: Name,
    path: Route,
    row: Row<Params, Query, Success, Classes> & { readonly payload?: Payload }
  ) =>
    HttpApiEndpoint.make(method)(name, path, {
      params: row.params,
      query: row.query,
      headers,
      payload: row.payload,
      success: row.success,
      error: responses(...(row.errors ?? []))
    })
      .annotateMerge(annotations(row, defaults))
      .middleware(reader)
