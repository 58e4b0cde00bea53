/**
 * What is worked out once. Syntax trees and names never change after they are made, and an editor that reads a file anew gets new ones: so what follows
 * from them alone is kept for as long as they are, and is never out of date.
 */
import type { Names } from "./resolve.ts"

/** A function of one thing that never changes, called once for each. */
export const once = <K extends object, V>(make: (key: K) => V): ((key: K) => V) => {
  const kept = new WeakMap<K, { readonly value: V }>()
  return (key) => {
    const known = kept.get(key)
    if (known !== undefined) return known.value
    const value = make(key)
    kept.set(key, { value })
    return value
  }
}

/** A function of one thing and of what the names of a compilation stand for, called once for each two. */
export const onceFor = <K extends object, V>(
  make: (key: K, names: Names) => V,
): ((key: K, names: Names) => V) => {
  const of = once((names: Names) => once((key: K) => make(key, names)))
  return (key, names) => of(names)(key)
}

/** The same for a declaration in its file, which stands in no other. */
export const onceForBound = <B extends { readonly declaration: object }, V>(
  make: (bound: B, names: Names) => V,
): ((bound: B, names: Names) => V) => {
  const kept = once((_: Names) => new WeakMap<object, { readonly value: V }>())
  return (bound, names) => {
    const known = kept(names).get(bound.declaration)
    if (known !== undefined) return known.value
    const value = make(bound, names)
    kept(names).set(bound.declaration, { value })
    return value
  }
}
