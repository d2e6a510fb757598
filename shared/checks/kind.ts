import type { z } from 'zod';
import type { CheckType } from './enums.ts';

type Shape = z.core.$ZodShape;

/**
 * What one check type adds to the common fields: the schema of each top-level member without its
 * default, the defaults that creation applies, and the members that creation must be given.
 *
 * Defaults stand apart because an update applies none: a member left out stays as it was.
 */
export interface CheckKind<
  F extends Shape,
  D extends Partial<Record<keyof F, unknown>>,
  R extends keyof F,
> {
  checkType: CheckType;
  /** Its part of the path of its own routes: `POST /v1/checks/{segment}`. */
  segment: string;
  /** What its schemas begin with in the served document. */
  schemaName: string;
  /** What one of them is called in a sentence. */
  noun: string;
  fields: F;
  defaults: D;
  required: readonly R[];
  /** Members of other types that this one does not have, and that would mislead if they were dropped. */
  refused?: readonly string[];
}

export function defineKind<
  const T extends CheckType,
  F extends Shape,
  D extends { [K in keyof F]?: z.input<F[K]> },
  const R extends keyof F,
>(kind: CheckKind<F, D, R> & { checkType: T }) {
  return kind;
}

/** A check as stored: defaulted and required members are present, the others may be missing. */
export type Stored<K> = K extends {
  fields: infer F extends Shape;
  defaults: infer D;
  required: readonly (infer R)[];
}
  ? { [P in keyof F & (keyof D | R)]: z.output<F[P]> } & {
      [P in Exclude<keyof F, keyof D | R>]?: z.output<F[P]>;
    }
  : never;
