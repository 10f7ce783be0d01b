import { Effect } from "effect"
import type { Program } from "../../support/Program.ts"

/** Changes the hosts that the workspace of the session may call by SIP. */
export const changesPolicy = (program: Program, session: string, sip_allowlist: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const response = await fetch(`${program.base_url}/v1/workspace/calling-policy`, {
      method: "PATCH",
      body: JSON.stringify({ sip_allowlist }),
      headers: {
        "content-type": "application/json",
        cookie: `session=${session}`,
        origin: program.base_url
      }
    })
    return { status: response.status, text: await response.text() }
  })
