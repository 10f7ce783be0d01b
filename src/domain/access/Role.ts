import { Schema } from "effect"

/** What a member of a workspace may do, from the least to the most (docs/accounts.md). */
export const Role = Schema.Literals(["viewer", "member", "admin", "owner"]).annotate({ identifier: "Role" })
export type Role = typeof Role.Type

/** Whether the role includes the other. */
export const reaches = (role: Role, least: Role): boolean => Role.literals.indexOf(role) >= Role.literals.indexOf(least)
