// Draws a page for whoever is signed in, else the sign-in form, else the form for a first workspace.
import { useQueryClient } from "@tanstack/react-query"
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react"
import { Failed } from "../ui/States.tsx"
import { isSignedOut, SessionContext, sessionPath, useSessionRead } from "./Session.tsx"

const SignInPage = lazy(() => import("./SignInPage.tsx"))
const NewWorkspacePage = lazy(() => import("./NewWorkspacePage.tsx"))

/** Whether a read was refused because the session has ended. Then the session is read again. */
const useSessionEnd = (): boolean => {
  const client = useQueryClient()
  const [ended, setEnded] = useState(false)
  useEffect(
    () =>
      client.getQueryCache().subscribe(({ query, type }) => {
        if (type !== "updated" || !isSignedOut(query.state.error)) return
        setEnded(true)
        void client.invalidateQueries({ queryKey: [sessionPath] })
      }),
    [client]
  )
  return ended
}

export const SessionGate = ({ children }: { children: ReactNode }) => {
  const read = useSessionRead()
  const ended = useSessionEnd()
  if (read.data === null) {
    return (
      <Suspense>
        <SignInPage ended={ended} />
      </Suspense>
    )
  }
  if (read.data === undefined) {
    return read.error ? <Failed error={read.error} what="Your session" again={() => void read.refetch()} /> : null
  }
  const session = read.data
  const workspace = session.workspaces.find(({ id }) => id === session.workspace_id)
  if (workspace === undefined && !session.operator) {
    return (
      <Suspense>
        <NewWorkspacePage session={session} />
      </Suspense>
    )
  }
  return <SessionContext value={{ session, workspace }}>{children}</SessionContext>
}
