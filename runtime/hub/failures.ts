/** What a file that cannot be fetched means to a person, and what to do about it. */
import { EnvironmentFailure } from "../failure.ts"
import type { Passing, Refused } from "./wire.ts"

/** A file that a model is read from, as failures name it. */
export interface Wanted {
  /** The model's name in the spec. */
  readonly model: string
  /** The address as declared. */
  readonly address: string
  /** Where the file is to stand. */
  readonly place: string
}

const instead = ({ model, place }: Wanted): string =>
  `put the file at ${place}, or give another with --model ${model}=FILE`

export const isOffline = (wanted: Wanted): EnvironmentFailure =>
  new EnvironmentFailure({
    what: `the file of model ${wanted.model} is not on this machine, and CFX_OFFLINE (or HF_HUB_OFFLINE) says that nothing is fetched`,
    where: wanted.address,
    todo: `unset it, ${instead(wanted)}`,
  })

export const notReached = (wanted: Wanted, { message }: Passing): EnvironmentFailure =>
  new EnvironmentFailure({
    what: `the file of model ${wanted.model} is not on this machine and cannot be fetched: ${message}`,
    where: wanted.address,
    todo: `try again later (what has come is kept); without a network, ${instead(wanted)}`,
  })

/** `page`: where a person sees the repository; none for a file on the web. */
export function refusedBy(
  wanted: Wanted,
  { status, code, message }: Refused,
  page: string | undefined,
  hasToken: boolean,
): EnvironmentFailure {
  const { model, address } = wanted
  const fail = (why: string, todo: string): EnvironmentFailure =>
    new EnvironmentFailure({
      what: `the file of model ${model} cannot be fetched: ${why}`,
      where: address,
      todo: `${todo}; or ${instead(wanted)}`,
    })
  if (page === undefined) return fail(message, "check the address")
  if (status === 404 || code === "RepoNotFound" || code === "EntryNotFound" || code === "RevisionNotFound") {
    const what =
      code === "EntryNotFound"
        ? "there is no such file"
        : code === "RevisionNotFound"
          ? "there is no such revision"
          : "there is no such repository, revision or file"
    const hidden = hasToken ? "" : "; a private repository needs a token in HF_TOKEN"
    return fail(`${message}: ${what}`, `check the address against ${page}${hidden}`)
  }
  if (status === 401 || status === 403) {
    const gated = `accept its conditions at ${page}`
    return hasToken
      ? fail(`${message}: the token in HF_TOKEN may not read it`, `${gated}, or use a token that may`)
      : fail(
          `${message}: it is only for those who are known`,
          `${gated}, and set HF_TOKEN to a token of yours`,
        )
  }
  return fail(message, `check the address against ${page}`)
}

/** Two sides say different things of a file, or the file is not what one of them says. Nothing was deleted. */
export const otherFile = (
  { model, address }: Pick<Wanted, "model" | "address">,
  found: string,
  expected: string,
  todo: string,
): EnvironmentFailure =>
  new EnvironmentFailure({ what: `the file of model ${model} ${found}, ${expected}`, where: address, todo })
