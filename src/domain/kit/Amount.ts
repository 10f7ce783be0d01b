/** An amount of minor units in whole units with two decimals: `1234.05`. It must not be negative. */
export const amountText = (minor: number): string =>
  `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, "0")}`
