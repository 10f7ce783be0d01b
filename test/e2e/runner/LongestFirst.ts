// Which files begin first. A long file that began last would run alone at the end.
import { basename } from "node:path"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The files that take more than half a minute, longest first. The others follow by their size. */
const long = [
  "TalkLimits",
  "Gateway",
  "GatewayListening",
  "Trunks",
  "DeadPhones",
  "BrowserTokens",
  "Glare",
  "Line",
  "Sdk",
  "SdkTrouble",
  "Sounds",
  "Races",
  "Calls",
  "Conferences",
  "Devices"
]

const rank = ({ moduleId }: TestSpecification): number => {
  const at = long.indexOf(basename(moduleId, ".e2e.ts"))
  return at === -1 ? long.length : at
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
