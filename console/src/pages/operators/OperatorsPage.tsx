// The platform, for those who operate it.
import { useSearch } from "@tanstack/react-router"
import { useSession } from "../../shell/Session.tsx"
import { PageHead } from "../../ui/PageHead.tsx"
import { State } from "../../ui/States.tsx"
import { Tabs } from "../../ui/Tabs.tsx"
import { Gateways } from "./Gateways.tsx"
import { Inventory } from "./Inventory.tsx"
import { PayIns } from "./PayIns.tsx"
import { Rates } from "./Rates.tsx"
import { WorkspaceCallerIds } from "./WorkspaceCallerIds.tsx"
import { Workspaces } from "./Workspaces.tsx"

const tabs = [
  [undefined, "Workspaces", Workspaces],
  ["rates", "Rates", Rates],
  ["numbers", "Providers and series", Inventory],
  ["payins", "Payments in suspense", PayIns],
  ["gateways", "Gateways", Gateways]
] as const

const OperatorsPage = () => {
  const { session } = useSession()
  const { tab: chosen, workspace } = useSearch({ from: "/operators" })
  const Part = tabs.find(([tab]) => tab === chosen)?.[2] ?? Workspaces
  if (!session.operator) {
    return (
      <State whole icon="lock" title="Only operators of the platform see this.">
        <p>Their addresses are in OPERATOR_EMAILS of the engine.</p>
      </State>
    )
  }
  return (
    <>
      <PageHead title="Operators" />
      <Tabs
        label="Parts of the platform"
        tabs={tabs.map(([tab, word]) => ({
          word,
          link: { to: "/operators", search: tab === undefined ? {} : { tab } },
          on: tab === chosen
        }))}
      />
      {workspace === undefined ? <Part /> : <WorkspaceCallerIds key={workspace} workspace={workspace} />}
    </>
  )
}

export default OperatorsPage
