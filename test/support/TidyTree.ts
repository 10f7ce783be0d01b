// The rules that concern several files at once: import circles, loose files, what the HTTP contract reaches, and what a
// test of each project may start.
import { basename, dirname, join, normalize } from "node:path"
import { importsOf, type Source } from "./Tidy.ts"

/** The files that each file imports, as paths from the root of the repository. Packages are left out. */
export type ImportGraph = ReadonlyMap<string, ReadonlyArray<string>>

/** Counts `import type`, `export … from` and `import("…")` like any other import. */
export const importGraph = (sources: ReadonlyArray<Source>): ImportGraph => {
  const paths = new Set(sources.map(({ path }) => path))
  const targets = ({ path, text }: Source) =>
    importsOf(text)
      .filter((specifier) => specifier.startsWith("."))
      .map((specifier) => normalize(join(dirname(path), specifier)))
      .filter((target) => paths.has(target))
  return new Map(sources.map((source) => [source.path, targets(source)]))
}

/** Every file that `path` imports, directly or through others, and `path` itself. */
export const reachedFrom = (graph: ImportGraph, path: string): ReadonlySet<string> => {
  const reached = new Set([path])
  for (const file of reached) for (const target of graph.get(file) ?? []) reached.add(target)
  return reached
}

/** One shortest way from `path` back to itself. */
const shortestCircle = (graph: ImportGraph, path: string): ReadonlyArray<string> | undefined => {
  const ways: Array<ReadonlyArray<string>> = [[path]]
  const visited = new Set<string>()
  for (const way of ways) {
    for (const target of graph.get(way.at(-1) ?? path) ?? []) {
      if (target === path) return [...way, path]
      if (visited.has(target)) continue
      visited.add(target)
      ways.push([...way, target])
    }
  }
  return undefined
}

/** The circles of a graph: one for each group of files that reach each other, written "A.ts -> B.ts -> A.ts". */
export const importCircles = (graph: ImportGraph): ReadonlyArray<string> => {
  const grouped = new Set<string>()
  return [...graph.keys()].flatMap((path) => {
    if (grouped.has(path)) return []
    const circle = shortestCircle(graph, path)
    if (circle === undefined) return []
    for (const other of reachedFrom(graph, path)) if (reachedFrom(graph, other).has(path)) grouped.add(other)
    return [circle.join(" -> ")]
  })
}

const errorClass = /^export class (\w+) extends failure\(\s*"[^"]*",\s*(\d+)/gm
const errorsOfRow = /\berrors: \[([^\]]*)\]/g

/** The errors that the rows of endpoints make: of each row the first for a malformed id, and that for a failed read. */
const madeByRows = (text: string, statuses: ReadonlyMap<string, string>): ReadonlyArray<string> =>
  [...text.matchAll(errorsOfRow)].flatMap(([, list = ""]) => {
    const names = list.split(/[\s,]+/)
    return ["404", "500"].flatMap((status) => names.find((name) => statuses.get(name) === status) ?? [])
  })

/**
 * The errors of the catalogue that nothing makes. An error is made by `new`, by an endpoint that has it for a malformed
 * id or a failed read (`EndpointRow.ts`), or by its code, where it is stored.
 */
export const unmadeErrors = (sources: ReadonlyArray<Source>): ReadonlyArray<string> => {
  const statuses = new Map(
    sources
      .filter(({ path }) => path.startsWith("src/domain/errors/"))
      .flatMap(({ text }) =>
        [...text.matchAll(errorClass)].map(([, name = "", status = ""]) => [name, status] as const)
      )
  )
  const product = sources.filter(({ path }) => path.startsWith("src/"))
  const ofRows = new Set(
    product.filter(({ path }) => path.startsWith("src/http/api/")).flatMap(({ text }) => madeByRows(text, statuses))
  )
  return [...statuses.keys()].filter((name) => {
    const made = new RegExp(`\\bnew ${name}\\b|\\b(?:whenIdMalformed|whenReadFails): ${name}\\b|\\b${name}\\.code\\b`)
    return !ofRows.has(name) && !product.some(({ text }) => made.test(text))
  })
}

const areaFolders = /^src\/(actors|http|layers\/postgres)\/[^/]+$/

/** Files that belong into one of the area folders beside them. */
export const looseFiles = (paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  paths.filter((path) => areaFolders.test(path) && basename(path) !== "index.ts")

const contract = /^src\/http\/api\//
const server =
  /^src\/(actors|layers|app)\/|^src\/http\/(handlers|server|stream|pbx|ingest|pages|openapi)\/|^src\/http\/middleware\/\w+Live\.ts$/

/**
 * Files of the HTTP contract that reach the server, as "contract file reaches server file". A client imports the
 * contract; what it reaches, the types too, is in the client's bundle or in its type check.
 */
export const contractLeaks = (sources: ReadonlyArray<Source>): ReadonlyArray<string> => {
  const graph = importGraph(sources)
  return [...graph.keys()]
    .filter((path) => contract.test(path))
    .flatMap((path) =>
      [...reachedFrom(graph, path)].filter((file) => server.test(file)).map((file) => `${path} reaches ${file}`)
    )
}

const testFile = /\.test\.ts$/
const database = /^test\/support\/TestDatabase\.ts$/
const startsProcesses = /\bfrom "node:child_process"|\bstartEphemeral\(/
/** Tests of how long something takes may start anything. */
const timingTest = /\.timing\.test\.ts$/
/** The linter is a process, too, but this file starts nothing of the engine. */
const startsTheLinterOnly = "test/Tidy.test.ts"

/**
 * Tests whose name does not fit what they reach. `X.test.ts` (unit) reaches no database and starts no process,
 * `X.db.test.ts` reaches the test database and starts no process, `X.program.test.ts` starts a process,
 * and `X.timing.test.ts` may do either.
 */
export const misnamedTests = (sources: ReadonlyArray<Source>): ReadonlyArray<string> => {
  const graph = importGraph(sources)
  const starters = new Set(
    sources.filter(({ path, text }) => !path.startsWith("src/") && startsProcesses.test(text)).map(({ path }) => path)
  )
  return sources
    .filter(({ path }) => testFile.test(path) && !timingTest.test(path) && path !== startsTheLinterOnly)
    .flatMap(({ path }) => {
      const reached = [...reachedFrom(graph, path)]
      const usesDatabase = reached.some((file) => database.test(file))
      const startsProcess = reached.some((file) => starters.has(file))
      if (path.endsWith(".program.test.ts")) {
        return startsProcess ? [] : [`${path} starts no process`]
      }
      if (startsProcess) return [`${path} starts a process and is not named X.program.test.ts`]
      if (path.endsWith(".db.test.ts")) return usesDatabase ? [] : [`${path} uses no database`]
      return usesDatabase ? [`${path} uses the test database and is not named X.db.test.ts`] : []
    })
}
