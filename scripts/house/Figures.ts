// What a change of the code costs, measured on the source: figures that may only fall.
import type { Source } from "../../test/support/Tidy.ts"
import { importGraph } from "../../test/support/TidyTree.ts"
import { shapesOf, type Shapes, type Twin, twinsOf } from "./Members.ts"
import { arrowsInto, largeFolders, twoWayPairs } from "./Rooms.ts"

export interface Figure {
  readonly name: string
  readonly value: number
  /** What the figure counts, where there are few enough to print. */
  readonly found: ReadonlyArray<string>
}

/** Folders that hold one file per area, of the same kind. They may be long. */
const shelves = /^src\/(?:http\/(?:api|handlers)|layers\/postgres\/(?:reads|migrations))/
const hallFiles = 35

/** The compositions of the engine, real and for tests. */
const compositions = /^(?:src\/(?:app|testing|layers\/simulation)|test\/(?:support|simulation)|bench)\//

/** Members of stored records, as samples of what one more member costs. */
const sampleMembers = [
  "client_reference",
  "low_balance_threshold_minor",
  "voice_fallback_url",
  "signature_format",
  "matched_prefix",
  "retention_days"
]

const linesOf = ({ text }: Source): number => text.split("\n").length - 1

const areaOf = (path: string): string | undefined => /^src\/domain\/(\w+)\//.exec(path)?.[1]

/** The interfaces of `src/domain` that repeat a schema of their area. */
const twins = (sources: ReadonlyArray<Source>): ReadonlyArray<Twin> => {
  const areas = new Map<string, Shapes>()
  for (const { path, text } of sources) {
    const area = areaOf(path)
    if (area === undefined) continue
    const { interfaces, schemas } = shapesOf(path, text)
    const before = areas.get(area)
    areas.set(area, {
      interfaces: [...(before?.interfaces ?? []), ...interfaces],
      schemas: [...(before?.schemas ?? []), ...schemas]
    })
  }
  return [...areas.values()].flatMap(twinsOf)
}

const list = (name: string, found: ReadonlyArray<string>): Figure => ({ name, value: found.length, found })
const count = (name: string, value: number): Figure => ({ name, value, found: [] })

const endpoints = (sources: ReadonlyArray<Source>): Figure => {
  const api = sources.filter(({ path }) => path.startsWith("src/http/api/"))
  const declared = api.reduce((sum, { text }) => sum + (text.match(/"\/v1\/|"\/api\//g)?.length ?? 0), 0)
  const lines = api.reduce((sum, source) => sum + linesOf(source), 0)
  return count("lines of src/http/api for an endpoint", Math.round((lines / declared) * 10) / 10)
}

const memberFiles = (sources: ReadonlyArray<Source>): Figure => {
  const files = sampleMembers.map((member) => ({
    member,
    files: sources.filter(({ path, text }) => path.startsWith("src/") && text.includes(member)).length
  }))
  const widest = files.reduce((a, b) => (b.files > a.files ? b : a))
  return {
    name: "files of src for a member of a stored record, at most",
    value: widest.files,
    found: files.map(({ files, member }) => `${member} (${files})`)
  }
}

/** `sources`: every file that git knows, with its path from the root. */
export const figures = (sources: ReadonlyArray<Source>): ReadonlyArray<Figure> => {
  const product = sources.filter(({ path }) => path.startsWith("src/"))
  const graph = importGraph(sources)
  const engine = graph.get("src/app/Engine.ts") ?? []
  const repeated = twins(product)
  return [
    count("imports of src/app/Engine.ts", engine.length),
    count("imports of actors by compositions", arrowsInto(graph, compositions, "src/actors")),
    count(
      "members declared as an interface and as a schema",
      repeated.reduce((sum, { shared }) => sum + shared, 0)
    ),
    memberFiles(product),
    endpoints(product),
    list("rooms of src/http that import each other", twoWayPairs(graph, "src/http")),
    list("rooms of src/domain that import each other", twoWayPairs(graph, "src/domain")),
    list("rooms of src/actors that import each other", twoWayPairs(graph, "src/actors")),
    list("rooms of src/layers that import each other", twoWayPairs(graph, "src/layers")),
    list(
      `folders of src with more than ${hallFiles} files`,
      largeFolders(
        product.map(({ path }) => path).filter((path) => !shelves.test(path)),
        hallFiles
      )
    )
  ]
}

/** Lines of `src` by floor. */
export const linesByFloor = (
  sources: ReadonlyArray<Source>
): ReadonlyArray<readonly [floor: string, lines: number]> => {
  const floors = new Map<string, number>()
  for (const source of sources) {
    const floor = /^src\/(\w+)\//.exec(source.path)?.[1]
    if (floor !== undefined) floors.set(floor, (floors.get(floor) ?? 0) + linesOf(source))
  }
  return [...floors].sort(([, a], [, b]) => b - a)
}
