// Reading and changing through the API from components.
import {
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient
} from "@tanstack/react-query"
import { useRef } from "react"
import { ApiError, newKey, type Query, request, requestPage } from "./Request.ts"

/** Reads are cached by path and query, so that a change can invalidate all below a path. */
const keyOf = (path: string, query: Query | undefined) => (query === undefined ? [path] : [path, query])

interface ReadOptions {
  readonly query?: Query | undefined
  /** Whether the read is made. Default: true. */
  readonly enabled?: boolean
  /** Reads again after so many milliseconds. Default: never. */
  readonly every_ms?: number | false
  /** Shows the previous answer while another query is read. */
  readonly keep?: boolean
}

interface ReadState {
  readonly state: { readonly data: unknown; readonly error: Error | null }
}

/** What was refused, as a call that is not there, is not read again by itself: the page would be drawn as loading. */
const unlessRefused =
  (every_ms: number | false) =>
  ({ state: { data, error } }: ReadState): number | false =>
    data === undefined && error instanceof ApiError && error.status < 500 ? false : every_ms

interface WholeReadOptions<A> extends ReadOptions {
  /** Reads the answer where one request does not. */
  readonly read?: (path: string, signal: AbortSignal) => Promise<A>
}

export const useRead = <A>(
  path: string,
  { enabled = true, every_ms = false, keep = false, query, read }: WholeReadOptions<A> = {}
) =>
  useQuery({
    queryKey: keyOf(path, query),
    queryFn: ({ signal }) =>
      read === undefined ? request<A>("GET", path, { signal, ...(query && { query }) }) : read(path, signal),
    enabled,
    refetchInterval: unlessRefused(every_ms),
    ...(keep && { placeholderData: keepPreviousData })
  })

/** A list, page after page. */
export const usePages = <A>(path: string, { enabled = true, every_ms = false, query = {} }: ReadOptions = {}) =>
  useInfiniteQuery({
    queryKey: ["pages", path, query],
    queryFn: ({ pageParam, signal }) => requestPage<A>(path, { ...query, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    enabled,
    refetchInterval: unlessRefused(every_ms)
  })

interface Change<Input> {
  readonly method: "POST" | "PATCH" | "PUT" | "DELETE"
  readonly path: string
  readonly body?: Input
}

/** Reads everything below these paths again. */
export const readAgain = (client: QueryClient, ...paths: ReadonlyArray<string>): Promise<void> =>
  client.invalidateQueries({
    predicate: ({ queryKey }) =>
      queryKey.some((part) => typeof part === "string" && paths.some((path) => part.startsWith(path)))
  })

/** Whether it is unknown if the change was carried out, so that a repetition must carry the same Idempotency-Key. */
const mayHaveHappened = (error: unknown): boolean => !(error instanceof ApiError) || error.status >= 500

/**
 * A change. A repetition after a failure that leaves its effect open carries the same Idempotency-Key, so a second
 * click never does it twice. `stale`: the paths whose answers it changes.
 */
export const useChange = <Answer, Input = unknown>(stale: ReadonlyArray<string>) => {
  const client = useQueryClient()
  const open = useRef<{ readonly intention: string; readonly key: string }>(undefined)
  return useMutation({
    mutationFn: (change: Change<Input>) => {
      const intention = JSON.stringify(change)
      if (open.current?.intention !== intention) open.current = { intention, key: newKey() }
      const { body, method, path } = change
      return request<Answer>(method, path, { idempotency_key: open.current.key, ...(body !== undefined && { body }) })
    },
    onSuccess: () => {
      open.current = undefined
      return readAgain(client, ...stale)
    },
    onError: (error) => {
      if (!mayHaveHappened(error)) open.current = undefined
    }
  })
}
