import { Link } from "@tanstack/react-router"
import { useRead } from "../api/Hooks.ts"
import type { WalletBalance } from "../api/Types.ts"
import { Icon, type IconName } from "../ui/Icon.tsx"
import { moneyText } from "../ui/Format.ts"
import { Money, WalletBar } from "../ui/Values.tsx"
import styles from "./Navigation.module.css"
import { useSession } from "./Session.tsx"

type Group = readonly [title: string, links: ReadonlyArray<readonly [to: string, word: string, IconName]>]

const groups: ReadonlyArray<Group> = [
  [
    "Calls",
    [
      ["/", "Overview", "overview"],
      ["/place", "Place a call", "place"],
      ["/calls", "Calls", "calls"],
      ["/softphone", "Softphone", "phone"],
      ["/recordings", "Recordings", "recording"]
    ]
  ],
  [
    "Workspace",
    [
      ["/numbers", "Numbers", "numbers"],
      ["/wallet", "Wallet", "wallet"],
      ["/webhooks", "Webhooks", "webhook"],
      ["/keys", "API keys", "key"],
      ["/settings", "Settings", "settings"]
    ]
  ]
]

const platform: Group = ["Platform", [["/operators", "Operators", "operators"]]]
const ownWorkspace: Group = ["Workspace", [["/new-workspace", "Create a workspace", "plus"]]]

const groupsOf = (operator: boolean, inWorkspace: boolean): ReadonlyArray<Group> =>
  inWorkspace ? (operator ? [...groups, platform] : groups) : [platform, ownWorkspace]

/** What the workspace can spend: on every page, because everything costs. */
const Purse = () => {
  const { data } = useRead<WalletBalance>("/v1/wallet/balance", { every_ms: 5_000 })
  if (data === undefined) return null
  const { available_minor, balance_minor, currency, held_minor } = data
  return (
    <section className={styles.purse} aria-label="Wallet">
      <span className="label">You can spend</span>
      <span className={styles.figure}>
        <Money minor={available_minor} currency={currency} />
      </span>
      <WalletBar
        balance={balance_minor}
        held={held_minor}
        label={`Set aside: ${moneyText(held_minor, currency)} of ${moneyText(balance_minor, currency)}`}
      />
      <span className={styles.small}>
        {held_minor === 0 ? "Nothing is set aside" : <>Set aside: {moneyText(held_minor, currency)}</>}
      </span>
    </section>
  )
}

export const Navigation = () => {
  const { session, workspace } = useSession()
  return (
    <>
      <nav className={styles.nav} aria-label="Pages">
        {groupsOf(session.operator, workspace !== undefined).map(([title, links]) => (
          <div key={title}>
            <h2 className={styles.group}>{title}</h2>
            <ul>
              {links.map(([to, word, icon]) => (
                <li key={to}>
                  <Link to={to} className={styles.link} activeOptions={{ exact: to === "/" }}>
                    <Icon name={icon} />
                    {word}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      {workspace && <Purse />}
    </>
  )
}
