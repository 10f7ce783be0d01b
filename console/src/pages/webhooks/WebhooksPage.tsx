// The endpoints that receive events, and each delivery with what was answered.
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useRead } from "../../api/Hooks.ts"
import type { SubscriptionRecord } from "../../api/Types.ts"
import { usePermissions } from "../../shell/Session.tsx"
import { Button } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { PageHead } from "../../ui/PageHead.tsx"
import { Loaded, State } from "../../ui/States.tsx"
import { Status } from "../../ui/Status.tsx"
import { type Column, Table, wholeCell } from "../../ui/Table.tsx"
import { Tabs } from "../../ui/Tabs.tsx"
import { Time } from "../../ui/Values.tsx"
import { Endpoint } from "./Endpoint.tsx"
import { NewEndpoint } from "./NewEndpoint.tsx"
import { Verifier } from "./Verifier.tsx"
import type { WebhooksSearch } from "./WebhooksSearch.ts"

const Endpoints = ({ search }: { search: WebhooksSearch }) => {
  const navigate = useNavigate({ from: "/webhooks" })
  const read = useRead<ReadonlyArray<SubscriptionRecord>>("/v1/webhooks", { every_ms: 5_000 })
  const chosen = read.data?.find(({ id }) => id === search.endpoint) ?? read.data?.[0]
  const columns: ReadonlyArray<Column<SubscriptionRecord>> = [
    { title: "Status", cell: ({ status }) => <Status of={status} /> },
    {
      title: "Address",
      cell: ({ id, url }) => (
        <button type="button" className={wholeCell} onClick={() => void navigate({ search: { endpoint: id } })}>
          {url}
        </button>
      )
    },
    { title: "Events", cell: ({ events }) => <span className="dim">{events.join(", ")}</span>, spare: true },
    {
      title: "Last success",
      cell: ({ last_success_at }) => last_success_at !== null && <Time at={last_success_at} format="both" />,
      spare: true
    }
  ]
  return (
    <>
      <Card title="Endpoints" note={read.data?.length} bare>
        <Loaded read={read} what="The endpoints">
          {(all) =>
            all.length === 0 ? (
              <State icon="webhook" title="No endpoint receives events yet.">
                <p>An endpoint is a URL of yours. Each event is signed, and sent again until it is taken.</p>
              </State>
            ) : (
              <Table
                label="Endpoints"
                columns={columns}
                rows={all}
                keyOf={({ id }) => id}
                isOn={({ id }) => id === chosen?.id}
              />
            )
          }
        </Loaded>
      </Card>
      {chosen && (
        <Endpoint
          key={chosen.id}
          endpoint={chosen}
          search={search}
          onSearch={(next) => void navigate({ search: next })}
        />
      )}
    </>
  )
}

const WebhooksPage = () => {
  const search = useSearch({ from: "/webhooks" })
  const { admin } = usePermissions()
  const [adding, setAdding] = useState(false)
  return (
    <>
      <PageHead
        title="Webhooks"
        acts={
          admin && (
            <Button kind="main" icon="plus" onClick={() => setAdding(true)}>
              Add an endpoint
            </Button>
          )
        }
      />
      <Tabs
        label="Parts of the webhooks"
        tabs={[
          { word: "Endpoints", link: { to: "/webhooks", search: {} }, on: search.tab === undefined },
          {
            word: "Check a signature",
            link: { to: "/webhooks", search: { tab: "verify" } },
            on: search.tab === "verify"
          }
        ]}
      />
      {adding && <NewEndpoint onClose={() => setAdding(false)} />}
      {search.tab === "verify" ? <Verifier /> : <Endpoints search={search} />}
    </>
  )
}

export default WebhooksPage
