/** Sizes that all figures share. */

/** Pixels, which print at 96 an inch: 720 is the width of a page between its margins. */
export const WIDTH = 720
export const FONT = 13
export const SMALL = 11.5
