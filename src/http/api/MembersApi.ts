import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
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
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { UserId } from "../../domain/BrandedIds.ts"
import { customerEndpoints } from "./Endpoints.ts"

const endpoint = customerEndpoints({ read: { account: true }, write: { account: true } })

export class MembersApi extends HttpApiGroup.make("members")
  .add(
    endpoint.get("members", "/v1/members", {
      summary: "List members",
      description: "In the order in which they joined.",
      success: Schema.Array(MemberRecord),
      errors: [NotFound]
    }),
    endpoint.patch("changeMember", "/v1/members/:user_id", {
      summary: "Change a member",
      description:
        "Changes the role or `read_only`. The member's sessions in the workspace end. If you change yourself, your session continues under a new cookie.",
      policy: { role: "member" },
      params: { user_id: idOf(UserId) },
      payload: MemberPatch,
      success: MemberRecord,
      errors: [BadRequest, MemberNotFound, NotFound, RoleChangeDenied, LastOwner, WorkspaceForbidden]
    }),
    endpoint.remove("removeMember", "/v1/members/:user_id", {
      summary: "Remove a member, or leave",
      description: "The member's sessions in the workspace end within a second. Everyone but the last owner may leave.",
      policy: { role: "viewer" },
      params: { user_id: idOf(UserId) },
      success: HttpApiSchema.NoContent,
      errors: [MemberNotFound, NotFound, RemoveDenied, LastOwner, WorkspaceForbidden]
    }),
    endpoint.post("invite", "/v1/invitations", {
      summary: "Invite a person",
      description: "Mails a link that is valid for seven days. A pending invitation of the same address is revoked.",
      payload: InvitationRequest,
      success: InvitationRecord.pipe(HttpApiSchema.status(201)),
      errors: [BadRequest, InvitationAlreadyMember, NotFound, RoleChangeDenied, WorkspaceForbidden]
    }),
    endpoint.get("invitations", "/v1/invitations", {
      summary: "List invitations",
      description: "Newest first.",
      policy: { role: "admin" },
      success: Schema.Array(InvitationRecord),
      errors: [NotFound]
    }),
    endpoint.remove("revoke", "/v1/invitations/:id", {
      summary: "Revoke an invitation",
      description: "Its link stops working.",
      params: { id: Id },
      success: HttpApiSchema.NoContent,
      errors: [InvitationNotFound, NotFound, RoleChangeDenied, WorkspaceForbidden]
    }),
    endpoint.post("resend", "/v1/invitations/:id/resend", {
      summary: "Send an invitation again",
      description: "Mails the link again. It is valid for another seven days.",
      params: { id: Id },
      success: InvitationRecord.pipe(HttpApiSchema.status(202)),
      errors: [InvitationNotFound, NotFound, RoleChangeDenied, WorkspaceForbidden]
    })
  )
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(
    OpenApi.annotations({ title: "Members", description: "The members of the workspace, and its invitations." })
  ) {}
