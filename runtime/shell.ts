/** Words of commands, as a shell of POSIX takes them. */

/** As it is where that is plain, else in quotes. */
export function shellWord(word: string): string {
  return isPlain(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** Whether any shell takes the word as it stands. */
export const isPlain = (word: string): boolean => /^[\w./:@%+=-]+$/.test(word)
