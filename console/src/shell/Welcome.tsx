// The frame of the pages that are seen without a session.
import type { ReactNode } from "react"
import { IconButton } from "../ui/Button.tsx"
import { Brand } from "./Brand.tsx"
import { useTheme } from "./Theme.ts"
import styles from "./Welcome.module.css"

export const Welcome = ({ children, title }: { title: string; children: ReactNode }) => {
  const [theme, turn] = useTheme()
  return (
    <div className={styles.welcome}>
      <header className={styles.top}>
        <Brand />
        <IconButton
          icon={theme === "dark" ? "sun" : "moon"}
          kind="bare"
          label={theme === "dark" ? "Light colours" : "Dark colours"}
          onClick={turn}
        />
      </header>
      <main className={styles.main}>
        <h1 className={styles.title}>{title}</h1>
        {children}
      </main>
      <footer className={styles.foot}>
        <a href="/docs">API reference</a>
        <a href="/docs/guides">Guides</a>
        <a href="/docs/errors">Errors</a>
      </footer>
    </div>
  )
}
