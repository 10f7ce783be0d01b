// Numbers: those of the workspace, those that can be claimed, and the trunk of those that it brings itself.
import { useNavigate, useSearch } from "@tanstack/react-router"
import { PageHead } from "../../ui/PageHead.tsx"
import { Tabs } from "../../ui/Tabs.tsx"
import { AvailableNumbers } from "./AvailableNumbers.tsx"
import { CallerIds } from "./CallerIds.tsx"
import { OwnNumbers } from "./OwnNumbers.tsx"
import { Trunk } from "./Trunk.tsx"

const NumbersPage = () => {
  const search = useSearch({ from: "/numbers" })
  const navigate = useNavigate({ from: "/numbers" })
  return (
    <>
      <PageHead
        title="Numbers"
        text="Calls are placed from a number and received on one. Claim numbers, or bring yours."
      />
      <Tabs
        label="Parts of the numbers"
        tabs={[
          { word: "Your numbers", link: { to: "/numbers", search: {} }, on: search.tab === undefined },
          { word: "Available", link: { to: "/numbers", search: { tab: "available" } }, on: search.tab === "available" },
          {
            word: "Caller ids",
            link: { to: "/numbers", search: { tab: "caller-ids" } },
            on: search.tab === "caller-ids"
          },
          { word: "SIP trunk", link: { to: "/numbers", search: { tab: "trunk" } }, on: search.tab === "trunk" }
        ]}
      />
      {search.tab === "available" ? (
        <AvailableNumbers
          search={search}
          onSearch={(next) => void navigate({ search: { tab: "available", ...next }, replace: true })}
        />
      ) : search.tab === "caller-ids" ? (
        <CallerIds />
      ) : search.tab === "trunk" ? (
        <Trunk />
      ) : (
        <OwnNumbers />
      )}
    </>
  )
}

export default NumbersPage
