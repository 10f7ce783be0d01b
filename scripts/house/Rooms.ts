// Which folders of a floor import each other, and how many files a folder holds.
import type { ImportGraph } from "../../test/support/TidyTree.ts"

/** Two rooms of `floor` that import each other, with how often: "calls <-> limits (1/2)". */
export const twoWayPairs = (graph: ImportGraph, floor: string): ReadonlyArray<string> => {
  const roomOf = (path: string): string | undefined =>
    path.startsWith(`${floor}/`) ? path.slice(floor.length + 1).split("/")[0] : undefined
  const arrows = new Map<string, number>()
  for (const [path, targets] of graph) {
    const from = roomOf(path)
    for (const target of targets) {
      const to = roomOf(target)
      if (from === undefined || to === undefined || from === to) continue
      arrows.set(`${from} ${to}`, (arrows.get(`${from} ${to}`) ?? 0) + 1)
    }
  }
  return [...arrows].flatMap(([arrow, count]) => {
    const [from = "", to = ""] = arrow.split(" ")
    const back = arrows.get(`${to} ${from}`)
    return back === undefined || from > to ? [] : [`${from} <-> ${to} (${count}/${back})`]
  })
}

/** How many of the files that are loaded from `from` are imported by a file of `importers`, counted once per file. */
export const arrowsInto = (graph: ImportGraph, importers: RegExp, target: string): number =>
  [...graph].reduce(
    (sum, [path, targets]) =>
      importers.test(path) ? sum + targets.filter((file) => file.startsWith(`${target}/`)).length : sum,
    0
  )

/** The folders with more than `most` files, largest first: "src/domain/ports (66)". */
export const largeFolders = (paths: ReadonlyArray<string>, most: number): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const path of paths) {
    const folder = path.slice(0, path.lastIndexOf("/"))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count > most)
    .sort(([, a], [, b]) => b - a)
    .map(([folder, count]) => `${folder} (${count})`)
}
