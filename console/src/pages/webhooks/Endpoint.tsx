// One endpoint: what can be done with it, and its deliveries.
import { useChange, usePages } from "../../api/Hooks.ts"
import type { DeliveryRecord, SubscriptionRecord } from "../../api/Types.ts"
import { usePermissions } from "../../shell/Session.tsx"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Field } from "../../ui/Field.tsx"
import { wordsOf } from "../../ui/Format.ts"
import { Failed, Loading, Note, Refused, State } from "../../ui/States.tsx"
import { Status, wordOf } from "../../ui/Status.tsx"
import { type Column, Table, tableFoot, wholeCell } from "../../ui/Table.tsx"
import { Time } from "../../ui/Values.tsx"
import { Delivery } from "./Delivery.tsx"
import { EndpointSecret } from "./EndpointSecret.tsx"
import styles from "./Webhooks.module.css"
import { deliveryStatuses, type WebhooksSearch } from "./WebhooksSearch.ts"

interface Tested {
  readonly http_status: number | null
  readonly error: string | null
  readonly duration_ms: number
}

const TestResult = ({ tested: { duration_ms, error, http_status } }: { tested: Tested }) => {
  const taken = http_status !== null && http_status >= 200 && http_status < 300
  return (
    <Note tone={taken ? "good" : "bad"}>
      <b>{http_status === null ? "There was no answer" : `It answered ${http_status}`}</b>
      {error !== null && `: ${wordsOf(error)}`}, after {duration_ms} ms.
    </Note>
  )
}

const Controls = ({ endpoint }: { endpoint: SubscriptionRecord }) => {
  const { admin } = usePermissions()
  const path = `/v1/webhooks/${endpoint.id}`
  const test = useChange<Tested>([])
  const change = useChange(["/v1/webhooks"])
  const rotate = useChange<{ readonly secret: string }>(["/v1/webhooks"])
  if (!admin) return null
  const active = endpoint.status === "active"
  return (
    <div className={styles.controls}>
      <div className="row wrap">
        <Button
          icon="outward"
          disabled={test.isPending}
          onClick={() => test.mutate({ method: "POST", path: `${path}/test`, body: {} })}
        >
          Send a test
        </Button>
        <Button
          icon={active ? "pause" : "play"}
          onClick={() => change.mutate({ method: "PATCH", path, body: { status: active ? "paused" : "active" } })}
        >
          {active ? "Pause" : "Resume"}
        </Button>
        <Button icon="key" onClick={() => rotate.mutate({ method: "POST", path: `${path}/rotate-secret`, body: {} })}>
          Rotate the secret
        </Button>
      </div>
      {test.data && <TestResult tested={test.data} />}
      <Refused error={test.error ?? change.error ?? rotate.error} />
      {rotate.data && <EndpointSecret secret={rotate.data.secret} onClose={() => rotate.reset()} />}
    </div>
  )
}

const columnsOf = (onChoose: (id: string) => void): ReadonlyArray<Column<DeliveryRecord>> => [
  { title: "Status", cell: ({ status }) => <Status of={status} /> },
  {
    title: "Event",
    cell: ({ event_kind, id }) => (
      <button type="button" className={`mono ${wholeCell}`} onClick={() => onChoose(id)}>
        {event_kind}
      </button>
    )
  },
  { title: "Queued", cell: ({ created_at }) => <Time at={created_at} format="both" /> },
  { title: "Attempts", cell: ({ attempts }) => attempts, end: true, spare: true },
  { title: "Answer", cell: ({ attempt_log }) => attempt_log.at(-1)?.http_status ?? "", end: true, spare: true }
]

interface EndpointProps {
  readonly endpoint: SubscriptionRecord
  readonly search: WebhooksSearch
  readonly onSearch: (search: WebhooksSearch) => void
}

const StatusFilter = ({ endpoint, onSearch, search }: EndpointProps) => (
  <Field label="Status of the deliveries">
    <select
      value={search.status ?? ""}
      onChange={({ target }) => {
        const status = deliveryStatuses.find((each) => each === target.value)
        onSearch({ endpoint: endpoint.id, ...(status !== undefined && { status }) })
      }}
    >
      <option value="">Every status</option>
      {deliveryStatuses.map((status) => (
        <option key={status} value={status}>
          {wordOf(status)}
        </option>
      ))}
    </select>
  </Field>
)

export const Endpoint = (props: EndpointProps) => {
  const { endpoint, onSearch, search } = props
  const path = `/v1/webhooks/${endpoint.id}/deliveries`
  const read = usePages<DeliveryRecord>(path, { query: { status: search.status, limit: 50 }, every_ms: 4_000 })
  const deliveries = read.data?.pages.flatMap(({ items }) => items)
  const chosen = deliveries?.find(({ id }) => id === search.delivery)
  const own = { endpoint: endpoint.id, ...(search.status !== undefined && { status: search.status }) }
  const columns = columnsOf((id) => onSearch({ ...own, delivery: id }))
  return (
    <div className={chosen === undefined ? undefined : "cols halves"}>
      <Card
        title="Deliveries"
        note={endpoint.url}
        bare
        acts={<StatusFilter endpoint={endpoint} search={search} onSearch={onSearch} />}
      >
        <Controls endpoint={endpoint} />
        {deliveries === undefined ? (
          read.error ? (
            <Failed error={read.error} what="The deliveries" again={() => void read.refetch()} />
          ) : (
            <Loading />
          )
        ) : deliveries.length === 0 ? (
          <State
            icon="empty"
            title={search.status === undefined ? "Nothing was sent yet." : "No delivery has this status."}
          />
        ) : (
          <Table
            label="Deliveries"
            columns={columns}
            rows={deliveries}
            keyOf={({ id }) => id}
            isOn={({ id }) => id === chosen?.id}
          />
        )}
        {read.hasNextPage && (
          <div className={tableFoot}>
            <Button onClick={() => void read.fetchNextPage()}>Show older deliveries</Button>
          </div>
        )}
      </Card>
      {chosen && <Delivery delivery={chosen} onClose={() => onSearch(own)} />}
    </div>
  )
}
