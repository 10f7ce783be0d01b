// Which numbers of others a workspace may show: approving and forbidding them.
import { useState } from "react"
import { useChange, useRead } from "../../api/Hooks.ts"
import type { CallerId } from "../../api/Types.ts"
import { Button, ButtonLink } from "../../ui/Button.tsx"
import { callerIdColumns } from "../../ui/CallerIdColumns.tsx"
import { Card } from "../../ui/Card.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { phoneText } from "../../ui/Format.ts"
import { FormModal } from "../../ui/FormModal.tsx"
import { PhoneField } from "../../ui/PhoneField.tsx"
import { plainNumber } from "../../ui/PlainNumber.ts"
import { Loaded, State } from "../../ui/States.tsx"
import { type Column, Table } from "../../ui/Table.tsx"
import { useWorkspaces } from "./Workspaces.tsx"

const pathOf = (workspace: string): string => `/v1/admin/workspaces/${encodeURIComponent(workspace)}/caller-ids`
const actPath = (path: string, number: string, act: "approve" | "revoke"): string =>
  `${path}/${encodeURIComponent(number)}/${act}`

const Approve = ({ onClose, path }: { path: string; onClose: () => void }) => {
  const [number, setNumber] = useState("")
  const approve = useChange<CallerId>([path])
  return (
    <FormModal
      title="Approve a number"
      text="Calls of the workspace may show it for a year. Nobody is called."
      act="Approve it"
      pending={approve.isPending}
      error={approve.error}
      onClose={onClose}
      onSubmit={() =>
        approve.mutate({ method: "POST", path: actPath(path, plainNumber(number), "approve") }, { onSuccess: onClose })
      }
    >
      <PhoneField value={number} onChange={setNumber} />
    </FormModal>
  )
}

interface Act {
  readonly row: CallerId
  readonly act: "approve" | "revoke"
}

const Change = ({ act, onClose, path, row }: Act & { path: string; onClose: () => void }) => {
  const revokes = act === "revoke"
  const number = phoneText(row.number)
  return (
    <Confirm
      title={revokes ? `Forbid ${number}?` : `Approve ${number}?`}
      text={
        revokes
          ? "The next call cannot show it, and the workspace cannot prove it again until it is approved."
          : "Calls of the workspace may show it for a year. Nobody is called."
      }
      act={revokes ? "Forbid it" : "Approve it"}
      danger={revokes}
      method="POST"
      path={actPath(path, row.number, act)}
      stale={[path]}
      onClose={onClose}
    />
  )
}

const columnsOf = (onAct: (act: Act) => void): ReadonlyArray<Column<CallerId>> => [
  ...callerIdColumns,
  {
    title: <span className="unseen">Approve or forbid</span>,
    cell: (row) => (
      <span className="row wrap">
        {row.status !== "verified" && (
          <Button small onClick={() => onAct({ row, act: "approve" })}>
            Approve
          </Button>
        )}
        {row.status !== "revoked" && (
          <Button small onClick={() => onAct({ row, act: "revoke" })}>
            Forbid
          </Button>
        )}
      </span>
    ),
    end: true
  }
]

export const WorkspaceCallerIds = ({ workspace }: { workspace: string }) => {
  const path = pathOf(workspace)
  const [dialog, setDialog] = useState<"approve" | Act>()
  const known = useWorkspaces().data?.pages.flatMap(({ items }) => items)
  const read = useRead<ReadonlyArray<CallerId>>(path, { every_ms: 10_000 })
  const close = () => setDialog(undefined)
  return (
    <Card
      title="Caller ids"
      note={known?.find(({ id }) => id === workspace)?.name ?? workspace}
      acts={
        <div className="row wrap">
          <ButtonLink to="/operators" search={{}}>
            All workspaces
          </ButtonLink>
          <Button kind="main" icon="plus" onClick={() => setDialog("approve")}>
            Approve a number
          </Button>
        </div>
      }
      bare
    >
      <Loaded read={read} what="The caller ids">
        {(rows) =>
          rows.length === 0 ? (
            <State icon="numbers" title="The workspace has proved no number." />
          ) : (
            <Table label="Caller ids" rows={rows} columns={columnsOf(setDialog)} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
      {dialog === "approve" && <Approve path={path} onClose={close} />}
      {dialog !== undefined && dialog !== "approve" && <Change {...dialog} path={path} onClose={close} />}
    </Card>
  )
}
