/** The product's own names in every language: the first words somebody tries who guesses a password. */
export const brandNames: readonly string[] = ['atelier', '研习坊'];
