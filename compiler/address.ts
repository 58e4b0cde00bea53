/** `hf:...` or `https://...`: a name of a scheme has two letters at least, a drive of Windows one. */
export const isAddress = (file: string): boolean => /^[a-z][a-z0-9+.-]+:/i.test(file)
