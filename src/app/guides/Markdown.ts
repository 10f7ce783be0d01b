// The pages of docs/ as HTML. Whatever a page says is escaped: HTML within it is shown as text.
import { Marked, type Token, type Tokens } from "marked"
import { errorsPath } from "../../domain/errors/Envelope.ts"
import { type Guide, guidesPath, type Section } from "../../http/pages/guides/Guide.ts"
import { escaped } from "../../http/pages/Page.ts"

const plainOf = (tokens: ReadonlyArray<Token> = []): string =>
  tokens
    .map((token) =>
      "tokens" in token && token.tokens !== undefined
        ? plainOf(token.tokens)
        : String("text" in token ? token.text : "")
    )
    .join("")

/** The names that links of the pages use for headings, as code hosts make them. */
const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-")

/** Distinct ids: the second heading of a name gets `-1`. */
const uniqueIds = () => {
  const used = new Map<string, number>()
  return (title: string): string => {
    const slug = slugOf(title)
    const count = used.get(slug) ?? 0
    used.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  }
}

/** Where a link of a page leads on the engine; undefined if the engine does not serve it. */
const targetOf = (href: string, names: ReadonlySet<string>): string | undefined => {
  if (/^(?:https?:\/\/|#)/.test(href)) return href
  const [, name = "", fragment = ""] = /^([\w-]+)\.(?:md|json)(#[\w.-]*)?$/.exec(href) ?? []
  if (name === "errors") return errorsPath + fragment
  if (name === "README") return guidesPath
  if (name === "openapi") return "/openapi.json"
  return names.has(name) ? `${guidesPath}/${name}${fragment}` : undefined
}

/** Anchors of the pages' own tables, the only HTML that is one. */
const anchor = /^<a id="([\w.-]+)">$/

/** A wide table scrolls by itself, also with the keyboard. */
const withScrollingTables = (html: string): string =>
  html
    .replaceAll("<table>", '<div class="table" tabindex="0" role="group" aria-label="Table"><table>')
    .replaceAll("</table>", "</table></div>")
    // A column without a title has no header.
    .replaceAll("<th></th>", "<td></td>")

/** What stands under each heading, for the search. The first heading is the title of the guide. */
const sectionsOf = (tokens: ReadonlyArray<Token>): ReadonlyArray<Section> => {
  const idOf = uniqueIds()
  const parts: Array<{ readonly id: string; readonly title: string; readonly texts: Array<string> }> = []
  for (const token of tokens) {
    const title = token.type === "heading" ? plainOf(token.tokens) : undefined
    if (title !== undefined) parts.push({ id: idOf(title), title, texts: [] })
    else parts.at(-1)?.texts.push(token.raw)
  }
  const guide = parts[0]?.title ?? ""
  return parts.map(({ id, texts, title }) => {
    const text = texts.join(" ")
    return { id, title, text, searched: `${guide} ${title} ${text}`.toLowerCase() }
  })
}

/** `names`: the guides that links may lead to. */
export const renderGuide = (markdown: string, names: ReadonlySet<string>): Guide => {
  const idOf = uniqueIds()
  const marked = new Marked({ gfm: true })
  marked.use({
    renderer: {
      heading({ depth, tokens }: Tokens.Heading) {
        const id = idOf(plainOf(tokens))
        return `<h${depth} id="${escaped(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        const text = this.parser.parseInline(tokens)
        const target = targetOf(href, names)
        return target === undefined ? text : `<a href="${escaped(target)}">${text}</a>`
      },
      image: ({ text }: Tokens.Image) => escaped(text),
      html({ text }: Tokens.HTML | Tokens.Tag) {
        const [, id] = anchor.exec(text.trim()) ?? []
        if (id !== undefined) return `<a id="${escaped(id)}">`
        return text.trim() === "</a>" ? "</a>" : escaped(text)
      },
      code: ({ lang = "", text }: Tokens.Code) =>
        `<pre tabindex="0" role="group" aria-label="${escaped(lang === "" ? "Text" : `Code: ${lang}`)}"><code>${escaped(text)}</code></pre>\n`
    }
  })
  const tokens = marked.lexer(markdown)
  const sections = sectionsOf(tokens)
  return { title: sections[0]?.title ?? "", html: withScrollingTables(marked.parser(tokens)), sections }
}
