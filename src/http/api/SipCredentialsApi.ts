import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { CredentialRecord, CredentialRequest, RotateRequest } from "../../domain/credentials/CredentialRecord.ts"
import { BadRequest, ServiceUnavailable } from "../../domain/errors/GeneralErrors.ts"
import { NumberNotActive, NumberNotFound } from "../../domain/errors/NumberErrors.ts"
import {
  ExtensionInvalid,
  ExtensionTaken,
  SipConfigUnavailable,
  SipCredentialAlreadyRevoked,
  SipCredentialLimitReached,
  SipCredentialNotFound,
  SipProvisioningFailed
} from "../../domain/errors/SipCredentialErrors.ts"
import { idOf } from "../request/CallRef.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { idempotencyHeader, JsonWrite } from "../request/JsonWrite.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { responses } from "../request/Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"
import { CredentialId, NumberId } from "../../domain/BrandedIds.ts"
import { withOptionalBody } from "./OptionalBody.ts"

const WithPassword = Schema.Struct({
  ...CredentialRecord.fields,
  password: Schema.String.annotate({ description: "The password. It is shown only in this response." })
}).annotate({ identifier: "SipCredentialWithPassword" })

const create = HttpApiEndpoint.post("create", "/v1/numbers/:id/sip-credentials", {
  params: { id: idOf(NumberId) },
  headers: idempotencyHeader,
  payload: CredentialRequest,
  success: HttpApiSchema.WithHeaders(WithPassword, {
    location: Schema.String.annotate({ description: "The URL of the number's credentials." })
  }).pipe(HttpApiSchema.status(201)),
  error: responses(
    BadRequest,
    NumberNotFound,
    NumberNotActive,
    ExtensionInvalid,
    ExtensionTaken,
    SipCredentialLimitReached,
    SipProvisioningFailed,
    SipConfigUnavailable
  )
})
  .annotate(EndpointPolicy, {
    scope: "sip_credentials.write",
    whenIdMalformed: NumberNotFound,
    whenReadFails: ServiceUnavailable
  })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Create a SIP credential",
      description:
        "A device can register with the credential as soon as the response arrives. If the PBX does not accept it, nothing is stored."
    })
  )
  .middleware(JsonWrite)

const list = HttpApiEndpoint.get("list", "/v1/numbers/:id/sip-credentials", {
  params: { id: idOf(NumberId) },
  success: Schema.Array(CredentialRecord),
  error: responses(NumberNotFound)
})
  .annotate(EndpointPolicy, {
    scope: "sip_credentials.read",
    whenIdMalformed: NumberNotFound,
    whenReadFails: ServiceUnavailable
  })
  .annotateMerge(
    OpenApi.annotations({
      summary: "List the SIP credentials of a number",
      description: "Newest first. Lists active and recently revoked credentials with their registered devices."
    })
  )

const of = { id: idOf(NumberId), credential_id: idOf(CredentialId) }

const rotate = HttpApiEndpoint.post("rotate", "/v1/numbers/:id/sip-credentials/:credential_id/rotate", {
  params: of,
  headers: idempotencyHeader,
  payload: [RotateRequest, Schema.Null],
  success: WithPassword,
  error: responses(
    BadRequest,
    NumberNotFound,
    SipCredentialNotFound,
    SipCredentialAlreadyRevoked,
    SipProvisioningFailed,
    SipConfigUnavailable
  )
})
  .annotate(EndpointPolicy, {
    scope: "sip_credentials.write",
    whenIdMalformed: SipCredentialNotFound,
    whenReadFails: ServiceUnavailable
  })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Give a SIP credential a new password",
      description: "The old password is accepted for another `grace_seconds` seconds.",
      transform: withOptionalBody
    })
  )
  .middleware(JsonWrite)

const revocation = {
  params: of,
  success: CredentialRecord,
  error: responses(NumberNotFound, SipCredentialNotFound, SipCredentialAlreadyRevoked)
}
const rules = {
  scope: "sip_credentials.write",
  whenIdMalformed: SipCredentialNotFound,
  whenReadFails: ServiceUnavailable
} as const

const revoke = HttpApiEndpoint.post("revoke", "/v1/numbers/:id/sip-credentials/:credential_id/revoke", {
  ...revocation,
  headers: idempotencyHeader
})
  .annotate(EndpointPolicy, rules)
  .annotateMerge(
    OpenApi.annotations({
      summary: "Revoke a SIP credential",
      description:
        "Revokes the credential permanently. Its extension is free at once, and its devices are disconnected from the PBX."
    })
  )
  .middleware(JsonWrite)

const remove = HttpApiEndpoint.delete("delete", "/v1/numbers/:id/sip-credentials/:credential_id", revocation)
  .annotate(EndpointPolicy, rules)
  .annotateMerge(
    OpenApi.annotations({ summary: "Revoke a SIP credential", description: "Does the same as `…/revoke`." })
  )

export class SipCredentialsApi extends HttpApiGroup.make("sipCredentials")
  .add(create, list, rotate, revoke, remove)
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "SIP credentials", description: "The extensions with which devices register." })
  ) {}
