// `npm run check:api`: the rules of Redocly for the OpenAPI and the AsyncAPI document. Exit 0: nothing found. 1:
// something was found, and is printed.
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { apiDocuments } from "../src/app/ApiDocuments.ts"
import { exceptionFor, unusedExceptions } from "./api/Exceptions.ts"

const config = await createConfig({
  extends: ["recommended"],
  rules: {
    // Every object may have members that its schema does not name: the interface ignores them in requests, and adds
    // them to responses. The examples are held to the exact schemas by test/http/openapi.
    "no-invalid-media-type-examples": { severity: "error", allowAdditionalProperties: true }
  }
})

let faults = 0
for (const [name, text] of [
  ["openapi.json", JSON.stringify(apiDocuments.openapi())],
  ["asyncapi.json", JSON.stringify(apiDocuments.asyncapi())]
] as const) {
  const problems = await lintFromString({ source: text, absoluteRef: name, config })
  for (const { location, message, ruleId } of problems) {
    const pointer = location[0]?.pointer ?? "#"
    if (exceptionFor(ruleId, pointer) !== undefined) continue
    faults += 1
    console.log(`${name} ${pointer}\n  ${ruleId}: ${message.trim()}`)
  }
}
for (const { place, rule } of unusedExceptions()) {
  faults += 1
  console.log(`scripts/api/Exceptions.ts: nothing breaks ${rule} at ${place} any more: remove the exception`)
}
console.log(`documents of the API: ${faults} faults`)
process.exitCode = faults === 0 ? 0 : 1
