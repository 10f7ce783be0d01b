// What a method returns: a promise of the data, which also has the response.

export interface Answer<T> {
  readonly data: T
  readonly response: Response
  /** `X-Request-Id`, for support. */
  readonly requestId: string
  /** Whether this is the first answer to an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean
  /** Members of the request that the engine does not know. */
  readonly warnings: ReadonlyArray<string>
}

/** Starts when it is made. `await` gives the data. */
export class Result<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = "Result"
  protected readonly answer: () => Promise<Answer<T>>

  constructor(answer: () => Promise<Answer<T>>) {
    this.answer = answer
  }

  /** The data with its response. */
  withResponse(): Promise<Answer<T>> {
    return this.answer()
  }

  /** The response alone. Its body has been read. */
  async asResponse(): Promise<Response> {
    return (await this.answer()).response
  }

  // oxlint-disable-next-line unicorn/no-thenable -- it is a promise
  then<A = T, B = never>(
    onData?: ((data: T) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null
  ): Promise<A | B> {
    return this.answer()
      .then(({ data }) => data)
      .then(onData, onError)
  }

  catch<B = never>(onError?: ((error: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, onError)
  }

  finally(after?: (() => void) | null): Promise<T> {
    return this.then().finally(after)
  }
}

/** A result whose request is sent now. */
export const started = <T>(answer: Promise<Answer<T>>): Result<T> => new Result(() => answer)
