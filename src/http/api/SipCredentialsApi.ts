import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
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
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { CredentialId, NumberId } from "../../domain/BrandedIds.ts"
import { customerEndpoints } from "./Endpoints.ts"

const WithPassword = Schema.Struct({
  ...CredentialRecord.fields,
  password: Schema.String.annotate({ description: "The password. It is shown only in this response." })
}).annotate({ identifier: "SipCredentialWithPassword" })

const of = { id: idOf(NumberId), credential_id: idOf(CredentialId) }

const endpoint = customerEndpoints({
  read: { scope: "sip_credentials.read", whenReadFails: ServiceUnavailable },
  write: { scope: "sip_credentials.write", whenReadFails: ServiceUnavailable }
})

export class SipCredentialsApi extends HttpApiGroup.make("sipCredentials")
  .add(
    endpoint.post("create", "/v1/numbers/:id/sip-credentials", {
      summary: "Create a SIP credential",
      description:
        "A device can register with the credential as soon as the response arrives. If the PBX does not accept it, nothing is stored.",
      params: { id: idOf(NumberId) },
      payload: CredentialRequest,
      success: HttpApiSchema.WithHeaders(WithPassword, {
        location: Schema.String.annotate({ description: "The URL of the number's credentials." })
      }).pipe(HttpApiSchema.status(201)),
      errors: [
        BadRequest,
        NumberNotFound,
        NumberNotActive,
        ExtensionInvalid,
        ExtensionTaken,
        SipCredentialLimitReached,
        SipProvisioningFailed,
        SipConfigUnavailable
      ]
    }),
    endpoint.get("list", "/v1/numbers/:id/sip-credentials", {
      summary: "List the SIP credentials of a number",
      description: "Newest first. Lists active and recently revoked credentials with their registered devices.",
      params: { id: idOf(NumberId) },
      success: Schema.Array(CredentialRecord),
      errors: [NumberNotFound]
    }),
    endpoint.post("rotate", "/v1/numbers/:id/sip-credentials/:credential_id/rotate", {
      summary: "Give a SIP credential a new password",
      description: "The old password is accepted for another `grace_seconds` seconds.",
      policy: { whenIdMalformed: SipCredentialNotFound },
      params: of,
      payload: [RotateRequest, Schema.Null],
      success: WithPassword,
      errors: [
        BadRequest,
        NumberNotFound,
        SipCredentialNotFound,
        SipCredentialAlreadyRevoked,
        SipProvisioningFailed,
        SipConfigUnavailable
      ]
    }),
    endpoint.post("revoke", "/v1/numbers/:id/sip-credentials/:credential_id/revoke", {
      summary: "Revoke a SIP credential",
      description:
        "Revokes the credential permanently. Its extension is free at once, and its devices are disconnected from the PBX.",
      policy: { whenIdMalformed: SipCredentialNotFound },
      params: of,
      success: CredentialRecord,
      errors: [NumberNotFound, SipCredentialNotFound, SipCredentialAlreadyRevoked]
    }),
    endpoint.remove("delete", "/v1/numbers/:id/sip-credentials/:credential_id", {
      summary: "Revoke a SIP credential",
      description: "Does the same as `…/revoke`.",
      policy: { whenIdMalformed: SipCredentialNotFound },
      params: of,
      success: CredentialRecord,
      errors: [NumberNotFound, SipCredentialNotFound, SipCredentialAlreadyRevoked]
    })
  )
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "SIP credentials", description: "The extensions with which devices register." })
  ) {}
