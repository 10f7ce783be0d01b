// A list: `await` gives its first page, `for await` all of its items.
import { type Answer, Result } from "./Result.ts"

export interface Page<T> {
  readonly items: ReadonlyArray<T>
  /** The `cursor` of the next page. Null: this is the last one. */
  readonly nextCursor: string | null
}

/** Reads a page: the first one without a cursor. */
type ReadPage<T> = (cursor: string | undefined) => Promise<Answer<Page<T>>>

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

export class Pages<T> extends Result<Page<T>> implements AsyncIterable<T> {
  private readonly read: ReadPage<T>

  /** Nothing is sent before somebody asks. */
  constructor(read: ReadPage<T>) {
    super(once(() => read(undefined)))
    this.read = read
  }

  /** One page after the other. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    let { data: page } = await this.answer()
    while (true) {
      yield page
      if (page.nextCursor === null) return
      page = (await this.read(page.nextCursor)).data
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages()) yield* items
  }

  /** The first items, at most `max`. */
  async toArray({ max }: { readonly max: number }): Promise<Array<T>> {
    const items: Array<T> = []
    if (max <= 0) return items
    for await (const item of this) {
      items.push(item)
      if (items.length >= max) break
    }
    return items
  }
}
