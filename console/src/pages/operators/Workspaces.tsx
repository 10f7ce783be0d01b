// All workspaces, and suspending them.
import { useState } from "react"
import { usePages } from "../../api/Hooks.ts"
import type { Workspace } from "../../api/Types.ts"
import { Button, ButtonLink } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { CopyText } from "../../ui/CopyText.tsx"
import { Field } from "../../ui/Field.tsx"
import { wordsOf } from "../../ui/Format.ts"
import { PagedTable } from "../../ui/PagedTable.tsx"
import { State } from "../../ui/States.tsx"
import { Status } from "../../ui/Status.tsx"
import type { Column } from "../../ui/Table.tsx"
import { Time } from "../../ui/Values.tsx"

const path = "/v1/admin/workspaces"

const columnsOf = (onChange: (workspace: Workspace) => void): ReadonlyArray<Column<Workspace>> => [
  { title: "Status", cell: ({ status }) => <Status of={status} /> },
  { title: "Name", cell: ({ name }) => <b>{name}</b> },
  {
    title: "Id",
    cell: ({ id }) => <CopyText text={id} shown={`${id.slice(0, 13)}…`} label={`id ${id.slice(0, 13)}`} />,
    spare: true
  },
  { title: "Currency", cell: ({ currency }) => currency, spare: true },
  {
    title: "Numbers",
    cell: ({ number_mode }) => <span className="dim">{wordsOf(number_mode)}</span>,
    spare: true
  },
  { title: "Since", cell: ({ created_at }) => <Time at={created_at} format="date" />, spare: true },
  {
    title: <span className="unseen">Caller ids, suspend or reinstate</span>,
    cell: (workspace) => (
      <span className="row">
        <ButtonLink small to="/operators" search={{ workspace: workspace.id }}>
          Caller ids
        </ButtonLink>
        {(workspace.status === "active" || workspace.status === "suspended") && (
          <Button small onClick={() => onChange(workspace)}>
            {workspace.status === "active" ? "Suspend" : "Reinstate"}
          </Button>
        )}
      </span>
    ),
    end: true
  }
]

const Change = ({ onClose, workspace }: { workspace: Workspace; onClose: () => void }) => {
  const [reason, setReason] = useState("")
  const suspends = workspace.status === "active"
  return (
    <Confirm
      title={suspends ? `Suspend ${workspace.name}?` : `Reinstate ${workspace.name}?`}
      text={
        suspends
          ? "Nothing in it can be changed and no call can be placed until it is reinstated."
          : "It can be changed and can place calls again."
      }
      act={suspends ? "Suspend it" : "Reinstate it"}
      danger={suspends}
      method="POST"
      path={`${path}/${workspace.id}/${suspends ? "suspend" : "reinstate"}`}
      {...(suspends && { body: reason === "" ? {} : { reason } })}
      stale={[path]}
      onClose={onClose}
    >
      {suspends && (
        <Field label="Reason" hint="The workspace can read it.">
          <input maxLength={200} value={reason} onChange={({ target }) => setReason(target.value)} />
        </Field>
      )}
    </Confirm>
  )
}

/** The newest workspaces, and older ones as they are asked for. */
export const useWorkspaces = () => usePages<Workspace>(path, { query: { limit: 50 } })

export const Workspaces = () => {
  const [changed, setChanged] = useState<Workspace>()
  const read = useWorkspaces()
  return (
    <Card title="Workspaces" bare>
      <PagedTable
        read={read}
        what="The workspaces"
        columns={columnsOf(setChanged)}
        keyOf={({ id }) => id}
        more="Show older workspaces"
        empty={<State icon="operators" title="There is no workspace yet." />}
      />
      {changed && <Change workspace={changed} onClose={() => setChanged(undefined)} />}
    </Card>
  )
}
