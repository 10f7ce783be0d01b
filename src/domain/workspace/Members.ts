// The members and invitations of a workspace, and how events change them. Times are epoch milliseconds.
import { Schema } from "effect"
import type { Origin } from "../access/Origin.ts"
import { leastRights, Rights, rightsOf } from "../access/Role.ts"
import type { UserId } from "../BrandedIds.ts"
import { Count, EpochMs } from "../kit/Fields.ts"

export const Membership = Schema.Struct({
  email: Schema.String,
  ...Rights.fields,
  joined_at: EpochMs,
  /**
   * The number of the latest change of this membership, counted per workspace. A session belongs to one generation and
   * ends when it changes.
   */
  generation: Count
})
export type Membership = typeof Membership.Type

export const Invitation = Schema.Struct({
  email: Schema.String,
  ...Rights.fields,
  status: Schema.Literals(["pending", "accepted", "revoked"]),
  invited_by: Schema.String,
  created_at: EpochMs,
  expires_at: EpochMs,
  /** How many messages were requested (`mails`), and how many the mailbox has taken (`mailed`). */
  mails: Count,
  mailed: Count
})
export type Invitation = typeof Invitation.Type

export const Members = Schema.Struct({
  /** The generation of the latest change of a membership. */
  generation: Count,
  /** By user id. */
  members: Schema.Record(Schema.String, Membership),
  /** By invitation id, the oldest first. */
  invitations: Schema.Record(Schema.String, Invitation)
})
export type Members = typeof Members.Type

export type MemberEvent =
  | ({
      readonly _tag: "MemberChanged"
      readonly at: number
      readonly user_id: UserId
      readonly origin: Origin
    } & Rights)
  | {
      readonly _tag: "MemberRemoved"
      readonly at: number
      readonly user_id: UserId
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
      readonly user_id: UserId
      readonly email: string
      readonly origin: Origin
    }

export const invitationLife_ms = 7 * 86_400_000
/** Limit of members and pending invitations together. */
export const maxMembers = 500
/** How many invitations are stored. Above that, the oldest ones that are no longer open are deleted. */
const maxStoredInvitations = 600

export const isOpen = ({ expires_at, status }: Invitation, now: number): boolean =>
  status === "pending" && now < expires_at

export const isLastOwner = (members: Members["members"], user_id: UserId): boolean =>
  members[user_id]?.role === "owner" && Object.values(members).filter(({ role }) => role === "owner").length === 1

const without = <A>(record: Readonly<Record<string, A>>, id: string): Readonly<Record<string, A>> => {
  const { [id]: _, ...rest } = record
  return rest
}

const withInvitation = (
  invitations: Members["invitations"],
  id: string,
  invitation: Invitation,
  at: number
): Members["invitations"] => {
  const all: Members["invitations"] = { ...invitations, [id]: invitation }
  const excess = Object.keys(all).length - maxStoredInvitations
  if (excess <= 0) return all
  const over = Object.entries(all)
    .filter(([, invitation]) => !isOpen(invitation, at))
    .slice(0, excess)
  return over.reduce((rest, [id]) => without(rest, id), all)
}

const withInvitationChanged = <M extends Members>(state: M, id: string, change: Partial<Invitation>): M => {
  const invitation = state.invitations[id]
  return invitation === undefined
    ? state
    : { ...state, invitations: { ...state.invitations, [id]: { ...invitation, ...change } } }
}

/** Sets a member, in a new generation. */
const withMember = <M extends Members>(state: M, user_id: UserId, member: Omit<Membership, "generation">): M => {
  const generation = state.generation + 1
  return { ...state, generation, members: { ...state.members, [user_id]: { ...member, generation } } }
}

export const evolveMembers = <M extends Members>(state: M, event: MemberEvent): M => {
  switch (event._tag) {
    case "MemberChanged": {
      const member = state.members[event.user_id]
      return member === undefined ? state : withMember(state, event.user_id, { ...member, ...rightsOf(event) })
    }
    case "MemberRemoved":
      return { ...state, generation: state.generation + 1, members: without(state.members, event.user_id) }
    case "Invited":
      return { ...state, invitations: withInvitation(state.invitations, event.id, event.invitation, event.at) }
    case "InvitationRevoked":
      return withInvitationChanged(state, event.id, { status: "revoked" })
    case "InvitationResent":
      return withInvitationChanged(state, event.id, {
        expires_at: event.expires_at,
        mails: (state.invitations[event.id]?.mails ?? 0) + 1
      })
    case "InvitationMailed":
      return withInvitationChanged(state, event.id, { mailed: event.mails })
    case "InvitationAccepted": {
      const { email, id, user_id } = event
      const rights = rightsOf(state.invitations[id] ?? leastRights)
      return withMember(withInvitationChanged(state, id, { status: "accepted" }), user_id, {
        email,
        ...rights,
        joined_at: event.at
      })
    }
  }
}
