// The frame of every page: navigation, the money that can be spent, and what is under way.
import { Navigate, Outlet, useRouterState } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import { IconButton } from "../ui/Button.tsx"
import { AccountMenu } from "./AccountMenu.tsx"
import { Connection } from "./Connection.tsx"
import { Navigation } from "./Navigation.tsx"
import { useSession, useWorkspace } from "./Session.tsx"
import { SessionGate } from "./SessionGate.tsx"
import styles from "./Shell.module.css"
import { useTheme } from "./Theme.ts"
import { Note } from "../ui/States.tsx"
import { WorkspaceMenu } from "./WorkspaceMenu.tsx"

const Banner = () => {
  const { data } = useWorkspace()
  if (data?.status === "suspended") {
    return (
      <Note tone="bad">
        <p>
          <b>This workspace is suspended.</b> It can be read, but nothing in it can be changed. Contact support.
        </p>
      </Note>
    )
  }
  return data?.status === "closed" ? <Note tone="wait">This workspace is closed. It can only be read.</Note> : null
}

/** What an operator without a workspace can open; everything else is about a workspace. */
const needsNoWorkspace = (path: string): boolean => path === "/operators" || path === "/new-workspace"

/** After navigation the focus is on the page, so that a reader begins there. */
const usePageFocus = () => {
  const main = useRef<HTMLElement>(null)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const first = useRef(path)
  useEffect(() => {
    if (first.current !== path) main.current?.focus({ preventScroll: true })
    first.current = path
  }, [path])
  return { main, path }
}

const Frame = () => {
  const [open, setOpen] = useState(false)
  const [theme, turn] = useTheme()
  const { main, path } = usePageFocus()
  const { workspace } = useSession()
  // The page that is drawn: while the next one loads, the address is ahead of it.
  const drawn = useRouterState({ select: ({ location, matches }) => matches.at(-1)?.pathname ?? location.pathname })
  useEffect(() => setOpen(false), [path])
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#page">
        Skip to the page
      </a>
      <aside className={`${styles.side} ${open ? styles.open : ""}`} aria-label="Workspace">
        <WorkspaceMenu />
        <Navigation />
      </aside>
      {open && (
        <button type="button" className={styles.veil} aria-label="Close the menu" onClick={() => setOpen(false)} />
      )}
      <div className={styles.right}>
        <header className={styles.top}>
          <span className={styles.menu}>
            <IconButton icon="menu" kind="bare" label="Menu" aria-expanded={open} onClick={() => setOpen(!open)} />
          </span>
          <span className="grow" />
          <Connection />
          <IconButton
            icon={theme === "dark" ? "sun" : "moon"}
            kind="bare"
            label={theme === "dark" ? "Light colours" : "Dark colours"}
            onClick={turn}
          />
          <AccountMenu />
        </header>
        <main className={styles.page} id="page" tabIndex={-1} ref={main}>
          {workspace && <Banner />}
          {workspace || needsNoWorkspace(drawn) ? <Outlet /> : <Navigate to="/operators" replace />}
        </main>
      </div>
    </div>
  )
}

export const Shell = () => (
  <SessionGate>
    <Frame />
  </SessionGate>
)
