// The guides: the pages of the folder `docs`, which is beside the sources and part of the package.
import { Effect } from "effect"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import type { Guides } from "../../http/pages/guides/Guide.ts"
import { GuidePages } from "../../http/pages/guides/GuidePages.ts"
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

const entry = new URL(`./GuideWorker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url)

/** A busy machine takes some seconds. */
const patience = "30 seconds"

/** In a thread of its own, so that no request waits for it. Without the guides the list says that they are missing. */
const made = Effect.callback<Guides>((resume) => {
  const worker = new Worker(entry)
  worker.once("message", (guides: Guides) => resume(Effect.succeed(guides)))
  worker.once("error", () => resume(Effect.succeed(new Map())))
  worker.once("exit", () => resume(Effect.succeed(new Map())))
  return Effect.promise(() => worker.terminate())
}).pipe(Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.succeed<Guides>(new Map()) }))

export const guideRoutes = GuidePages(made)
