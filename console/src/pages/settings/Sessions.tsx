import { useChange, useRead } from "../../api/Hooks.ts"
import type { SessionRow } from "../../api/Types.ts"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Loaded, Refused } from "../../ui/States.tsx"
import { type Column, Table } from "../../ui/Table.tsx"
import { Tag, Time } from "../../ui/Values.tsx"

/** Where the person is signed in. */
export const Sessions = () => {
  const read = useRead<ReadonlyArray<SessionRow>>("/v1/auth/sessions")
  const end = useChange(["/v1/auth/sessions"])
  const columns: ReadonlyArray<Column<SessionRow>> = [
    {
      title: "Browser",
      cell: ({ current, user_agent }) => (
        <span className="row">
          <span className="cut" title={user_agent ?? undefined}>
            {user_agent?.slice(0, 60) ?? "unknown"}
          </span>
          {current && <Tag>this one</Tag>}
        </span>
      )
    },
    { title: "From", cell: ({ ip }) => ip, spare: true },
    {
      title: "Signed in",
      cell: ({ created_at }) => <Time at={created_at} format="both" />,
      spare: true
    },
    {
      title: "Seen",
      cell: ({ last_seen_at }) => <Time at={last_seen_at} format="both" />,
      spare: true
    },
    {
      title: <span className="unseen">End</span>,
      cell: ({ current, id }) =>
        !current && (
          <Button small onClick={() => end.mutate({ method: "DELETE", path: `/v1/auth/sessions/${id}` })}>
            End
          </Button>
        ),
      end: true
    }
  ]
  return (
    <Card title="Your sessions" note={read.data?.length} bare>
      <Loaded read={read} what="Your sessions">
        {(all) => <Table label="Your sessions" columns={columns} rows={all} keyOf={({ id }) => id} />}
      </Loaded>
      <Refused error={end.error} />
    </Card>
  )
}
