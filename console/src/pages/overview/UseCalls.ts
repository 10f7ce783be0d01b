import { useEffect, useMemo } from "react"
import { usePages } from "../../api/Hooks.ts"
import type { CallRecord } from "../../api/Types.ts"

const page_size = 200
/** At most 1,000 calls of each kind are read. */
const max_pages = 5

/** All pages of a list, up to a limit. */
const useAllPages = (query: Readonly<Record<string, string>>, every_ms: number) => {
  const read = usePages<CallRecord>("/v1/calls", { query: { ...query, limit: page_size }, every_ms })
  const { fetchNextPage, hasNextPage, isFetching } = read
  const pages = read.data?.pages
  const more = hasNextPage && (pages?.length ?? 0) < max_pages
  useEffect(() => {
    if (more && !isFetching) void fetchNextPage()
  }, [more, isFetching, fetchNextPage])
  const calls = useMemo(() => (pages ?? []).flatMap(({ items }) => items), [pages])
  return { calls, read: pages !== undefined, error: pages === undefined ? read.error : null, truncated: hasNextPage }
}

/** The calls that ring or talk, newest first. */
export const useLiveCalls = () => {
  const answered = useAllPages({ status: "answered" }, 2_000)
  const ringing = useAllPages({ status: "ringing" }, 2_000)
  const calls = useMemo(() => [...ringing.calls, ...answered.calls], [ringing.calls, answered.calls])
  return { calls, read: answered.read && ringing.read, error: answered.error ?? ringing.error }
}

const hour_ms = 3_600_000
const minute_ms = 60_000

/** The calls of the last hour. The query changes once a minute, so that it is cached between. */
export const useRecentCalls = () => {
  const since = Math.floor((Date.now() - hour_ms) / minute_ms) * minute_ms
  return useAllPages({ created_after: new Date(since).toISOString() }, 5_000)
}
