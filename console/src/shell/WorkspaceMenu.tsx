import { Menu } from "@base-ui/react/menu"
import { useQueryClient } from "@tanstack/react-query"
import { useChange } from "../api/Hooks.ts"
import { Icon } from "../ui/Icon.tsx"
import { wordsOf } from "../ui/Format.ts"
import { Mark } from "./Brand.tsx"
import styles from "./Menu.module.css"
import { useSession } from "./Session.tsx"

/** The workspace that is shown, and the person's other ones. */
export const WorkspaceMenu = () => {
  const { session, workspace } = useSession()
  const client = useQueryClient()
  const enter = useChange([])
  const others = session.workspaces.filter(({ id }) => id !== workspace?.id)
  const switchTo = (workspace_id: string) =>
    enter.mutate(
      { method: "PATCH", path: "/v1/auth/session", body: { workspace_id } },
      { onSuccess: () => client.resetQueries() }
    )
  const label = (
    <>
      <Mark />
      <span className="grow">
        <span className={`${styles.name} cut`}>{workspace?.name ?? "trunkline"}</span>
        <span className={styles.small}>{workspace === undefined ? "Operator" : wordsOf(workspace.role)}</span>
      </span>
    </>
  )
  if (others.length === 0) return <div className={styles.trigger}>{label}</div>
  return (
    <Menu.Root>
      <Menu.Trigger className={styles.trigger}>
        {label}
        <Icon name="down" size={14} />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className={styles.positioner} align="start" sideOffset={4}>
          <Menu.Popup className={styles.popup}>
            {others.map(({ id, name }) => (
              <Menu.Item key={id} className={styles.item} onClick={() => switchTo(id)}>
                {name}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
