// One endpoint: what can be done with it, and its deliveries.
import { useState } from "react"
import { useChange, usePages } from "../../api/Hooks.ts"
import type { ListedDelivery, SubscriptionRecord } from "../../api/Types.ts"
import { usePermissions } from "../../shell/Session.tsx"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { Field } from "../../ui/Field.tsx"
import { wordsOf } from "../../ui/Format.ts"
import { FormModal } from "../../ui/FormModal.tsx"
import { PagedTable, rowsOf } from "../../ui/PagedTable.tsx"
import { Note, Refused, State } from "../../ui/States.tsx"
import { Status, wordOf } from "../../ui/Status.tsx"
import { type Column, wholeCell } from "../../ui/Table.tsx"
import { Time } from "../../ui/Values.tsx"
import { Delivery } from "./Delivery.tsx"
import { Replay } from "./Replay.tsx"
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

type Dialog = "rotate" | "replay" | "remove"

const Dialogs = (props: { endpoint: SubscriptionRecord; dialog: Dialog | undefined; onClose: () => void }) => {
  const { dialog, endpoint, onClose } = props
  const path = `/v1/webhooks/${endpoint.id}`
  const rotate = useChange<{ readonly secret: string }>(["/v1/webhooks"])
  if (rotate.data) {
    const close = () => {
      rotate.reset()
      onClose()
    }
    return <EndpointSecret secret={rotate.data.secret} onClose={close} />
  }
  if (dialog === "replay") return <Replay endpoint={endpoint.id} onClose={onClose} />
  if (dialog === "remove") {
    return (
      <Confirm
        title="Delete the endpoint?"
        text={`Nothing is sent to ${endpoint.url} any more, and what waits is given up. This cannot be undone.`}
        act="Delete it"
        method="DELETE"
        path={path}
        stale={["/v1/webhooks"]}
        onClose={onClose}
      />
    )
  }
  return dialog === "rotate" ? (
    <FormModal
      title="Rotate the secret?"
      text="The new secret is shown once. For a day the old one signs as well, so that you can change your receiver."
      act="Rotate it, and show the new one"
      pending={rotate.isPending}
      error={rotate.error}
      onClose={onClose}
      onSubmit={() => rotate.mutate({ method: "POST", path: `${path}/rotate-secret`, body: {} })}
    >
      {null}
    </FormModal>
  ) : null
}

const Controls = ({ endpoint }: { endpoint: SubscriptionRecord }) => {
  const { admin } = usePermissions()
  const [dialog, setDialog] = useState<Dialog>()
  const path = `/v1/webhooks/${endpoint.id}`
  const test = useChange<Tested>([])
  const change = useChange(["/v1/webhooks"])
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
        <Button icon="retry" onClick={() => setDialog("replay")}>
          Replay
        </Button>
        <Button icon="key" onClick={() => setDialog("rotate")}>
          Rotate the secret
        </Button>
        {endpoint.source !== "number_routing" && <Button onClick={() => setDialog("remove")}>Delete</Button>}
      </div>
      {test.data && <TestResult tested={test.data} />}
      <Refused error={test.error ?? change.error} />
      <Dialogs endpoint={endpoint} dialog={dialog} onClose={() => setDialog(undefined)} />
    </div>
  )
}

/** Why nothing is sent, or why it is sent late. */
const Trouble = ({ endpoint }: { endpoint: SubscriptionRecord }) => {
  const { disabled_reason, failing_since, status } = endpoint
  if (status === "disabled") {
    return (
      <Note tone="bad">
        <b>It is switched off{disabled_reason === "receiver_gone" ? ": the receiver says that it is gone" : ""}.</b>{" "}
        Resume it when the receiver works, and replay what it has missed.
      </Note>
    )
  }
  return failing_since === null ? null : (
    <Note tone="wait">
      <b>
        Every delivery has failed since <Time at={failing_since} format="both" />.
      </b>{" "}
      Each is sent again until it is taken.
    </Note>
  )
}

const columnsOf = (onChoose: (id: string) => void): ReadonlyArray<Column<ListedDelivery>> => [
  { title: "Status", cell: ({ status }) => <Status of={status} /> },
  {
    title: "Event",
    cell: ({ event_kind, id }) => (
      <button type="button" className={`mono ${wholeCell}`} onClick={() => onChoose(id)}>
        {event_kind}
      </button>
    )
  },
  { title: "Queued", cell: ({ created_at }) => <Time at={created_at} format="both" />, spare: true },
  {
    title: "Next try",
    cell: ({ next_attempt_at }) => next_attempt_at !== null && <Time at={next_attempt_at} />,
    spare: true
  },
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
  const read = usePages<ListedDelivery>(path, { query: { status: search.status, limit: 50 }, every_ms: 4_000 })
  const chosen = rowsOf(read)?.find(({ id }) => id === search.delivery)
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
        <Trouble endpoint={endpoint} />
        <PagedTable
          read={read}
          what="The deliveries"
          columns={columns}
          keyOf={({ id }) => id}
          isOn={({ id }) => id === chosen?.id}
          more="Show older deliveries"
          empty={
            <State
              icon="empty"
              title={search.status === undefined ? "Nothing was sent yet." : "No delivery has this status."}
            />
          }
        />
      </Card>
      {chosen && <Delivery delivery={chosen} onClose={() => onSearch(own)} />}
    </div>
  )
}
