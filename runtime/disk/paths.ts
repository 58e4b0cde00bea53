import { sep } from "node:path"

/** On Windows `\` becomes `/`; elsewhere a backslash may be part of a name. */
export const slashed = (path: string): string => (sep === "\\" ? path.replaceAll("\\", "/") : path)
