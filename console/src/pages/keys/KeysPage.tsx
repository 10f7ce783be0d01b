// API keys: what each may do, when it was used, and minting and revoking them.
import { useState } from "react"
import { usePages } from "../../api/Hooks.ts"
import type { ApiKeyRecord } from "../../api/Types.ts"
import { usePermissions } from "../../shell/Session.tsx"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { PagedTable, rowsOf } from "../../ui/PagedTable.tsx"
import { PageHead } from "../../ui/PageHead.tsx"
import { State } from "../../ui/States.tsx"
import { Status } from "../../ui/Status.tsx"
import { type Column } from "../../ui/Table.tsx"
import { Code, Tag, Time } from "../../ui/Values.tsx"
import { NewKey } from "./NewKey.tsx"

const path = "/v1/api-keys"

const statusOf = ({ expires_at, revoked }: ApiKeyRecord): string =>
  revoked ? "revoked" : Date.parse(expires_at) < Date.now() ? "expired" : "active"

const columnsOf = (onRevoke: (key: ApiKeyRecord) => void): ReadonlyArray<Column<ApiKeyRecord>> => [
  { title: "Status", cell: (key) => <Status of={statusOf(key)} /> },
  {
    title: "Name",
    cell: ({ env, label }) => (
      <span className="row">
        {label}
        {env === "test" && <Tag>test</Tag>}
      </span>
    )
  },
  { title: "Begins with", cell: ({ prefix }) => <Code>{prefix}</Code>, spare: true },
  {
    title: "May",
    cell: ({ scopes }) => (
      <span title={scopes.join(", ")}>{scopes.length === 1 ? scopes[0] : `${scopes.length} scopes`}</span>
    ),
    spare: true
  },
  {
    title: "Last used",
    cell: ({ last_used_at }) =>
      last_used_at === null ? <span className="faint">Never</span> : <Time at={last_used_at} format="both" />,
    spare: true
  },
  { title: "Expires", cell: ({ expires_at }) => <Time at={expires_at} format="date" />, spare: true },
  {
    title: <span className="unseen">Revoke</span>,
    cell: (key) =>
      statusOf(key) === "active" && (
        <Button small onClick={() => onRevoke(key)}>
          Revoke
        </Button>
      ),
    end: true
  }
]

const Revoke = ({ onClose, record }: { record: ApiKeyRecord; onClose: () => void }) => (
  <Confirm
    title={`Revoke ${record.label}?`}
    text="Every process refuses the key within a second. This cannot be undone."
    act="Revoke the key"
    method="POST"
    path={`${path}/${record.id}/revoke`}
    stale={[path]}
    onClose={onClose}
  />
)

const Keys = () => {
  const [minting, setMinting] = useState(false)
  const [revoked, setRevoked] = useState<ApiKeyRecord>()
  const read = usePages<ApiKeyRecord>(path, { query: { limit: 100 } })
  return (
    <>
      <PageHead
        title="API keys"
        text="Programs act for the workspace with a key. A key is shown once, when it is created."
        acts={
          <Button kind="main" icon="plus" onClick={() => setMinting(true)}>
            Create a key
          </Button>
        }
      />
      {minting && <NewKey onClose={() => setMinting(false)} />}
      {revoked && <Revoke record={revoked} onClose={() => setRevoked(undefined)} />}
      <Card title="Keys" note={rowsOf(read)?.length} bare>
        <PagedTable
          read={read}
          what="The keys"
          columns={columnsOf(setRevoked)}
          keyOf={({ id }) => id}
          more="Show older keys"
          empty={<State icon="key" title="There is no key yet." />}
        />
      </Card>
    </>
  )
}

const KeysPage = () =>
  usePermissions().admin ? (
    <Keys />
  ) : (
    <State whole icon="lock" title="Your role cannot see API keys.">
      <p>Owners and admins can. Ask one of them.</p>
    </State>
  )

export default KeysPage
