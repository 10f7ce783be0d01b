// A guide: a page of docs/ as the engine serves it.

export const guidesPath = "/docs/guides"

/** A part of a guide, for the search. */
export interface Section {
  readonly id: string
  readonly title: string
  readonly text: string
  /** Titles of the guide and the section, and its text, in small letters: what a search looks through. */
  readonly searched: string
}

export interface Guide {
  readonly title: string
  readonly html: string
  readonly sections: ReadonlyArray<Section>
}

/** Names and guides in the order of the list; empty where the pages were not installed. */
export type Guides = ReadonlyMap<string, Guide>
