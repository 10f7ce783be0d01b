import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { systemOrigin } from "../../../src/domain/access/Origin.ts"
import type { Role } from "../../../src/domain/access/Role.ts"
import { messageSchema } from "../../../src/domain/Command.ts"
import { changeOf } from "../../../src/domain/Decision.ts"
import { decideMembers } from "../../../src/domain/workspace/DecideMembers.ts"
import { decideWorkspace } from "../../../src/domain/workspace/DecideWorkspace.ts"
import type { MemberCommand } from "../../../src/domain/workspace/MemberCommand.ts"
import { invitationRecords, memberRecords } from "../../../src/domain/workspace/MemberRecords.ts"
import { evolveMembers, type Members, type Membership, maxMembers } from "../../../src/domain/workspace/Members.ts"
import { planWorkspace } from "../../../src/domain/workspace/PlanWorkspace.ts"
import { recordWorkspace } from "../../../src/domain/workspace/RecordWorkspace.ts"
import { factsOfState } from "../../../src/domain/workspace/StoredWorkspace.ts"
import { evolveWorkspace, noWorkspace } from "../../../src/domain/workspace/Workspace.ts"
import { type WorkspaceCommand, WorkspaceCommands } from "../../../src/domain/workspace/WorkspaceCommand.ts"
import { gatewayId, userId, workspaceId } from "../../support/Ids.ts"
import type { UserId } from "../../../src/domain/BrandedIds.ts"

const now = Date.UTC(2026, 10, 20)
const day = 86_400_000
const origin = systemOrigin

const member = (name: string, role: Role, read_only = false): Membership => ({
  email: `${name}@example.com`,
  role,
  read_only,
  joined_at: now,
  generation: 1
})

/** Two owners, and one of each other kind. */
const team: Members = {
  generation: 1,
  members: {
    owner: member("owner", "owner"),
    owner2: member("owner2", "owner"),
    admin: member("admin", "admin"),
    admin2: member("admin2", "admin"),
    member: member("member", "member"),
    reader: member("reader", "member", true),
    viewer: member("viewer", "viewer")
  },
  invitations: {}
}
const { owner2: _, ...oneOwner } = team.members
const alone: Members = { ...team, members: oneOwner }

const outcome = (state: Members, command: MemberCommand, at = now): string =>
  Result.match(decideMembers(state, command, at), {
    onFailure: ({ _tag }) => _tag,
    onSuccess: ({ events }) => events.map(({ _tag }) => _tag).join(" ") || "-"
  })
const after = (state: Members, command: MemberCommand, at = now): Members =>
  Result.getOrThrow(decideMembers(state, command, at)).events.reduce(evolveMembers, state)

const change = (by: UserId, user_id: UserId, role?: Role, read_only?: boolean): MemberCommand => ({
  _tag: "ChangeMember",
  by,
  user_id,
  origin,
  ...(role && { role }),
  ...(read_only !== undefined && { read_only })
})
const remove = (by: UserId, user_id: UserId): MemberCommand => ({ _tag: "RemoveMember", by, user_id, origin })
const invite = (
  by: UserId,
  email: string,
  role: Role = "member",
  id = `to-${email}`,
  read_only = false
): MemberCommand => ({ _tag: "Invite", by, id, email, role, read_only, origin })
const accept = (id: string, user_id: UserId, email: string): MemberCommand => ({
  _tag: "AcceptInvitation",
  id,
  user_id,
  email,
  origin
})

const [write, role_change, removal, admin, last] = [
  "accounts.write_denied",
  "accounts.role_change_denied",
  "accounts.remove_denied",
  "accounts.admin_required",
  "accounts.last_owner"
]
const bad = "validation.bad_request"
const done = "MemberChanged"

describe("changing a member", () => {
  /** [who asks, whom, what they shall be, what comes of it] */
  const rows: ReadonlyArray<[string, string, Role, string]> = [
    ["viewer", "member", "admin", write],
    ["reader", "member", "viewer", write],
    ["member", "viewer", "member", role_change],
    ["admin", "viewer", "member", done],
    ["admin", "viewer", "admin", done],
    ["admin", "admin2", "viewer", done],
    ["admin", "admin", "viewer", done],
    ["admin", "member", "owner", role_change],
    ["admin", "owner", "admin", role_change],
    ["admin", "admin", "owner", role_change],
    ["owner", "member", "owner", done],
    ["owner", "owner2", "viewer", done],
    ["owner", "owner", "admin", done],
    ["owner", "admin", "admin", "-"],
    ["owner", "nobody", "admin", "members.not_found"],
    ["nobody", "member", "viewer", "auth.workspace_forbidden"]
  ]
  for (const [by, user_id, role, expected] of rows) {
    it(`by ${by}: ${user_id} to ${role} gives ${expected}`, () =>
      assert.strictEqual(outcome(team, change(userId(by), userId(user_id), role)), expected))
  }

  it("never leaves the workspace without an owner", () => {
    assert.strictEqual(outcome(alone, change(userId("owner"), userId("owner"), "admin")), last)
    assert.strictEqual(outcome(alone, remove(userId("owner"), userId("owner"))), last)
    const fewer = after(team, change(userId("owner"), userId("owner"), "viewer"))
    assert.strictEqual(outcome(fewer, change(userId("owner2"), userId("owner2"), "viewer")), last)
  })

  it("to read-only is possible for viewers and members, and ends when they become admins", () => {
    assert.strictEqual(outcome(team, change(userId("owner"), userId("admin"), undefined, true)), bad)
    assert.strictEqual(outcome(team, change(userId("owner"), userId("member"), "admin", true)), bad)
    assert.strictEqual(outcome(team, change(userId("admin"), userId("member"), undefined, true)), done)
    assert.strictEqual(outcome(team, change(userId("admin"), userId("member"))), "-")
    assert.deepInclude(after(team, change(userId("admin"), userId("reader"), "admin")).members["reader"], {
      role: "admin",
      read_only: false
    })
  })

  it("gives the membership a new generation, which ends its sessions", () => {
    const changed = after(team, change(userId("admin"), userId("viewer"), "member"))
    assert.deepStrictEqual(
      [changed.generation, changed.members["viewer"]?.generation, changed.members["member"]?.generation],
      [2, 2, 1]
    )
  })
})

describe("removing a member", () => {
  const rows: ReadonlyArray<[string, string, string]> = [
    ["viewer", "viewer", "MemberRemoved"],
    ["reader", "reader", "MemberRemoved"],
    ["admin", "admin", "MemberRemoved"],
    ["owner", "owner", "MemberRemoved"],
    ["viewer", "member", removal],
    ["reader", "viewer", removal],
    ["member", "viewer", removal],
    ["member", "nobody", removal],
    ["admin", "viewer", "MemberRemoved"],
    ["admin", "admin2", "MemberRemoved"],
    ["admin", "owner", removal],
    ["owner", "owner2", "MemberRemoved"],
    ["owner", "nobody", "members.not_found"],
    ["nobody", "nobody", "auth.workspace_forbidden"]
  ]
  for (const [by, user_id, expected] of rows) {
    it(`of ${user_id} by ${by}: ${expected}`, () =>
      assert.strictEqual(outcome(team, remove(userId(by), userId(user_id))), expected))
  }

  it("lets one of two owners leave, but not the last", () => {
    const first = after(team, remove(userId("owner"), userId("owner")))
    assert.strictEqual(outcome(first, remove(userId("owner2"), userId("owner2"))), last)
    assert.isUndefined(first.members["owner"])
  })
})

describe("inviting a member", () => {
  const rows: ReadonlyArray<[string, Role, string]> = [
    ["viewer", "viewer", write],
    ["reader", "viewer", write],
    ["member", "viewer", admin],
    ["admin", "admin", "Invited"],
    ["admin", "owner", role_change],
    ["owner", "owner", "Invited"],
    ["nobody", "viewer", "auth.workspace_forbidden"]
  ]
  for (const [by, role, expected] of rows) {
    it(`of a new ${role} by ${by}: ${expected}`, () =>
      assert.strictEqual(outcome(team, invite(userId(by), "new@example.com", role)), expected))
  }

  const invited = after(team, invite(userId("admin"), "new@example.com", "admin", "i"))

  it("is refused for members of the workspace and for read-only admins", () => {
    assert.strictEqual(outcome(team, invite(userId("admin"), "viewer@example.com")), "invitations.already_member")
    assert.strictEqual(outcome(team, invite(userId("admin"), "new@example.com", "admin", "i", true)), bad)
    assert.strictEqual(
      outcome(invited, invite(userId("admin"), "new@example.com", "admin", "i")),
      "-",
      "the same once more"
    )
  })

  it("replaces a pending invitation of the same address", () => {
    assert.strictEqual(
      outcome(invited, invite(userId("admin"), "new@example.com", "viewer", "j")),
      "InvitationRevoked Invited"
    )
    assert.strictEqual(outcome(invited, invite(userId("admin"), "else@example.com", "viewer", "j")), "Invited")
    assert.strictEqual(
      outcome(invited, invite(userId("admin"), "new@example.com", "viewer", "j"), now + 8 * day),
      "Invited",
      "the first has expired"
    )
  })

  it("can be accepted once, before it expires, by its addressee", () => {
    assert.strictEqual(outcome(invited, accept("i", userId("u"), "new@example.com")), "InvitationAccepted")
    assert.strictEqual(outcome(invited, accept("i", userId("u"), "else@example.com")), "auth.invite_email_mismatch")
    assert.strictEqual(outcome(invited, accept("x", userId("u"), "new@example.com")), "invitations.not_found")
    assert.strictEqual(
      outcome(invited, accept("i", userId("u"), "new@example.com"), now + 7 * day),
      "invitations.not_found"
    )
    const joined = after(invited, accept("i", userId("u"), "new@example.com"))
    assert.deepInclude(joined.members["u"], {
      email: "new@example.com",
      role: "admin",
      read_only: false,
      generation: 2
    })
    assert.strictEqual(outcome(joined, accept("i", userId("u"), "new@example.com")), "-")
    const gone = after(joined, remove(userId("owner"), userId("u")))
    assert.strictEqual(
      outcome(gone, accept("i", userId("u"), "new@example.com")),
      "invitations.not_found",
      "no way back by the old link"
    )
    const member_already = after(
      after(invited, invite(userId("admin"), "x@example.com", "viewer", "j")),
      accept("i", userId("u"), "new@example.com")
    )
    assert.strictEqual(outcome(member_already, accept("j", userId("u"), "x@example.com")), "invitations.already_member")
  })

  it("ends when it is revoked, and lasts another seven days when it is resent", () => {
    const revoked = after(invited, { _tag: "RevokeInvitation", by: userId("admin"), id: "i", origin })
    assert.strictEqual(outcome(revoked, accept("i", userId("u"), "new@example.com")), "invitations.not_found")
    for (const _tag of ["RevokeInvitation", "ResendInvitation"] as const) {
      assert.strictEqual(outcome(revoked, { _tag, by: userId("admin"), id: "i", origin }), "invitations.not_found")
      assert.strictEqual(outcome(invited, { _tag, by: userId("member"), id: "i", origin }), admin)
      assert.strictEqual(outcome(invited, { _tag, by: userId("admin"), id: "x", origin }), "invitations.not_found")
    }
    const again = after(invited, { _tag: "ResendInvitation", by: userId("admin"), id: "i" }, now + 8 * day)
    assert.strictEqual(
      outcome(again, accept("i", userId("u"), "new@example.com"), now + 14 * day),
      "InvitationAccepted"
    )
    const ofOwner = after(team, invite(userId("owner"), "boss@example.com", "owner", "o"))
    assert.strictEqual(
      outcome(ofOwner, { _tag: "RevokeInvitation", by: userId("admin"), id: "o", origin }),
      role_change
    )
  })

  it("counts against the limit of members and pending invitations", () => {
    let full = team
    for (let n = Object.keys(team.members).length; n < maxMembers; n++)
      full = after(full, invite(userId("admin"), `${n}@example.com`))
    assert.strictEqual(outcome(full, invite(userId("admin"), "more@example.com")), bad)
    assert.strictEqual(
      outcome(full, invite(userId("admin"), "100@example.com", "viewer", "again")),
      "InvitationRevoked Invited"
    )
    for (let n = 0; n < 700; n++) full = after(full, invite(userId("admin"), "100@example.com", "viewer", `again-${n}`))
    assert.isBelow(Object.keys(full.invitations).length, 620)
    assert.isDefined(full.invitations["again-699"])
  })

  it("is shown with its status at the time of the request", () => {
    const statuses = (at: number) =>
      invitationRecords(after(invited, invite(userId("admin"), "b@example.com", "viewer", "j"), now + 1), at).map(
        ({ id, status }) => [id, status]
      )
    assert.deepStrictEqual(statuses(now), [
      ["j", "pending"],
      ["i", "pending"]
    ])
    assert.deepStrictEqual(statuses(now + 7 * day), [
      ["j", "pending"],
      ["i", "expired"]
    ])
    assert.deepStrictEqual(
      memberRecords(team).map(({ user_id }) => user_id),
      Object.keys(team.members)
    )
  })
})

describe("a workspace with an invitation", () => {
  const id = workspaceId("0199a000-0000-7000-8000-000000000001")
  const founding: WorkspaceCommand = {
    _tag: "Onboard",
    name: "Acme",
    currency: "KES",
    tenant_pbx_id: "a",
    gateway_id: gatewayId("g"),
    voice_secret: "s",
    owner: { user_id: userId("owner"), email: "owner@example.com" }
  }
  const told = (state = noWorkspace(id), ...commands: ReadonlyArray<WorkspaceCommand>) =>
    commands.reduce(
      (state, command) => Result.getOrThrow(decideWorkspace(state, command, now)).events.reduce(evolveWorkspace, state),
      state
    )
  const active = told(undefined, founding, { _tag: "WalletOpened" })
  const invited = told(active, invite(userId("owner"), "new@example.com", "admin", "i"))
  const keys = (state: typeof active) => planWorkspace(state).map((work) => "key" in work && work.key)

  it("mails it, and mails it again on request", () => {
    assert.deepStrictEqual(keys(invited), ["invitation:i:1"])
    const mailed = told(invited, { _tag: "InvitationMailed", id: "i", mails: 1 })
    assert.deepStrictEqual(keys(mailed), [])
    const again = told(mailed, { _tag: "ResendInvitation", by: userId("owner"), id: "i" })
    assert.deepStrictEqual(keys(told(again, { _tag: "InvitationMailed", id: "i", mails: 1 })), ["invitation:i:2"])
    assert.deepStrictEqual(keys(told(invited, { _tag: "RevokeInvitation", by: userId("owner"), id: "i", origin })), [])
  })

  it("accepts no new member while it is suspended", () => {
    const suspended = told(invited, { _tag: "Suspend", reason: null, origin })
    const refused = decideWorkspace(suspended, accept("i", userId("u"), "new@example.com"), now)
    assert.strictEqual(Result.getOrThrow(Result.flip(refused))._tag, "account.suspended")
  })

  it("writes audit entries for joining, leaving and changing, with the roles", () => {
    const lines = (state: typeof active, command: WorkspaceCommand) => {
      const { events } = Result.getOrThrow(decideWorkspace(state, command, now))
      const { audit, state: text } = recordWorkspace(changeOf(evolveWorkspace, state, events, { uuid: () => "e" }))
      assert.deepStrictEqual(factsOfState(text), events.reduce(evolveWorkspace, state).facts)
      return audit.map(({ action_kind, after, before, target_id, target_type }) => [
        action_kind,
        `${target_type} ${target_id}`,
        before,
        after
      ])
    }
    const sides = (email: string, role: Role) => JSON.stringify({ email, role, read_only: false })
    const joined = told(invited, accept("i", userId("u"), "new@example.com"))
    const [created, changed] = [sides("new@example.com", "admin"), sides("new@example.com", "viewer")]
    assert.deepStrictEqual(lines(active, invite(userId("owner"), "new@example.com", "admin", "i")), [
      ["invitation.created", "invitation i", null, created]
    ])
    assert.deepStrictEqual(lines(invited, { _tag: "RevokeInvitation", by: userId("owner"), id: "i", origin }), [
      ["invitation.revoked", "invitation i", null, created]
    ])
    assert.deepStrictEqual(lines(invited, accept("i", userId("u"), "new@example.com")), [
      ["invitation.accepted", "invitation i", null, created]
    ])
    assert.deepStrictEqual(lines(joined, change(userId("owner"), userId("u"), "viewer")), [
      ["member.role_changed", "member u", created, changed]
    ])
    assert.deepStrictEqual(lines(joined, remove(userId("owner"), userId("u"))), [
      ["member.removed", "member u", created, null]
    ])
    assert.deepStrictEqual(lines(joined, remove(userId("u"), userId("u"))), [
      ["member.left", "member u", created, null]
    ])
  })

  it("decodes the commands of other processes", () => {
    for (const command of [
      change(userId("a"), userId("b"), "viewer"),
      remove(userId("a"), userId("b")),
      invite(userId("a"), "b@example.com"),
      accept("i", userId("u"), "b@example.com")
    ]) {
      assert.deepStrictEqual(
        Schema.decodeUnknownSync(messageSchema(WorkspaceCommands))(JSON.parse(JSON.stringify(command))),
        command
      )
    }
  })
})
