import type { VariableValue } from '#shared/notifications/variables.ts';

/** What a helper gives, and what it is given. */
export type Value = VariableValue | undefined;

/** What helpers know of the world. */
export interface HelperWorld {
  now: Date;
}

/** A function of templates. It sees values only: no object, no prototype, no code. */
export type Helper = (args: readonly Value[], world: HelperWorld) => Value;

/** The part of a list that a template is at. */
export interface Place {
  this: Value;
  index: number;
  first: boolean;
  last: boolean;
}

export type Expression =
  | { kind: 'literal'; value: Value }
  | { kind: 'variable'; name: string }
  | { kind: 'place'; name: keyof Place }
  | { kind: 'call'; helper: Helper; args: readonly Expression[] };

/** A template once it is read: all that there is, and nothing that could run. */
export type TemplateNode =
  | { kind: 'text'; text: string }
  | { kind: 'print'; value: Expression; isRaw: boolean }
  | { kind: 'if'; test: Expression; body: Template; otherwise: Template }
  | { kind: 'each'; list: Expression; body: Template; otherwise: Template };

export type Template = readonly TemplateNode[];
