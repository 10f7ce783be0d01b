// Who may do what in the workspace, what its calls may do, and what was done.
import { useSearch } from "@tanstack/react-router"
import { PageHead } from "../../ui/PageHead.tsx"
import { Tabs } from "../../ui/Tabs.tsx"
import { Audit } from "./Audit.tsx"
import { Members } from "./Members.tsx"
import { Policy } from "./Policy.tsx"
import { Sessions } from "./Sessions.tsx"

const tabs = [
  [undefined, "Members", Members],
  ["policy", "Calling policy", Policy],
  ["audit", "Audit log", Audit],
  ["sessions", "Your sessions", Sessions]
] as const

const SettingsPage = () => {
  const { tab: chosen } = useSearch({ from: "/settings" })
  const Part = tabs.find(([tab]) => tab === chosen)?.[2] ?? Members
  return (
    <>
      <PageHead title="Settings" />
      <Tabs
        label="Parts of the settings"
        tabs={tabs.map(([tab, word]) => ({
          word,
          link: { to: "/settings", search: tab === undefined ? {} : { tab } },
          on: tab === chosen
        }))}
      />
      <Part />
    </>
  )
}

export default SettingsPage
