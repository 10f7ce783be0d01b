// Members with their roles, and open invitations.
import { useState } from "react"
import { useChange, useRead } from "../../api/Hooks.ts"
import type { Invitation, Member, Role } from "../../api/Types.ts"
import { usePermissions, useSession } from "../../shell/Session.tsx"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Tick } from "../../ui/Choices.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { Field } from "../../ui/Field.tsx"
import { wordsOf } from "../../ui/Format.ts"
import { FormModal } from "../../ui/FormModal.tsx"
import { Loaded, Note, Refused, State } from "../../ui/States.tsx"
import { Status } from "../../ui/Status.tsx"
import { type Column, Table } from "../../ui/Table.tsx"
import { Tag, Time } from "../../ui/Values.tsx"

const roles: ReadonlyArray<readonly [Role, string]> = [
  ["viewer", "Viewer: reads everything"],
  ["member", "Member: places calls and tops up"],
  ["admin", "Admin: changes everything but owners"],
  ["owner", "Owner: everything"]
]

interface Granted {
  readonly role: Role
  readonly read_only: boolean
}

const RoleFields = (props: { value: Granted; owner: boolean; onChange: (value: Granted) => void }) => {
  const { onChange, owner, value } = props
  return (
    <>
      <Field label="Role">
        <select
          value={value.role}
          onChange={({ target }) => {
            const role = roles.find(([each]) => each === target.value)?.[0] ?? "viewer"
            onChange({ role, read_only: role === "member" && value.read_only })
          }}
        >
          {roles
            .filter(([role]) => owner || role !== "owner")
            .map(([role, word]) => (
              <option key={role} value={role}>
                {word}
              </option>
            ))}
        </select>
      </Field>
      {value.role === "member" && (
        <Tick
          label="Reads only, whatever the role allows"
          on={value.read_only}
          onChange={(read_only) => onChange({ ...value, read_only })}
        />
      )}
    </>
  )
}

const Invite = ({ onClose }: { onClose: () => void }) => {
  const { owner } = usePermissions()
  const [email, setEmail] = useState("")
  const [granted, setGranted] = useState<Granted>({ role: "member", read_only: false })
  const invite = useChange(["/v1/invitations"])
  return (
    <FormModal
      title="Invite a person"
      text="A link is mailed, which works for seven days."
      act="Send the invitation"
      pending={invite.isPending}
      error={invite.error}
      onClose={onClose}
      onSubmit={() =>
        invite.mutate({ method: "POST", path: "/v1/invitations", body: { email, ...granted } }, { onSuccess: onClose })
      }
    >
      <Field label="E-mail address">
        <input type="email" required value={email} onChange={({ target }) => setEmail(target.value)} />
      </Field>
      <RoleFields value={granted} owner={owner} onChange={setGranted} />
    </FormModal>
  )
}

const ChangeRole = ({ member, onClose }: { member: Member; onClose: () => void }) => {
  const { owner } = usePermissions()
  const [granted, setGranted] = useState<Granted>({
    role: member.role,
    read_only: member.read_only
  })
  const change = useChange(["/v1/members", "/v1/auth/session"])
  const body = granted.role === "member" ? granted : { role: granted.role, read_only: false }
  return (
    <FormModal
      title={member.email}
      act="Change the role"
      pending={change.isPending}
      error={change.error}
      onClose={onClose}
      onSubmit={() =>
        change.mutate({ method: "PATCH", path: `/v1/members/${member.user_id}`, body }, { onSuccess: onClose })
      }
    >
      <RoleFields value={granted} owner={owner} onChange={setGranted} />
    </FormModal>
  )
}

interface Acts {
  readonly admin: boolean
  readonly own: string
  readonly onChange: (member: Member) => void
  readonly onRemove: (member: Member) => void
}

const columnsOf = ({ admin, onChange, onRemove, own }: Acts): ReadonlyArray<Column<Member>> => [
  {
    title: "Person",
    cell: ({ email, user_id }) => (
      <span className="row">
        {email}
        {user_id === own && <Tag>you</Tag>}
      </span>
    )
  },
  {
    title: "Role",
    cell: ({ read_only, role }) => (
      <>
        {wordsOf(role)}
        {read_only && <span className="faint"> reads only</span>}
      </>
    )
  },
  { title: "Since", cell: ({ joined_at }) => <Time at={joined_at} format="date" />, spare: true },
  {
    title: <span className="unseen">Change or remove</span>,
    cell: (member) => (
      <span className="row">
        <span className="grow" />
        {admin && (
          <Button small onClick={() => onChange(member)}>
            Role
          </Button>
        )}
        {(admin || member.user_id === own) && (
          <Button small onClick={() => onRemove(member)}>
            {member.user_id === own ? "Leave" : "Remove"}
          </Button>
        )}
      </span>
    ),
    end: true
  }
]

const Invitations = () => {
  const read = useRead<ReadonlyArray<Invitation>>("/v1/invitations")
  const change = useChange(["/v1/invitations"])
  const columns: ReadonlyArray<Column<Invitation>> = [
    { title: "Status", cell: ({ status }) => <Status of={status} /> },
    { title: "Person", cell: ({ email }) => email },
    { title: "Role", cell: ({ role }) => wordsOf(role), spare: true },
    {
      title: "Until",
      cell: ({ expires_at }) => <Time at={expires_at} format="date" />,
      spare: true
    },
    {
      title: <span className="unseen">Send again or revoke</span>,
      cell: ({ id, status }) =>
        (status === "pending" || status === "expired") && (
          <span className="row">
            <span className="grow" />
            <Button
              small
              onClick={() => change.mutate({ method: "POST", path: `/v1/invitations/${id}/resend`, body: {} })}
            >
              Send again
            </Button>
            {status === "pending" && (
              <Button small onClick={() => change.mutate({ method: "DELETE", path: `/v1/invitations/${id}` })}>
                Revoke
              </Button>
            )}
          </span>
        ),
      end: true
    }
  ]
  return (
    <Card title="Invitations" note={read.data?.length} bare>
      <Loaded read={read} what="The invitations">
        {(all) =>
          all.length === 0 ? (
            <State icon="members" title="Nobody is invited." />
          ) : (
            <Table label="Invitations" columns={columns} rows={all} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      <Refused error={change.error} />
    </Card>
  )
}

type Dialog = { readonly invite: true } | { readonly change: Member } | { readonly remove: Member }

const Dialogs = ({ dialog, onClose, own }: { dialog: Dialog; own: string; onClose: () => void }) => {
  if ("invite" in dialog) return <Invite onClose={onClose} />
  if ("change" in dialog) return <ChangeRole member={dialog.change} onClose={onClose} />
  const { email, user_id } = dialog.remove
  const leaving = user_id === own
  return (
    <Confirm
      title={leaving ? "Leave the workspace?" : `Remove ${email}?`}
      text={leaving ? "You can return by an invitation." : "The sessions of this person lose the workspace at once."}
      act={leaving ? "Leave" : "Remove"}
      method="DELETE"
      path={`/v1/members/${user_id}`}
      stale={["/v1/members"]}
      onClose={onClose}
      onDone={leaving ? () => window.location.assign("/") : onClose}
    />
  )
}

export const Members = () => {
  const { admin } = usePermissions()
  const { session } = useSession()
  const [dialog, setDialog] = useState<Dialog>()
  const read = useRead<ReadonlyArray<Member>>("/v1/members")
  const own = session.user.id
  const columns = columnsOf({
    admin,
    own,
    onChange: (change) => setDialog({ change }),
    onRemove: (remove) => setDialog({ remove })
  })
  return (
    <>
      {!admin && <Note>Owners and admins invite people and change roles.</Note>}
      <Card
        title="Members"
        note={read.data?.length}
        bare
        acts={
          admin && (
            <Button small icon="plus" onClick={() => setDialog({ invite: true })}>
              Invite a person
            </Button>
          )
        }
      >
        <Loaded read={read} what="The members">
          {(all) => <Table label="Members" columns={columns} rows={all} keyOf={({ user_id }) => user_id} />}
        </Loaded>
      </Card>
      {admin && <Invitations />}
      {dialog && <Dialogs dialog={dialog} own={own} onClose={() => setDialog(undefined)} />}
    </>
  )
}
