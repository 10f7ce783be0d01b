/** The number as the API takes it, without the spaces and dashes that people write. */
export const plainNumber = (text: string): string => text.replaceAll(/[\s-]/g, "")
