import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import {
  MAX_VARIABLES,
  MAX_VARIABLES_LENGTH,
  type Variable,
  type variableCreate,
  type variableUpdate,
} from '#shared/variables/variable.ts';
import type { ServiceParts } from './resource.ts';
import { conflict, notFound } from './service-error.ts';

/** Changes of variables wait for each other, so that no key is taken twice. */
const VARIABLES = 'variables';

/** The variables of the account, which every script and template gets. They are found by key. */
export class Variables {
  readonly #parts: ServiceParts;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
  }

  /** In the order of creation. */
  all(): readonly Variable[] {
    return this.#parts.configuration.variables.all();
  }

  /** @throws ServiceError NOT_FOUND */
  find(key: string): Variable {
    const variable = this.all().find((one) => one.key === key);
    if (variable === undefined) throw notFound(`No variable is called ${key}`);
    return variable;
  }

  /** @throws ServiceError CONFLICT where the key is taken or there are too many */
  create(body: z.output<typeof variableCreate>): Promise<Variable> {
    return this.#parts.mutex(VARIABLES, () => this.#write({ id: randomUUID(), ...body }));
  }

  /** Another `key` renames it; a secret stays one. */
  change(key: string, body: z.output<typeof variableUpdate>): Promise<Variable> {
    return this.#parts.mutex(VARIABLES, () => {
      const before = this.find(key);
      const { value, locked = before.locked, secret = false } = body;
      const changed = { id: before.id, key: body.key ?? key, value, locked };
      return this.#write({ ...changed, secret: before.secret || secret });
    });
  }

  delete(key: string): Promise<void> {
    return this.#parts.mutex(VARIABLES, async () => {
      await this.#parts.configuration.variables.delete(this.find(key).id);
    });
  }

  async #write(variable: Variable): Promise<Variable> {
    const others = this.all().filter(({ id }) => id !== variable.id);
    refuseTakenKey(variable, others);
    refuseTooMany([...others, variable]);
    await this.#parts.configuration.variables.put(variable);
    return variable;
  }
}

function refuseTakenKey({ key }: Variable, others: readonly Variable[]): void {
  if (others.some((other) => other.key === key)) {
    throw conflict(`A variable is called ${key} already`);
  }
}

function refuseTooMany(variables: readonly Variable[]): void {
  if (variables.length > MAX_VARIABLES) {
    throw conflict(`There are ${MAX_VARIABLES} variables already`);
  }
  const length = variables.reduce((sum, { key, value }) => sum + key.length + value.length, 0);
  if (length > MAX_VARIABLES_LENGTH) {
    const limit = `${MAX_VARIABLES_LENGTH} characters`;
    throw conflict(`All variables together may hold at most ${limit}, not ${length}`);
  }
}
