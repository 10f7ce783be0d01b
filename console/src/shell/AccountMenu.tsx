import { Menu } from "@base-ui/react/menu"
import { useChange } from "../api/Hooks.ts"
import { Icon } from "../ui/Icon.tsx"
import styles from "./Menu.module.css"
import { useSession } from "./Session.tsx"

export const AccountMenu = () => {
  const { session } = useSession()
  const signOut = useChange([])
  const leave = () =>
    // A new page, so that nothing that was read stays in memory.
    signOut.mutate({ method: "POST", path: "/v1/auth/logout" }, { onSuccess: () => window.location.assign("/") })
  return (
    <Menu.Root>
      <Menu.Trigger className={styles.round} aria-label={`Account of ${session.user.email}`}>
        {session.user.email.charAt(0).toUpperCase()}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className={styles.positioner} align="end" sideOffset={6}>
          <Menu.Popup className={styles.popup}>
            <div className={styles.who}>
              <span className={styles.small}>Signed in as</span>
              {session.user.email}
            </div>
            <Menu.Item className={styles.item} render={<a href="/docs" aria-label="API reference" />}>
              <Icon name="info" />
              API reference
            </Menu.Item>
            <Menu.Item className={styles.item} onClick={leave}>
              <Icon name="exit" />
              Sign out
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
