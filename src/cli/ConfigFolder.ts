import { homedir } from "node:os"
import { join } from "node:path"

/** Where the command keeps what it knows: `$XDG_CONFIG_HOME/trunkline`. */
export const configFolder = (): string =>
  join(process.env["XDG_CONFIG_HOME"] ?? join(homedir(), ".config"), "trunkline")
