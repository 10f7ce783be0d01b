import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { AuditEntry, AuditVerdict } from "../../domain/access/AuditEntry.ts"
import { auditReader } from "../../domain/access/Role.ts"
import { AuditActionKindInvalid } from "../../domain/errors/ApiKeyErrors.ts"
import { BadRequest, InvalidCursor } from "../../domain/errors/GeneralErrors.ts"
import { FilterInstant, FilterText, ListOf, paging } from "../request/Pagination.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { responses } from "../request/Responses.ts"
import { EndpointPolicy } from "../request/EndpointPolicy.ts"

const list = HttpApiEndpoint.get("list", "/v1/audit", {
  query: {
    ...paging,
    action_kind: Schema.optionalKey(FilterText),
    actor_id: Schema.optionalKey(FilterText),
    target_id: Schema.optionalKey(FilterText),
    from: Schema.optionalKey(FilterInstant),
    to: Schema.optionalKey(FilterInstant)
  },
  success: ListOf(AuditEntry),
  error: responses(BadRequest, InvalidCursor, AuditActionKindInvalid)
})
  .annotate(EndpointPolicy, { scope: "audit.read", role: auditReader })
  .annotateMerge(
    OpenApi.annotations({ summary: "Read the audit log", description: "Newest first. Entries are kept for 400 days." })
  )

const verify = HttpApiEndpoint.get("verify", "/v1/audit/verify", { success: AuditVerdict })
  .annotate(EndpointPolicy, {
    scope: "audit.read",
    role: auditReader
  })
  .annotateMerge(
    OpenApi.annotations({
      summary: "Verify the audit log",
      description: "Recomputes every hash to detect changed or removed entries."
    })
  )

export class AuditApi extends HttpApiGroup.make("audit")
  .add(list, verify)
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Audit", description: "Who changed what in the workspace." })) {}
