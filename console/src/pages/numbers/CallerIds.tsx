// Numbers of others that calls may show: proving one by a code that a call speaks, and withdrawing it.
import { useState } from "react"
import { useChange, useRead } from "../../api/Hooks.ts"
import type { CallerId } from "../../api/Types.ts"
import { usePermissions } from "../../shell/Session.tsx"
import { Button } from "../../ui/Button.tsx"
import { callerIdColumns } from "../../ui/CallerIdColumns.tsx"
import { Card } from "../../ui/Card.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { Field } from "../../ui/Field.tsx"
import { phoneText } from "../../ui/Format.ts"
import { PhoneField } from "../../ui/PhoneField.tsx"
import { plainNumber } from "../../ui/PlainNumber.ts"
import { FormModal } from "../../ui/FormModal.tsx"
import { Loaded, State } from "../../ui/States.tsx"
import { type Column, Table } from "../../ui/Table.tsx"

const path = "/v1/caller-ids"

const Ask = ({ onAsked, onClose }: { onAsked: (asked: CallerId) => void; onClose: () => void }) => {
  const [number, setNumber] = useState("")
  const ask = useChange<CallerId>([path])
  const body = { number: plainNumber(number) }
  return (
    <FormModal
      title="Add a caller id"
      text="A call to the number says six digits. Whoever answers it reads them to you."
      act="Call it"
      pending={ask.isPending}
      error={ask.error}
      onClose={onClose}
      onSubmit={() => ask.mutate({ method: "POST", path, body }, { onSuccess: onAsked })}
    >
      <PhoneField value={number} onChange={setNumber} />
    </FormModal>
  )
}

const EnterCode = ({ asked, onClose }: { asked: CallerId; onClose: () => void }) => {
  const [code, setCode] = useState("")
  const verify = useChange<CallerId>([path])
  return (
    <FormModal
      title={`The code for ${phoneText(asked.number)}`}
      text="A call to the number says the code. It can be entered within ten minutes, and five times at most."
      act="Prove the number"
      pending={verify.isPending}
      error={verify.error}
      onClose={onClose}
      onSubmit={() =>
        verify.mutate({ method: "POST", path: `${path}/${asked.id}/verify`, body: { code } }, { onSuccess: onClose })
      }
    >
      <Field label="Code" hint="Six digits. In test mode and in development nobody is called: it is 123456.">
        <input
          inputMode="numeric"
          autoComplete="off"
          required
          pattern="\d{6}"
          maxLength={6}
          value={code}
          onChange={({ target }) => setCode(target.value)}
        />
      </Field>
    </FormModal>
  )
}

interface Acts {
  readonly onCode: (row: CallerId) => void
  readonly onWithdraw: (row: CallerId) => void
}

const columnsOf = (acts: Acts | undefined): ReadonlyArray<Column<CallerId>> => [
  ...callerIdColumns,
  {
    title: <span className="unseen">Enter the code or withdraw</span>,
    cell: (row) =>
      acts &&
      row.status !== "revoked" && (
        <span className="row">
          {row.status === "calling" && (
            <Button small onClick={() => acts.onCode(row)}>
              Enter the code
            </Button>
          )}
          <Button small onClick={() => acts.onWithdraw(row)}>
            Withdraw
          </Button>
        </span>
      ),
    end: true
  }
]

type Dialog = { readonly on: "ask" } | { readonly on: "code" | "withdraw"; readonly row: CallerId }

export const CallerIds = () => {
  const { admin } = usePermissions()
  const [dialog, setDialog] = useState<Dialog>()
  const read = useRead<ReadonlyArray<CallerId>>(path, { every_ms: 5_000 })
  const close = () => setDialog(undefined)
  const acts = {
    onCode: (row: CallerId) => setDialog({ on: "code", row }),
    onWithdraw: (row: CallerId) => setDialog({ on: "withdraw", row })
  }
  return (
    <Card
      title="Caller ids"
      acts={
        admin && (
          <Button kind="main" icon="plus" onClick={() => setDialog({ on: "ask" })}>
            Add a caller id
          </Button>
        )
      }
      bare
    >
      <Loaded read={read} what="The caller ids">
        {(rows) =>
          rows.length === 0 ? (
            <State icon="numbers" title="No number was proved yet.">
              <p>Calls may show a number that is not on the platform once a code was heard there.</p>
            </State>
          ) : (
            <Table
              label="Caller ids"
              rows={rows}
              columns={columnsOf(admin ? acts : undefined)}
              keyOf={({ id }) => id}
            />
          )
        }
      </Loaded>
      {dialog?.on === "ask" && <Ask onAsked={acts.onCode} onClose={close} />}
      {dialog?.on === "code" && <EnterCode asked={dialog.row} onClose={close} />}
      {dialog?.on === "withdraw" && (
        <Confirm
          title={`Withdraw ${phoneText(dialog.row.number)}?`}
          text="The next call cannot show it. To show it again, it must be proved again."
          act="Withdraw it"
          method="DELETE"
          path={`${path}/${dialog.row.id}`}
          stale={[path]}
          onClose={close}
        />
      )}
    </Card>
  )
}
