// Random numbers by seed (mulberry32). Each concern has a stream of its own, so that a change in one moves no other.

export class Rng {
  private state: number

  constructor(seed: number, stream: string) {
    this.state = seed | 0
    for (let index = 0; index < stream.length; index++)
      this.state = (Math.imul(this.state ^ stream.charCodeAt(index), 0x5bd1e995) + index) | 0
  }

  /** At least 0, less than 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  below(count: number): number {
    return Math.floor(this.next() * count)
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  chance(probability: number): boolean {
    return probability > 0 && this.next() < probability
  }

  of<const A>(options: ReadonlyArray<A>): A {
    return options[this.below(options.length)]!
  }

  /** Mostly short, seldom very long. */
  tail(least: number, most: number): number {
    return least + Math.floor((most - least) * this.next() ** 4)
  }
}
