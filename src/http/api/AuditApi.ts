import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { AuditEntry, AuditVerdict } from "../../domain/access/AuditEntry.ts"
import { AuditActionKindInvalid } from "../../domain/errors/ApiKeyErrors.ts"
import { FilterInstant, FilterText } from "../request/Pagination.ts"
import { Answers } from "../middleware/Answers.ts"
import { Authentication } from "../middleware/Authentication.ts"
import { RateLimiting } from "../middleware/RateLimiting.ts"
import { customerEndpoints } from "./Endpoints.ts"

const endpoint = customerEndpoints({ read: { scope: "audit.read", role: "admin" } })

export class AuditApi extends HttpApiGroup.make("audit")
  .add(
    endpoint.list("list", "/v1/audit", {
      summary: "Read the audit log",
      description: "Newest first. Entries are kept for 400 days.",
      query: {
        action_kind: Schema.optionalKey(FilterText),
        actor_id: Schema.optionalKey(FilterText),
        target_id: Schema.optionalKey(FilterText),
        from: Schema.optionalKey(FilterInstant),
        to: Schema.optionalKey(FilterInstant)
      },
      success: AuditEntry,
      errors: [AuditActionKindInvalid]
    }),
    endpoint.get("verify", "/v1/audit/verify", {
      summary: "Verify the audit log",
      description: "Recomputes every hash to detect changed or removed entries.",
      success: AuditVerdict
    })
  )
  .middleware(RateLimiting)
  .middleware(Authentication)
  .middleware(Answers)
  .annotateMerge(OpenApi.annotations({ title: "Audit", description: "Who changed what in the workspace." })) {}
