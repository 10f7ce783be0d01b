// The states of a page beside its content: loading, failed, empty, not allowed.
import type { ReactNode } from "react"
import { ApiError, Unreachable } from "../api/Request.ts"
import { Button } from "./Button.tsx"
import { CopyText } from "./CopyText.tsx"
import { Icon, type IconName } from "./Icon.tsx"
import styles from "./States.module.css"
import { Code } from "./Values.tsx"

interface StateProps {
  readonly icon: IconName
  readonly title: string
  readonly children?: ReactNode
  readonly tone?: "bad" | "calm"
  /** Whether it is all that the page shows, so that its title is the heading. */
  readonly whole?: boolean
}

export const State = ({ children, icon, title, tone = "calm", whole = false }: StateProps) => (
  <div className={`${styles.state} ${tone === "bad" ? styles.bad : ""}`}>
    <span className={styles.mark}>
      <Icon name={icon} size={20} />
    </span>
    {whole ? <h1 className={styles.title}>{title}</h1> : <p className={styles.title}>{title}</p>}
    {children}
  </div>
)

const roleRefusals: ReadonlySet<string> = new Set([
  "accounts.write_denied",
  "accounts.admin_required",
  "auth.admin_required"
])

/** What could not be read, with what to do. `what`: "The calls", for "The calls could not be read." */
export const Failed = ({ again, error, what }: { error: unknown; what: string; again?: () => void }) => {
  if (error instanceof Unreachable) {
    return (
      <State icon="offline" title="The engine cannot be reached.">
        <p>This page reads again by itself as soon as it can.</p>
      </State>
    )
  }
  if (!(error instanceof ApiError)) return <State icon="alert" tone="bad" title={`${what} could not be shown.`} />
  if (roleRefusals.has(error.code)) {
    return (
      <State icon="lock" title="Your role does not allow this.">
        <p>{error.message}</p>
        <Code>{error.code}</Code>
      </State>
    )
  }
  return (
    <State icon="alert" tone="bad" title={`${what} could not be read.`}>
      <p>
        {error.message} {error.resolution}
      </p>
      <p className={styles.proof}>
        <Code>{error.code}</Code>
        <CopyText text={error.request_id} label="request id" />
      </p>
      {again && (
        <Button icon="retry" onClick={again}>
          Read again
        </Button>
      )}
    </State>
  )
}

/** Rows of grey where rows will be. A reader hears one word. */
export const Loading = ({ rows = 4 }: { rows?: number }) => (
  <div className={styles.loading} role="status">
    <span className="unseen">Loading</span>
    {Array.from({ length: rows }, (_, index) => (
      <i key={index} style={{ inlineSize: `${[92, 78, 86, 64][index % 4]}%` }} />
    ))}
  </div>
)

/** Whatever a read is at: its content, or one of the states. */
export const Loaded = <A,>(props: {
  readonly read: { data: A | undefined; error: unknown; refetch: () => unknown }
  readonly what: string
  readonly rows?: number
  readonly children: (data: A) => ReactNode
}) => {
  const { children, read, rows = 4, what } = props
  if (read.data !== undefined) return children(read.data)
  return read.error ? (
    <Failed error={read.error} what={what} again={() => void read.refetch()} />
  ) : (
    <Loading rows={rows} />
  )
}

type NoteTone = "bad" | "wait" | "good" | "live" | "calm"

const noteIcons: Readonly<Record<NoteTone, IconName>> = {
  bad: "alert",
  wait: "alert",
  good: "check",
  live: "info",
  calm: "info"
}

export const Note = ({ children, tone = "calm" }: { tone?: NoteTone; children: ReactNode }) => (
  <div className={`${styles.note} ${styles[tone]}`} role={tone === "bad" ? "alert" : undefined}>
    <Icon name={noteIcons[tone]} />
    <div className="grow">{children}</div>
  </div>
)

/** Why a change was refused, inside of its form. Nothing without an error. */
export const Refused = ({ error }: { error: unknown }) => {
  if (error === null || error === undefined) return null
  if (error instanceof Unreachable) {
    return (
      <Note tone="bad">
        <p>
          <b>The engine did not answer.</b> It may have carried this out. Send it again: it takes effect once.
        </p>
      </Note>
    )
  }
  if (!(error instanceof ApiError)) return <Note tone="bad">This did not work.</Note>
  return (
    <Note tone="bad">
      <p>
        <b>{error.message}</b> {error.resolution}
      </p>
      {error.details.length > 0 && (
        <ul className={styles.details}>
          {error.details.map(({ code, field, message }) => (
            <li key={field + code}>
              <span className="mono">{field}</span> {message}
            </li>
          ))}
        </ul>
      )}
      <p className={styles.proof}>
        <Code>{error.reason === undefined ? error.code : `${error.code}: ${error.reason}`}</Code>
        <CopyText text={error.request_id} label="request id" />
      </p>
    </Note>
  )
}
