import { Schema } from "effect"

/** The role of a member, in order of increasing rights (docs/accounts.md). */
export const Role = Schema.Literals(["viewer", "member", "admin", "owner"]).annotate({ identifier: "Role" })
export type Role = typeof Role.Type

/** Whether `role` is at least `least`. */
export const reaches = (role: Role, least: Role): boolean => Role.literals.indexOf(role) >= Role.literals.indexOf(least)

/** Who reads the audit log, and what else an API key needs `audit.read` for. */
export const auditReader: Role = "admin"
