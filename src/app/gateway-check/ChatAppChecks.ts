// Checks of the chat app's trunks, of gateways that say that they can.
import { randomUUID } from "node:crypto"
import { toPbxTrunkId } from "../../domain/BrandedIds.ts"
import type { TenantAction } from "../../domain/pbx/TenantCommand.ts"
import { acknowledged, type Check, must } from "./Talk.ts"

const number = "+99900000000"
/** Nothing has a name below `invalid` (RFC 2606), so nobody answers there. */
const host = "silent.gateway-check.invalid"
/** The engine waits as long for a probe. */
const probe_ms = 12_000

export const chatAppTrunk: Check = {
  name: "sets up, probes and removes a trunk of the chat app, if its hello says chatapp.v1",
  run: async (end) => {
    if (end.hellos.at(-1)?.capabilities?.includes("chatapp.v1") !== true) return
    const trunk_id = toPbxTrunkId(`chatapp-${randomUUID()}.1`)
    const put: TenantAction = {
      kind: "trunk.put",
      trunk_id,
      chatapp: { number, host: "sip.example.com" },
      target: {
        auth_mode: "digest",
        host,
        port: 5061,
        transport: "tls",
        allowed_ips: [],
        username: number.slice(1),
        password: randomUUID(),
        max_channels: null,
        max_cps: null,
        codecs: ["opus", "PCMA", "PCMU"],
        dtmf: "rfc4733",
        srtp: "required",
        session_timer_seconds: 0,
        caller_id_format: "e164"
      }
    }
    // After a lost connection the engine repeats it.
    for (let times = 0; times < 2; times++) await acknowledged(end, end.tenantCommand(trunk_id, put))
    await acknowledged(end, end.tenantCommand(trunk_id, { kind: "trunk.probe", trunk_id }))
    const { data } = await end.until(
      "trunk.state of a probed trunk",
      () => end.events.find(({ data, type }) => type === "trunk.state" && data.trunk_id === trunk_id),
      probe_ms
    )
    must(data.reachable === false, `trunk.state of a host that nobody has says reachable ${data.reachable}`)
    await acknowledged(end, end.tenantCommand(trunk_id, { kind: "trunk.delete", trunk_id }))
  }
}
