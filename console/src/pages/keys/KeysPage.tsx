// API keys: what each may do, when it was used, and minting and revoking them.
import { useState } from "react"
import { useChange, usePages } from "../../api/Hooks.ts"
import type { ApiKeyRecord } from "../../api/Types.ts"
import { usePermissions } from "../../shell/Session.tsx"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Modal } from "../../ui/Modal.tsx"
import { PageHead } from "../../ui/PageHead.tsx"
import { Failed, Loading, Refused, State } from "../../ui/States.tsx"
import { Status } from "../../ui/Status.tsx"
import { type Column, Table, tableFoot } from "../../ui/Table.tsx"
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

const Revoke = ({ onClose, record }: { record: ApiKeyRecord; onClose: () => void }) => {
  const revoke = useChange([path])
  return (
    <Modal
      open
      onClose={onClose}
      title={`Revoke ${record.label}?`}
      text="Every process refuses the key within a second. This cannot be undone."
    >
      <Button
        kind="danger"
        wide
        disabled={revoke.isPending}
        onClick={() => revoke.mutate({ method: "POST", path: `${path}/${record.id}/revoke` }, { onSuccess: onClose })}
      >
        Revoke the key
      </Button>
      <Refused error={revoke.error} />
    </Modal>
  )
}

const Keys = () => {
  const [minting, setMinting] = useState(false)
  const [revoked, setRevoked] = useState<ApiKeyRecord>()
  const read = usePages<ApiKeyRecord>(path, { query: { limit: 100 } })
  const keys = read.data?.pages.flatMap(({ items }) => items)
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
      <Card title="Keys" note={keys?.length} bare>
        {keys === undefined ? (
          read.error ? (
            <Failed error={read.error} what="The keys" again={() => void read.refetch()} />
          ) : (
            <Loading />
          )
        ) : keys.length === 0 ? (
          <State icon="key" title="There is no key yet." />
        ) : (
          <Table label="API keys" columns={columnsOf(setRevoked)} rows={keys} keyOf={({ id }) => id} />
        )}
        {read.hasNextPage && (
          <div className={tableFoot}>
            <Button onClick={() => void read.fetchNextPage()}>Show older keys</Button>
          </div>
        )}
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
