import { z } from 'zod';

/** Gives something for a text that is secret; what it gives takes the place of the text. */
export type MapSecret = (text: string) => unknown;

/** A copy of a value with its secret texts mapped; every other member as it was. */
export type MapSecrets = (value: unknown, map: MapSecret) => unknown;

/** The object that a text stands in. */
type Holder = Readonly<Record<string, unknown>>;

interface Mark {
  isSecret(holder: Holder): boolean;
}

const MARKS = z.registry<Mark>();

/**
 * Marks a text of a schema as secret: files hold it encrypted, and answers that name it hide it. The
 * same schema with further checks is marked too. An empty text is no secret.
 */
export function secret<T extends z.ZodType>(text: T): T {
  MARKS.add(text, { isSecret: () => true });
  return text;
}

/** The same for a text that is secret only where the object around it says `locked` or `secret`. */
export function secretWhereLocked<T extends z.ZodType>(text: T): T {
  MARKS.add(text, { isSecret: ({ locked, secret: hidden }) => locked === true || hidden === true });
  return text;
}

type MapWithin = (value: unknown, map: MapSecret, holder: Holder) => unknown;

/** Finds the secrets of what a schema gives out; undefined where it holds none. */
export function secretMapper(schema: z.core.$ZodType): MapSecrets | undefined {
  const mapWithin = mapperOf(schema);
  return mapWithin && ((value, map) => mapWithin(value, map, {}));
}

function mapperOf(schema: z.core.$ZodType): MapWithin | undefined {
  const mark = MARKS.get(schema);
  if (mark) return textMapper(mark);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return objectMapper(def.shape);
    case 'array':
      return listMapper(def.element);
    case 'union':
      return isTold(def) ? variantMapper(def) : onlyWithoutSecrets(def.options);
    case 'pipe':
      // One side is the schema; the other is a function, or a schema of the same members.
      return mapperOf(def.out) ?? mapperOf(def.in);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return mapperOf(def.innerType);
    default:
      return undefined;
  }
}

function textMapper({ isSecret }: Mark): MapWithin {
  return (value, map, holder) =>
    typeof value === 'string' && value !== '' && isSecret(holder) ? map(value) : value;
}

function objectMapper(shape: Readonly<Record<string, z.core.$ZodType>>): MapWithin | undefined {
  const mappers = Object.entries(shape).flatMap(([name, member]) => {
    const mapMember = mapperOf(member);
    return mapMember ? [{ name, mapMember }] : [];
  });
  if (mappers.length === 0) return undefined;
  return (value, map) => {
    if (!isHolder(value)) return value;
    const given = mappers.filter(({ name }) => value[name] !== undefined);
    const mapped = given.map(({ name, mapMember }) => [name, mapMember(value[name], map, value)]);
    return { ...value, ...Object.fromEntries(mapped) };
  };
}

function listMapper(element: z.core.$ZodType): MapWithin | undefined {
  const mapItem = mapperOf(element);
  return (
    mapItem &&
    ((value, map, holder) =>
      Array.isArray(value) ? value.map((item) => mapItem(item, map, holder)) : value)
  );
}

function isTold(def: z.core.$ZodUnionDef): def is z.core.$ZodDiscriminatedUnionDef {
  return 'discriminator' in def;
}

/** The variants of a union that a member of each tells apart. */
function variantMapper({
  options,
  discriminator,
}: z.core.$ZodDiscriminatedUnionDef): MapWithin | undefined {
  const mappers = new Map(
    options.flatMap((option) => {
      const mapVariant = mapperOf(option);
      const names = [...(option._zod.propValues?.[discriminator] ?? [])];
      return mapVariant ? names.map((name) => [name, mapVariant] as const) : [];
    }),
  );
  if (mappers.size === 0) return undefined;
  return (value, map, holder) => {
    const name = isHolder(value) ? (value[discriminator] as z.core.util.Primitive) : undefined;
    return mappers.get(name)?.(value, map, holder) ?? value;
  };
}

/** Of another union nothing says which variant a value is. */
function onlyWithoutSecrets(options: readonly z.core.$ZodType[]): undefined {
  if (options.some((option) => mapperOf(option))) {
    throw new Error('A secret stands in a union without a discriminator: give it one');
  }
}

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
