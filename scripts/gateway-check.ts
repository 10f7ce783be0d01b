// Checks a PBX gateway against the protocol: `npm run gateway:check -- ws://0.0.0.0:9090` listens there as an engine
// does.
import { parseArgs } from "node:util"
import { checks, judge } from "./gateway/Checks.ts"
import { EngineEnd } from "./gateway/EngineEnd.ts"

const usage = `Usage: npm run gateway:check -- ws://HOST:PORT [options]

Listens there as an engine does. Let your gateway connect to ws://HOST:PORT/v1/pbx/feed within a minute.

  --secret TEXT    the ingest secret that the gateway must send (default: gateway-check-secret)
  --tenant TEXT    the tenant_pbx_id of all commands (default: gateway-check)
  --answers E164   a phone that rings and answers within 5 s (default: +99900000001, as in the simulator)
  --busy E164      a phone that is busy (default: +99900000002)
  --silent E164    a phone that rings for ever (default: +99900000003)
  --from E164      the number that calls show (default: +99900000000)
  --quick          skips the check that takes more than a minute: heartbeats`

const {
  positionals: [address],
  values
} = parseArgs({
  allowPositionals: true,
  options: {
    secret: { type: "string", default: "gateway-check-secret" },
    tenant: { type: "string", default: "gateway-check" },
    answers: { type: "string", default: "+99900000001" },
    busy: { type: "string", default: "+99900000002" },
    silent: { type: "string", default: "+99900000003" },
    from: { type: "string", default: "+99900000000" },
    quick: { type: "boolean", default: false },
    help: { type: "boolean", default: false }
  }
})

if (address === undefined || values.help || !URL.canParse(address)) {
  console.log(usage)
  process.exit(values.help ? 0 : 2)
}

const { hostname, port } = new URL(address)
const end = await EngineEnd.listen({
  host: hostname.replaceAll(/[[\]]/g, ""),
  port: Number(port),
  secret: values.secret,
  tenant_pbx_id: values.tenant
})
console.log(`Waiting for a gateway at ${end.url}, with the secret ${values.secret}\n`)

const verdicts = await judge(end, values, checks(!values.quick), ({ fault, name }) => {
  console.log(fault === undefined ? `  ok      ${name}` : `  FAILED  ${name}\n          ${fault}`)
})
end.close()

const failed = verdicts.filter(({ fault }) => fault !== undefined).length
console.log(
  failed === 0 ? `\nAll ${verdicts.length} checks passed.` : `\n${failed} of ${verdicts.length} checks failed.`
)
process.exit(failed === 0 ? 0 : 1)
