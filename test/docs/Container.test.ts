// The container image, as far as it can be judged without building it. ContainerSteps.program.test.ts builds it.
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"

const lines = readFileSync("Dockerfile", "utf8").replaceAll("\\\n", " ").split("\n")
const ignored = readFileSync(".dockerignore", "utf8").split("\n").filter(Boolean)
/** The lines of each stage, without its FROM. */
const stages = lines
  .join("\n")
  .split(/^FROM .*$/m)
  .slice(1)
  .map((stage) => stage.split("\n"))
const [build = [], image = []] = stages

const copiedFrom = (stage: ReadonlyArray<string>, other: boolean): ReadonlyArray<string> =>
  stage
    .filter((line) => line.startsWith("COPY ") && line.includes("--from=") === other)
    .flatMap((line) =>
      line
        .split(/\s+/)
        .slice(1, -1)
        .filter((word) => !word.startsWith("--"))
    )

describe("the container image", () => {
  it("copies from the tree only what exists and is sent to the builder", () => {
    assert.lengthOf(stages, 2)
    const copied = [...copiedFrom(build, false), ...copiedFrom(image, false)].map((path) => path.replace("./", ""))
    assert.isAbove(copied.length, 5)
    for (const path of copied) {
      assert.isTrue(existsSync(path), path)
      assert.notInclude(ignored, path.split("/")[0], path)
    }
  })

  it("has no packages for development, the console, and the types of the client", () => {
    const steps = build.filter((line) => line.startsWith("RUN "))
    assert.match(steps.at(-1) ?? "", /npm prune --omit=dev --omit=optional/)
    const folders = ["node_modules", "dist/console", "src"].map((name) => `/app/${name}`)
    assert.includeMembers([...copiedFrom(image, true)], folders)
    assert.isTrue(build.some((line) => line.includes("scripts/build-client-types.ts")))
    assert.isTrue(build.some((line) => line.includes("scripts/build-console.ts && test -f dist/console/index.html")))
    for (const line of image) assert.notMatch(line, /npm|node_modules\/\.bin/)
  })

  it("takes both stages from the base that the builder of the image names", () => {
    assert.deepStrictEqual(
      lines.filter((line) => line.startsWith("FROM ")),
      ["FROM ${BASE} AS build", "FROM ${BASE}"]
    )
  })
})
