import { assert, describe, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { guideStyle, guideStyleHash } from "../../../src/http/pages/guides/GuideStyle.ts"
import { readGuides } from "../../../src/app/guides/GuideFiles.ts"
import { queryMax, searchGuides, wordsOf } from "../../../src/http/pages/guides/GuideSearch.ts"
import { renderGuide } from "../../../src/app/guides/Markdown.ts"

const names = new Set(["webhooks"])
const htmlOf = (markdown: string): string => renderGuide(markdown, names).html

describe("the style of the guides", () => {
  it("is the one that their policy allows", () => {
    const hash = createHash("sha256").update(guideStyle).digest("base64")
    assert.strictEqual(guideStyleHash, `sha256-${hash}`)
  })
})

describe("a guide", () => {
  it("shows HTML and addresses of its text, and runs none of it", () => {
    const html = htmlOf(
      '# T\n\n<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\n`<b>` <i onclick="x">\n\n[a](javascript:alert(1)) [b](data:text/html,x) ![c](https://example.com/c.png)'
    )
    assert.notMatch(html, /<(?:script|img|b|i)\b/)
    assert.notMatch(html, /href="(?:javascript|data)/)
    assert.include(html, "&lt;script&gt;")
  })

  it("leads to other guides, to the errors and to other sites, and nowhere else", () => {
    const html = htmlOf(
      "[a](webhooks.md#retries) [b](errors.md#x.y) [c](../src/main.ts) [d](https://example.com) [e](none.md)"
    )
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, target]) => target)
    assert.deepStrictEqual(links, ["/docs/guides/webhooks#retries", "/docs/errors#x.y", "https://example.com"])
  })

  it("names each heading once", () => {
    assert.deepStrictEqual(
      [...htmlOf("# A\n\n## Same `one`\n\n## Same `one`").matchAll(/ id="([^"]*)"/g)].map(([, id]) => id),
      ["a", "same-one", "same-one-1"]
    )
  })
})

describe("the guides", () => {
  it("have every target of their links", async () => {
    const guides = await readGuides()
    assert.isAbove(guides.size, 30)
    const broken = [...guides].flatMap(([name, { html }]) =>
      [...html.matchAll(/href="([^"#]*)(?:#([^"]*))?"/g)].flatMap(([, path = "", fragment]) => {
        if (path !== "" && !path.startsWith("/docs/guides/")) return []
        const target = guides.get(path === "" ? name : path.slice("/docs/guides/".length))
        const isThere = target !== undefined && (fragment === undefined || target.html.includes(`id="${fragment}"`))
        return isThere ? [] : [`${name}: ${path}#${fragment ?? ""}`]
      })
    )
    assert.deepStrictEqual(broken, [])
  })

  it("are found by their words", async () => {
    const guides = await readGuides()
    for (const query of ["insufficient", "verify signature", "gather", "GATHER"]) {
      assert.isNotEmpty(searchGuides(guides, wordsOf(query)), query)
    }
    assert.isEmpty(searchGuides(guides, wordsOf("no-such-word-anywhere")))
    assert.isEmpty(searchGuides(guides, wordsOf(' <>&" ')))
    assert.strictEqual(searchGuides(guides, wordsOf("verify signature"))[0]?.name, "webhooks")
  })

  it("show whole words around the place that was found", () => {
    const text = `${"before ".repeat(40)}**needle** in \`call.*\` [a link](x.md#y) ${"after ".repeat(40)}`
    const { sections, title } = renderGuide(`# Title\n\n${text}`, new Set())
    const [found] = searchGuides(new Map([["one", { title, sections, html: "" }]]), wordsOf("needle"))
    assert.match(found?.excerpt ?? "", /^… (?:before )+needle in call\.\* a link (?:after )+…$/)
  })

  it("are searched for a bounded number of words, and show a bounded number of places", async () => {
    assert.isAtMost(wordsOf("a ".repeat(1_000)).length, 8)
    assert.isAtMost(wordsOf("x".repeat(1_000))[0]?.length ?? 0, queryMax)
    assert.isAtMost(searchGuides(await readGuides(), wordsOf("the")).length, 30)
  })

  it("are empty where they are not installed", async () => {
    assert.strictEqual((await readGuides("/nonexistent")).size, 0)
  })
})
