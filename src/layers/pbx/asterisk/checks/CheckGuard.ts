// Checks by ARI whether an Asterisk can block addresses that guess passwords (docs/asterisk.md, who is blocked).
import { Effect, Schema } from "effect"
import type { Ari, AriAway } from "../ari/Ari.ts"
import type { Manager } from "../ari/Manager.ts"

const isModule = Schema.is(Schema.Struct({ status: Schema.String }))

/** A list of its own, so that the one in force is not touched. */
const probe = "/asterisk/config/dynamic/res_pjsip/acl/trunkline-guard-probe"
/** Nobody can send from the broadcast address. */
const nobody = { fields: [{ attribute: "deny", value: "255.255.255.255/32" }] }

/** Whether a list can be made. Asterisk cannot print one, so it answers 500 for a list that it has. */
const canMakeLists = (ari: Ari): Effect.Effect<boolean, AriAway> =>
  Effect.gen(function* () {
    // Left by an engine that ended during its check. Asterisk does not change such a list.
    yield* ari.request("DELETE", probe)
    yield* ari.request("PUT", probe, {}, nobody)
    const { status } = yield* ari.request("GET", probe)
    yield* ari.request("DELETE", probe)
    return status !== 404 && status !== 400
  })

/** What the manager interface lacks: without it nobody learns who guesses passwords. */
const missingOfManager = ({ readsSecurity }: Pick<Manager, "readsSecurity">) =>
  Effect.map(readsSecurity, (reads): ReadonlyArray<string> => {
    if (reads === undefined)
      return ["The manager interface does not accept ARI_USERNAME. Set webenabled = yes and the user in manager.conf."]
    return reads
      ? []
      : ["The user of the manager interface reads no security events. Set read = security in manager.conf."]
  })

/** What an Asterisk lacks for blocking addresses and for reporting whose passwords are guessed. */
export const missingForBlocks = (
  ari: Ari,
  manager: Pick<Manager, "readsSecurity">
): Effect.Effect<ReadonlyArray<string>, AriAway> =>
  Effect.map(Effect.all([missingOfManager(manager), missingLists(ari)], { concurrency: 2 }), (missing) =>
    missing.flat()
  )

const missingLists = (ari: Ari): Effect.Effect<ReadonlyArray<string>, AriAway> =>
  Effect.gen(function* () {
    const { body, status } = yield* ari.request("GET", "/asterisk/modules/res_pjsip_acl.so")
    if (status !== 200 || !isModule(body) || body.status !== "Running")
      return ["The module res_pjsip_acl does not run. Load it in modules.conf."]
    return (yield* canMakeLists(ari))
      ? []
      : ["Asterisk keeps no lists of addresses in memory. Set acl = memory in the section [acl] of sorcery.conf."]
  })
