// Before a test run: the types and the routes of `trunkline/client` are those of the contract as it is now.
import { execFileSync } from "node:child_process"
import { join } from "node:path"

export default () => {
  execFileSync(process.execPath, [join(import.meta.dirname, "../../scripts/build-client-types.ts")], {
    stdio: "inherit"
  })
}
