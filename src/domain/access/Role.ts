import { Schema } from "effect"

/** The role of a member, in order of increasing rights (docs/accounts.md). */
export const Role = Schema.Literals(["viewer", "member", "admin", "owner"]).annotate({ identifier: "Role" })
export type Role = typeof Role.Type

/** What a member may do. */
export const Rights = Schema.Struct({
  role: Role,
  /** The member can read but change nothing, whatever the role allows. */
  read_only: Schema.Boolean
})
export type Rights = typeof Rights.Type

export const ownerRights: Rights = { role: "owner", read_only: false }
export const leastRights: Rights = { role: "viewer", read_only: false }

export const rightsOf = ({ read_only, role }: Rights): Rights => ({ role, read_only })

export const mayWrite = ({ read_only, role }: Rights): boolean => role !== "viewer" && !read_only

/** Whether `role` is at least `least`. */
export const reaches = (role: Role, least: Role): boolean => Role.literals.indexOf(role) >= Role.literals.indexOf(least)

/** Who reads the audit log, and what else an API key needs `audit.read` for. */
export const auditReader: Role = "admin"
