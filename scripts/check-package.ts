// `npm run check:package`: packs both packages, and lets publint and attw judge them: whether each entry point leads to
// a file and to types, in every way of importing.
import { checkPackage, createPackageFromTarballData, type Problem } from "@arethetypeswrong/core"
import { readFileSync } from "node:fs"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { packages, packed } from "./bundles/Packed.ts"

/** Entry points without a form for `require`: Node loads them by it all the same, TypeScript asks for `import`. */
const modulesOnly = [".", "./testing", "./web"]

const isAccepted = (problem: Problem, name: string): boolean => {
  // TypeScript's mode "node10" ignores `exports`. No supported Node resolves imports in that way.
  if (problem.kind === "NoResolution") return problem.resolutionKind === "node10"
  if (problem.kind !== "CJSResolvesToESM") return false
  return modulesOnly.includes(problem.entrypoint) && !(name === "trunkline-client" && problem.entrypoint === ".")
}

const faultsOf = async (name: string, tarball: Buffer<ArrayBuffer>): Promise<ReadonlyArray<string>> => {
  const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(tarball).buffer }, strict: true })
  const types = await checkPackage(createPackageFromTarballData(tarball))
  const problems =
    types.types === false ? ["it has no types"] : types.problems.filter((each) => !isAccepted(each, name))
  return [
    ...messages.map((message) => formatMessage(message, pkg) ?? message.code),
    ...problems.map((problem) => JSON.stringify(problem))
  ]
}

const faults: Array<string> = []
for (const { file, name } of packed(packages))
  for (const fault of await faultsOf(name, readFileSync(file))) faults.push(`${name}: ${fault}`)

for (const fault of faults) console.error(fault)
console.log(faults.length === 0 ? "Both packages can be imported." : `${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1
