// All calls, with every filter in the address.
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { usePages } from "../../api/Hooks.ts"
import type { CallRecord } from "../../api/Types.ts"
import { Button, ButtonLink } from "../../ui/Button.tsx"
import { Card } from "../../ui/Card.tsx"
import { PageHead } from "../../ui/PageHead.tsx"
import { Failed, Loading, Refused, State } from "../../ui/States.tsx"
import { CallsFilters } from "./CallsFilters.tsx"
import { type CallsSearch, callsQuery } from "./CallsSearch.ts"
import { CallsTable } from "./CallsTable.tsx"
import { exportCalls } from "./ExportCalls.ts"

const page_size = 100
/** Beyond this many pages the list stands still, because each reading would read all of them. */
const livePages = 3

const Export = ({ search }: { search: CallsSearch }) => {
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false })
  const save = async () => {
    setState({ busy: true })
    try {
      await exportCalls(callsQuery(search))
      setState({ busy: false })
    } catch (error) {
      setState({ busy: false, error })
    }
  }
  return (
    <>
      <Button icon="download" disabled={state.busy} onClick={() => void save()}>
        {state.busy ? "Reading all calls" : "Save as CSV"}
      </Button>
      <Refused error={state.error} />
    </>
  )
}

const Nothing = ({ filtered, onClear }: { filtered: boolean; onClear: () => void }) =>
  filtered ? (
    <State icon="search" title="No call has all of these.">
      <Button onClick={onClear}>Clear the filters</Button>
    </State>
  ) : (
    <State icon="calls" title="There is no call yet.">
      <p>Each call that you place or receive stands here, with what it did and what it cost.</p>
      <ButtonLink to="/place" kind="main" icon="place">
        Place the first call
      </ButtonLink>
    </State>
  )

const CallsPage = () => {
  const search = useSearch({ from: "/calls" })
  const navigate = useNavigate({ from: "/calls" })
  const [moving, setMoving] = useState(true)
  const read = usePages<CallRecord>("/v1/calls", {
    query: { ...callsQuery(search), limit: page_size },
    every_ms: moving && 2_000
  })
  const pages = read.data?.pages.length ?? 0
  useEffect(() => setMoving(pages <= livePages), [pages])
  const calls = read.data?.pages.flatMap(({ items }) => items)
  const change = (next: CallsSearch) => void navigate({ search: next, replace: true })
  return (
    <>
      <PageHead title="Calls" acts={<Export search={search} />} />
      <CallsFilters search={search} onChange={change} />
      <Card title="All that fit" note={calls && `${calls.length}${read.hasNextPage ? "+" : ""}`} bare>
        {calls === undefined ? (
          read.error ? (
            <Failed error={read.error} what="The calls" again={() => void read.refetch()} />
          ) : (
            <Loading rows={8} />
          )
        ) : calls.length === 0 ? (
          <Nothing filtered={Object.keys(search).length > 0} onClear={() => change({})} />
        ) : (
          <CallsTable
            calls={calls}
            hasMore={read.hasNextPage}
            onMore={() => !read.isFetchingNextPage && void read.fetchNextPage()}
          />
        )}
      </Card>
    </>
  )
}

export default CallsPage
