import { useRead } from "../../api/Hooks.ts"
import type { TopUpRecord } from "../../api/Types.ts"
import { Card } from "../../ui/Card.tsx"
import { wordsOf } from "../../ui/Format.ts"
import { Loaded, State } from "../../ui/States.tsx"
import { Status } from "../../ui/Status.tsx"
import { type Column, Table } from "../../ui/Table.tsx"
import { Money, Time } from "../../ui/Values.tsx"

const columns: ReadonlyArray<Column<TopUpRecord>> = [
  { title: "When", cell: ({ created_at }) => <Time at={created_at} format="both" /> },
  { title: "Status", cell: ({ status }) => <Status of={status} /> },
  {
    title: "How",
    cell: ({ failure_code, phone_e164, provider }) => (
      <span className="dim">
        {failure_code === null ? wordsOf(provider) : wordsOf(failure_code)}
        {phone_e164 !== null && `, ${phone_e164}`}
      </span>
    ),
    spare: true
  },
  {
    title: "Amount",
    cell: ({ amount_minor, currency }) => <Money minor={amount_minor} currency={currency} />,
    end: true
  }
]

export const TopUps = () => {
  const read = useRead<ReadonlyArray<TopUpRecord>>("/v1/topups", { query: { limit: 10 }, every_ms: 3_000 })
  return (
    <Card title="Top-ups" bare>
      <Loaded read={read} what="The top-ups">
        {(all) =>
          all.length === 0 ? (
            <State icon="plus" title="Nothing was paid in yet." />
          ) : (
            <Table label="Top-ups" columns={columns} rows={all} keyOf={({ topup_id }) => topup_id} />
          )
        }
      </Loaded>
    </Card>
  )
}
