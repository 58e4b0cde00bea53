import { readFileSync } from "node:fs"
import { format } from "../../../grammar/format.ts"
import type { Source } from "../../../grammar/source.ts"
