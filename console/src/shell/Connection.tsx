import { onlineManager, useIsFetching, useQueryClient } from "@tanstack/react-query"
import { useSyncExternalStore } from "react"
import { Unreachable } from "../api/Request.ts"
import { Icon } from "../ui/Icon.tsx"
import styles from "./Connection.module.css"

/** Whether the latest reads reached the engine. */
const useReachable = (): boolean => {
  const client = useQueryClient()
  useIsFetching()
  const online = useSyncExternalStore(
    (changed) => onlineManager.subscribe(changed),
    () => onlineManager.isOnline()
  )
  const lost = client
    .getQueryCache()
    .getAll()
    .some(({ state }) => state.fetchFailureReason instanceof Unreachable || state.error instanceof Unreachable)
  return online && !lost
}

/** Says when what is shown is old. Otherwise a quiet dot. */
export const Connection = () => {
  const reachable = useReachable()
  return (
    <span className={styles.connection} role="status">
      {reachable ? (
        <>
          <i className={styles.dot} />
          Live
        </>
      ) : (
        <span className={styles.lost}>
          <Icon name="offline" size={14} />
          The engine cannot be reached. What you see may be old.
        </span>
      )}
    </span>
  )
}
