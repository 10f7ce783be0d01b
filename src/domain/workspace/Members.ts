// The members of a workspace and those who are invited to it, and what happens to them.
import type { Origin } from "../access/Origin.ts"
import type { Role } from "../access/Role.ts"

export interface Membership {
  readonly email: string
  readonly role: Role
  readonly read_only: boolean
  readonly joined_at: number
  /** Counts the changes of the workspace's memberships: a session is of one membership, and ends when it changes. */
  readonly generation: number
}

export interface Invitation {
  readonly email: string
  readonly role: Role
  readonly read_only: boolean
  readonly status: "pending" | "accepted" | "revoked"
  readonly invited_by: string
  readonly created_at: number
  readonly expires_at: number
  /** Messages that were asked for, and those that are on their way. */
  readonly mails: number
  readonly mailed: number
}

export interface Membered {
  /** Of the latest change of a membership. */
  readonly generation: number
  /** By the user's id. */
  readonly members: Readonly<Record<string, Membership>>
  /** By their ids, the oldest first. */
  readonly invitations: Readonly<Record<string, Invitation>>
}

export type MemberEvent =
  | {
      readonly _tag: "MemberChanged"
      readonly at: number
      readonly user_id: string
      readonly role: Role
      readonly read_only: boolean
      readonly origin: Origin
    }
  | {
      readonly _tag: "MemberRemoved"
      readonly at: number
      readonly user_id: string
      readonly left: boolean
      readonly origin: Origin
    }
  | {
      readonly _tag: "Invited"
      readonly at: number
      readonly id: string
      readonly invitation: Invitation
      readonly origin: Origin
    }
  | { readonly _tag: "InvitationRevoked"; readonly at: number; readonly id: string; readonly origin: Origin }
  | { readonly _tag: "InvitationResent"; readonly id: string; readonly expires_at: number }
  | { readonly _tag: "InvitationMailed"; readonly id: string; readonly mails: number }
  | {
      readonly _tag: "InvitationAccepted"
      readonly at: number
      readonly id: string
      readonly user_id: string
      readonly email: string
      readonly origin: Origin
    }

export const invitation_life_ms = 7 * 86_400_000
/** Members and invitations that are pending, together. */
export const members_max = 500
/** Invitations that are remembered; of those that are over, the oldest are forgotten. */
const invitations_max = 600

export const isOpen = ({ expires_at, status }: Invitation, now: number): boolean =>
  status === "pending" && now < expires_at

export const isLastOwner = (members: Membered["members"], user_id: string): boolean =>
  members[user_id]?.role === "owner" && Object.values(members).filter(({ role }) => role === "owner").length === 1

const without = <A>(record: Readonly<Record<string, A>>, id: string): Readonly<Record<string, A>> => {
  const { [id]: _, ...rest } = record
  return rest
}

const withInvitation = (
  invitations: Membered["invitations"],
  id: string,
  invitation: Invitation,
  at: number
): Membered["invitations"] => {
  const all = { ...invitations, [id]: invitation }
  const excess = Object.keys(all).length - invitations_max
  if (excess <= 0) return all
  const over = Object.entries(all)
    .filter(([, invitation]) => !isOpen(invitation, at))
    .slice(0, excess)
  return over.reduce((rest, [id]) => without(rest, id), all as Membered["invitations"])
}

const changed = <M extends Membered>(state: M, id: string, change: Partial<Invitation>): M => {
  const invitation = state.invitations[id]
  return invitation === undefined
    ? state
    : { ...state, invitations: { ...state.invitations, [id]: { ...invitation, ...change } } }
}

/** The member as they are from now on, in a new generation. */
const withMember = <M extends Membered>(state: M, user_id: string, member: Omit<Membership, "generation">): M => {
  const generation = state.generation + 1
  return { ...state, generation, members: { ...state.members, [user_id]: { ...member, generation } } }
}

export const evolveMembers = <M extends Membered>(state: M, event: MemberEvent): M => {
  switch (event._tag) {
    case "MemberChanged": {
      const member = state.members[event.user_id]
      return member === undefined
        ? state
        : withMember(state, event.user_id, { ...member, role: event.role, read_only: event.read_only })
    }
    case "MemberRemoved":
      return { ...state, generation: state.generation + 1, members: without(state.members, event.user_id) }
    case "Invited":
      return { ...state, invitations: withInvitation(state.invitations, event.id, event.invitation, event.at) }
    case "InvitationRevoked":
      return changed(state, event.id, { status: "revoked" })
    case "InvitationResent":
      return changed(state, event.id, {
        expires_at: event.expires_at,
        mails: (state.invitations[event.id]?.mails ?? 0) + 1
      })
    case "InvitationMailed":
      return changed(state, event.id, { mailed: event.mails })
    case "InvitationAccepted": {
      const { email, id, user_id } = event
      const { read_only = false, role = "viewer" } = state.invitations[id] ?? {}
      return withMember(changed(state, id, { status: "accepted" }), user_id, {
        email,
        role,
        read_only,
        joined_at: event.at
      })
    }
  }
}
