// Payments whose reference names no workspace.
import { useState } from "react"
import { useChange, usePages } from "../../api/Hooks.ts"
import type { SuspendedPayment } from "../../api/Types.ts"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Field } from "../../ui/Field.tsx"
import { moneyText } from "../../ui/Format.ts"
import { FormModal } from "../../ui/FormModal.tsx"
import { PagedTable } from "../../ui/PagedTable.tsx"
import { State } from "../../ui/States.tsx"
import type { Column } from "../../ui/Table.tsx"
import { Money, Time } from "../../ui/Values.tsx"

const path = "/v1/admin/payins"

const Assign = ({ onClose, payment }: { payment: SuspendedPayment; onClose: () => void }) => {
  const [workspace_id, setWorkspace] = useState("")
  const change = useChange([path])
  return (
    <FormModal
      title={`Assign ${moneyText(payment.amount_minor, payment.currency)}`}
      text={`The payer wrote “${payment.account_ref ?? ""}”. The wallet of the workspace is credited once.`}
      act="Credit the workspace"
      pending={change.isPending}
      error={change.error}
      onClose={onClose}
      onSubmit={() =>
        change.mutate(
          {
            method: "POST",
            path: `${path}/${encodeURIComponent(payment.id)}/release`,
            body: { workspace_id }
          },
          { onSuccess: onClose }
        )
      }
    >
      <Field label="Id of the workspace">
        <input
          required
          pattern="[0-9a-f\-]{36}"
          value={workspace_id}
          onChange={({ target }) => setWorkspace(target.value.trim())}
        />
      </Field>
    </FormModal>
  )
}

export const PayIns = () => {
  const [assigned, setAssigned] = useState<SuspendedPayment>()
  const read = usePages<SuspendedPayment>(path, { query: { limit: 50 }, every_ms: 10_000 })
  const columns: ReadonlyArray<Column<SuspendedPayment>> = [
    { title: "Receipt", cell: ({ id }) => <b className="mono">{id}</b> },
    { title: "Reference", cell: ({ account_ref }) => account_ref, spare: true },
    { title: "Paid", cell: ({ paid_at }) => <Time at={paid_at} format="both" />, spare: true },
    {
      title: "Amount",
      cell: ({ amount_minor, currency }) => <Money minor={amount_minor} currency={currency} />,
      end: true
    },
    {
      title: <span className="unseen">Assign</span>,
      cell: (payment) => (
        <Button small onClick={() => setAssigned(payment)}>
          Assign
        </Button>
      ),
      end: true
    }
  ]
  return (
    <Card title="Payments in suspense" bare>
      <PagedTable
        read={read}
        what="The payments"
        columns={columns}
        keyOf={({ id }) => id}
        empty={<State icon="coin" title="Every payment belongs to a workspace." />}
      />
      {assigned && <Assign payment={assigned} onClose={() => setAssigned(undefined)} />}
    </Card>
  )
}
