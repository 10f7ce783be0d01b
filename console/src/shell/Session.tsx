// Who is signed in, and what they may do. A page that needs a session is drawn below `SessionGate` (SessionGate.tsx).
import { useQuery } from "@tanstack/react-query"
import { createContext, useContext } from "react"
import { useRead } from "../api/Hooks.ts"
import { ApiError, request } from "../api/Request.ts"
import type { SessionView, WorkspaceRecord } from "../api/Types.ts"

export const sessionPath = "/v1/auth/session"

type OwnWorkspace = SessionView["workspaces"][number]

interface SignedIn {
  readonly session: SessionView
  /** The workspace of the session, with the role of its member. An operator may have none. */
  readonly workspace: OwnWorkspace | undefined
}

export const SessionContext = createContext<SignedIn | undefined>(undefined)

export const useSession = (): SignedIn => {
  const value = useContext(SessionContext)
  if (value === undefined) throw new Error("This component is drawn outside of a session.")
  return value
}

/** The workspace with its status and its currency. */
export const useWorkspace = () => useRead<WorkspaceRecord>("/v1/workspace")

/** What the member's role allows (docs/accounts.md). */
export const usePermissions = () => {
  const { read_only, role } = useSession().workspace ?? { role: "viewer", read_only: true }
  const admin = role === "admin" || role === "owner"
  return { call: admin || (role === "member" && !read_only), admin, owner: role === "owner", role }
}

export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401

/** The session; null without one. That is an answer and no failure, so that the sign-in form stays while it is read. */
export const useSessionRead = (every_ms: number | false = false) =>
  useQuery({
    queryKey: [sessionPath],
    queryFn: ({ signal }) =>
      request<SessionView>("GET", sessionPath, { signal }).catch((error: unknown) => {
        if (isSignedOut(error)) return null
        throw error
      }),
    refetchInterval: every_ms
  })
