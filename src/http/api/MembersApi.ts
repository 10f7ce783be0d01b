import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  InvitationAlreadyMember,
  InvitationNotFound,
  LastOwner,
  MemberNotFound,
  RemoveDenied,
  RoleChangeDenied
} from "../../domain/errors/AccountErrors.ts"
import { WorkspaceForbidden } from "../../domain/errors/AuthErrors.ts"
import { BadRequest, NotFound } from "../../domain/errors/GeneralErrors.ts"
import { InvitationRecord, InvitationRequest, MemberPatch, MemberRecord } from "../../domain/workspace/MemberRecords.ts"
import { Id, idOf } from "../request/CallRef.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { idempotencyHeader, JsonWrite } from "../request/JsonWrite.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { responses } from "../request/Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"
import { UserId } from "../../domain/BrandedIds.ts"

const members = HttpApiEndpoint.get("members", "/v1/members", {
  success: Schema.Array(MemberRecord),
  error: responses(NotFound)
})
  .annotate(EndpointPolicy, { account: true })
  .annotateMerge(OpenApi.annotations({ summary: "List members", description: "In the order in which they joined." }))

const changeMember = HttpApiEndpoint.patch("changeMember", "/v1/members/:user_id", {
  params: { user_id: idOf(UserId) },
  payload: MemberPatch,
  success: MemberRecord,
  error: responses(BadRequest, MemberNotFound, NotFound, RoleChangeDenied, LastOwner, WorkspaceForbidden)
})
  .annotate(EndpointPolicy, { account: true, role: "member", whenIdMalformed: MemberNotFound })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Change a member",
      description:
        "Changes the role or `read_only`. The member's sessions in the workspace end. If you change yourself, your session continues under a new cookie."
    })
  )
  .middleware(JsonWrite)

const removeMember = HttpApiEndpoint.delete("removeMember", "/v1/members/:user_id", {
  params: { user_id: idOf(UserId) },
  success: HttpApiSchema.NoContent,
  error: responses(MemberNotFound, NotFound, RemoveDenied, LastOwner, WorkspaceForbidden)
})
  .annotate(EndpointPolicy, { account: true, role: "viewer", whenIdMalformed: MemberNotFound })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Remove a member, or leave",
      description: "The member's sessions in the workspace end within a second. Everyone but the last owner may leave."
    })
  )

const invite = HttpApiEndpoint.post("invite", "/v1/invitations", {
  headers: idempotencyHeader,
  payload: InvitationRequest,
  success: InvitationRecord.pipe(HttpApiSchema.status(201)),
  error: responses(BadRequest, InvitationAlreadyMember, NotFound, RoleChangeDenied, WorkspaceForbidden)
})
  .annotate(EndpointPolicy, { account: true })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Invite a person",
      description: "Mails a link that is valid for seven days. A pending invitation of the same address is revoked."
    })
  )
  .middleware(JsonWrite)

const invitations = HttpApiEndpoint.get("invitations", "/v1/invitations", {
  success: Schema.Array(InvitationRecord),
  error: responses(NotFound)
})
  .annotate(EndpointPolicy, { account: true, role: "admin" })
  .annotateMerge(OpenApi.annotations({ summary: "List invitations", description: "Newest first." }))

const revoke = HttpApiEndpoint.delete("revoke", "/v1/invitations/:id", {
  params: { id: Id },
  success: HttpApiSchema.NoContent,
  error: responses(InvitationNotFound, NotFound, RoleChangeDenied, WorkspaceForbidden)
})
  .annotate(EndpointPolicy, { account: true, whenIdMalformed: InvitationNotFound })
  .annotateMerge(OpenApi.annotations({ summary: "Revoke an invitation", description: "Its link stops working." }))

const resend = HttpApiEndpoint.post("resend", "/v1/invitations/:id/resend", {
  params: { id: Id },
  headers: idempotencyHeader,
  success: InvitationRecord.pipe(HttpApiSchema.status(202)),
  error: responses(InvitationNotFound, NotFound, RoleChangeDenied, WorkspaceForbidden)
})
  .annotate(EndpointPolicy, { account: true, whenIdMalformed: InvitationNotFound })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Send an invitation again",
      description: "Mails the link again. It is valid for another seven days."
    })
  )
  .middleware(JsonWrite)

export class MembersApi extends HttpApiGroup.make("members")
  .add(members, changeMember, removeMember, invite, invitations, revoke, resend)
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "Members", description: "The members of the workspace, and its invitations." })
  ) {}
