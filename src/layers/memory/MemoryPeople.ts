// People, their sign-in links and their sessions, in memory. Memberships are those of the workspaces in the journal.
import { Clock, Effect, Layer, Redacted } from "effect"
import { auditRow, type Origin } from "../../domain/access/Origin.ts"
import type { Identity } from "../../domain/access/Identity.ts"
import type { NewSession, Session, SessionRecord } from "../../domain/access/Session.ts"
import { isAlive, session_life_ms } from "../../domain/access/SessionLife.ts"
import type { User } from "../../domain/access/User.ts"
import { toWorkspaceId, type UserId, type WorkspaceId } from "../../domain/BrandedIds.ts"
import { EmailTaken } from "../../domain/errors/AuthErrors.ts"
import { Sessions } from "../../domain/ports/access/Sessions.ts"
import { SignIns } from "../../domain/ports/access/SignIns.ts"
import { Tokens } from "../../domain/ports/access/Tokens.ts"
import type { WorkspaceFacts } from "../../domain/workspace/Workspace.ts"
import { factsOfState } from "../../domain/workspace/StoredWorkspace.ts"
import type { MemoryJournal } from "../journal/MemoryJournal.ts"
import { rowsOf } from "./MemoryRows.ts"
import { isoInstant } from "../../domain/kit/Instants.ts"

interface Person extends Pick<User, "id" | "email"> {
  is_verified: boolean
  identity: Identity | undefined
}

interface Link {
  readonly user_id: UserId | null
  readonly expires_at: number
  is_used: boolean
}

interface StoredSession {
  readonly id: string
  readonly user_id: UserId
  readonly created_at: number
  readonly expires_at: number
  readonly ip: string | null
  readonly user_agent: string | null
  token_hash: string
  last_seen_at: number
  workspace_id: WorkspaceId | null
  generation: number | null
}

interface StoredWorkspaceFacts {
  readonly id: WorkspaceId
  readonly facts: WorkspaceFacts
}

const userOf = ({ email, id, identity, is_verified }: Person): User => ({
  id,
  email,
  email_verified: is_verified,
  idp_linked: identity !== undefined
})

const isSame = (one: Identity | undefined, other: Identity): boolean =>
  one?.issuer === other.issuer && one.subject === other.subject

const recordOf = ({
  created_at,
  expires_at,
  id,
  ip,
  last_seen_at,
  user_agent,
  workspace_id
}: StoredSession): SessionRecord => ({
  id,
  workspace_id,
  created_at: isoInstant(created_at),
  last_seen_at: isoInstant(last_seen_at),
  expires_at: isoInstant(expires_at),
  ip,
  user_agent
})

/** What is stored of people besides the journal. All engines of a journal share it, as they would share tables. */
class People {
  readonly users = new Map<UserId, Person>()
  readonly links = new Map<string, Link>()
  readonly sessions = new Map<string, StoredSession>()
  private readonly journal: MemoryJournal

  constructor(journal: MemoryJournal) {
    this.journal = journal
  }

  get workspaces(): ReadonlyArray<StoredWorkspaceFacts> {
    return rowsOf(this.journal, "Workspace").map(({ actor_id, state }) => ({
      id: toWorkspaceId(actor_id),
      facts: factsOfState(state)
    }))
  }

  find(isWanted: (person: Person) => boolean): User | undefined {
    const found = [...this.users.values()].find(isWanted)
    return found && userOf(found)
  }

  /** The workspaces of a person in the order of joining; closed ones last. */
  workspacesOf(user_id: UserId) {
    return this.workspaces
      .flatMap(({ facts, id }) => {
        const member = facts.members[user_id]
        return member === undefined ? [] : [{ id, facts, member }]
      })
      .toSorted(
        (a, b) =>
          Number(a.facts.status === "closed") - Number(b.facts.status === "closed") ||
          a.member.joined_at - b.member.joined_at
      )
  }

  /** The membership of a new session: in the given workspace, or else in the one that the person joined first. */
  membershipOf(user_id: UserId, workspace_id?: WorkspaceId) {
    const found = this.workspacesOf(user_id).find(({ facts, id }) =>
      workspace_id === undefined ? facts.status !== "closed" : id === workspace_id
    )
    return { workspace_id: found?.id ?? null, generation: found?.member.generation ?? null }
  }

  open(user_id: UserId, { at, id, origin, token_hash }: NewSession, workspace_id?: WorkspaceId): void {
    const membership = this.membershipOf(user_id, workspace_id)
    const { ip, user_agent } = origin
    const times = { created_at: at, last_seen_at: at, expires_at: at + session_life_ms }
    this.sessions.set(id, { id, user_id, token_hash, ip, user_agent, ...times, ...membership })
    const label = this.users.get(user_id)?.email ?? null
    const signedIn = { action_kind: "session.signed_in", target: { type: "session", id }, at } as const
    this.audit({ ...origin, actor: { type: "user", id: user_id, label } }, membership.workspace_id, signedIn)
  }

  audit(
    origin: Origin,
    workspace_id: WorkspaceId | null,
    row: Omit<Parameters<typeof auditRow>[1], "workspace_id">
  ): void {
    if (workspace_id !== null) this.journal.tables.audit.push(auditRow(origin, { ...row, workspace_id }))
  }

  /** The session while its membership is unchanged. */
  sessionOf(token_hash: string, now: number, operators: ReadonlySet<string>): Session | undefined {
    const stored = [...this.sessions.values()].find((session) => session.token_hash === token_hash)
    const person = stored && this.users.get(stored.user_id)
    if (stored === undefined || person === undefined || !isAlive(stored, now)) return undefined
    const { generation, id, user_id, workspace_id } = stored
    const member = this.workspaces.find((workspace) => workspace.id === workspace_id)?.facts.members[user_id]
    if (generation !== (member?.generation ?? null)) return undefined
    const membership =
      workspace_id !== null && member !== undefined
        ? { workspace_id, role: member.role, read_only: member.read_only }
        : null
    return { id, user_id, email: person.email, operator: operators.has(person.email), membership }
  }
}

const known = new WeakMap<MemoryJournal, People>()

const peopleOf = (journal: MemoryJournal): People => {
  const people = known.get(journal) ?? new People(journal)
  known.set(journal, people)
  return people
}

const identities = (people: People): Pick<SignIns["Service"], "userByIdentity" | "linkIdentity" | "unlinkIdentity"> => {
  const set = ({ membership, user_id }: Session, identity: Identity | undefined, origin: Origin, at: number) => {
    const person = people.users.get(user_id)
    if (person !== undefined) person.identity = identity
    const action_kind = identity === undefined ? "session.idp_unlinked" : "session.idp_linked"
    people.audit(origin, membership?.workspace_id ?? null, { action_kind, target: { type: "user", id: user_id }, at })
  }
  return {
    userByIdentity: (identity) => Effect.sync(() => people.find((person) => isSame(person.identity, identity))),
    linkIdentity: (session, identity, origin, at) =>
      Effect.suspend(() => {
        const owner = people.find((person) => isSame(person.identity, identity))
        if (owner !== undefined && owner.id !== session.user_id)
          return Effect.fail(new EmailTaken({ message: "This identity is linked to another account." }))
        return Effect.sync(() => set(session, identity, origin, at))
      }),
    unlinkIdentity: (session, origin, at) => Effect.sync(() => set(session, undefined, origin, at))
  }
}

const links = (people: People): Pick<SignIns["Service"], "issueLink" | "redeemLink"> => ({
  issueLink: ({ expires_at, secret_hash, user_id }) =>
    Effect.sync(() => void people.links.set(secret_hash, { user_id, expires_at, is_used: false })),
  redeemLink: (secret_hash, session) =>
    Effect.sync(() => {
      const link = people.links.get(secret_hash)
      if (link?.is_used === true) return { _tag: "Used" } as const
      const person = link === undefined || link.user_id === null ? undefined : people.users.get(link.user_id)
      if (link === undefined || person === undefined || link.expires_at <= session.at)
        return { _tag: "Expired" } as const
      link.is_used = true
      person.is_verified = true
      people.open(person.id, session)
      return { _tag: "SignedIn", user: userOf(person) } as const
    })
})

const openSessions = (
  people: People
): Pick<SignIns["Service"], "openSession" | "moveSession" | "sessionsOf" | "endSession"> => ({
  openSession: (user_id, session, workspace_id) => Effect.sync(() => people.open(user_id, session, workspace_id)),
  moveSession: (id, { at, token_hash }, workspace_id) =>
    Effect.sync(() => {
      const session = people.sessions.get(id)
      if (session === undefined) return
      Object.assign(session, {
        token_hash,
        last_seen_at: at,
        ...people.membershipOf(session.user_id, workspace_id)
      } satisfies Partial<StoredSession>)
    }),
  sessionsOf: (user_id, now) =>
    Effect.sync(() =>
      [...people.sessions.values()]
        .filter((session) => session.user_id === user_id && isAlive(session, now))
        .toSorted((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1))
        .map(recordOf)
    ),
  endSession: (user_id, id, origin, at) =>
    Effect.sync(() => {
      const session = people.sessions.get(id)
      if (session?.user_id !== user_id) return false
      people.sessions.delete(id)
      people.audit(origin, session.workspace_id, {
        action_kind: "session.signed_out",
        target: { type: "session", id },
        at
      })
      return true
    })
})

const signIns = (people: People) =>
  Layer.succeed(SignIns)({
    ...identities(people),
    ...links(people),
    ...openSessions(people),
    userByEmail: (email) => Effect.sync(() => people.find((person) => person.email === email)),
    register: ({ email, id, identity }) =>
      Effect.suspend(() => {
        if (people.find((person) => person.email === email) !== undefined) return Effect.fail(new EmailTaken())
        const person = { id, email, identity, is_verified: false }
        people.users.set(id, person)
        return Effect.succeed(userOf(person))
      }),
    isInvited: (email, now) =>
      Effect.sync(() =>
        people.workspaces.some(
          ({ facts: { invitations, status } }) =>
            status !== "closed" &&
            status !== "suspended" &&
            Object.values(invitations).some(
              (invitation) =>
                invitation.email === email && invitation.status === "pending" && invitation.expires_at > now
            )
        )
      ),
    workspacesOf: (user_id) =>
      Effect.sync(() =>
        people.workspacesOf(user_id).map(({ facts: { name, status }, id, member: { read_only, role } }) => ({
          id,
          name,
          status,
          role,
          read_only
        }))
      )
  })

/** `operators`: e-mail addresses of the platform's operators, in lower case. */
export const layer = (journal: MemoryJournal, operators: ReadonlySet<string>) => {
  const people = peopleOf(journal)
  const sessions = Layer.effect(
    Sessions,
    Effect.map(Tokens, ({ hash }) => {
      const look = (token: Redacted.Redacted) =>
        Effect.map(Clock.currentTimeMillis, (now) => people.sessionOf(hash(Redacted.value(token)), now, operators))
      const find = (token: Redacted.Redacted) =>
        Effect.zipWith(look(token), Clock.currentTimeMillis, (session, now) => {
          const stored = session && people.sessions.get(session.id)
          if (stored !== undefined) stored.last_seen_at = now
          return session
        })
      return Sessions.of({ find, look, knows: (token) => Effect.map(look(token), (session) => session !== undefined) })
    })
  )
  return Layer.merge(signIns(people), sessions)
}
