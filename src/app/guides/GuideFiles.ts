// The guides: the pages of the folder `docs`, which is beside the sources and part of the package.
import { Effect, Layer } from "effect"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Guides } from "../../http/pages/guides/Guide.ts"
import { GuidePages } from "../../http/pages/guides/GuidePages.ts"
import { madeInThread, madeOnce, threadBeside } from "../ThreadResult.ts"
import { renderGuide } from "./Markdown.ts"

/** Three folders above this one, in the sources and in the package. */
const folder = join(import.meta.dirname, "../../../docs")

/** Pages about the engine's own development, the list of pages, and the errors, which have a page of their own. */
const without = new Set(["README", "actors", "errors", "flaky-tests", "performance", "simulation"])

const page = /^([a-z][a-z0-9-]*)\.md$/

/** The guides by their titles. It takes some hundred milliseconds. */
export const readGuides = async (from = folder): Promise<Guides> => {
  const files = await readdir(from).catch(() => [])
  const names = files.flatMap((file) => page.exec(file)?.[1] ?? []).filter((name) => !without.has(name))
  const known = new Set(names)
  const guides = []
  for (const name of names) {
    const guide = renderGuide(await readFile(join(from, `${name}.md`), "utf8"), known)
    guides.push([name, guide] as const)
  }
  return new Map(guides.toSorted(([, some], [, other]) => some.title.localeCompare(other.title, "en")))
}

const entry = threadBeside(import.meta.url, "GuideWorker")

/** The routes of the guides, which are made when one is first asked for. */
export const guideRoutes = Layer.unwrap(Effect.map(madeOnce(madeInThread<Guides>(entry, "The guides")), GuidePages))
