/** How the end of an investigation is seen: one window is dark; then all the others are; then it opens. */
export const OPENING: readonly number[] = [500, 850, 1100]
export const darkAt = (step: number): boolean => step === 1 || step === 2
export const foundAt = (step: number): boolean => step >= 2
