import { jsonpath } from 'json-p3';
import type { Scope } from './scope.ts';
import { characterCount, isObject, jsonEqual } from './value.ts';

type Expression = InstanceType<typeof expressions.FilterExpression>;

const { expressions } = jsonpath;

/** What an expression that selects no value amounts to (RFC 9535, 2.4.1). */
const NOTHING = Symbol('Nothing');

/** Whether a filter's expression holds for a value, which is its `@` (RFC 9535, 2.3.5). */
export function holdsFor(expression: Expression, current: unknown, scope: Scope): boolean {
  const holds = (inner: Expression) => holdsFor(inner, current, scope);
  if (expression instanceof expressions.LogicalExpression) return holds(expression.expression);
  if (expression instanceof expressions.PrefixExpression) return !holds(expression.right);
  if (expression instanceof expressions.InfixExpression) {
    const { left, right, operator } = expression;
    if (operator === '&&') return holds(left) && holds(right);
    if (operator === '||') return holds(left) || holds(right);
    const operands = [left, right].map((operand) => operandOf(operand, current, scope));
    return compare(operands[0], operator, operands[1], scope);
  }
  if (expression instanceof expressions.FilterQuery) {
    return nodesOf(expression, current, scope).length > 0;
  }
  return operandOf(expression, current, scope) === true;
}

function operandOf(expression: Expression, current: unknown, scope: Scope): unknown {
  if (expression instanceof expressions.NullLiteral) return null;
  if (
    expression instanceof expressions.BooleanLiteral ||
    expression instanceof expressions.StringLiteral ||
    expression instanceof expressions.NumberLiteral
  ) {
    return expression.value;
  }
  if (expression instanceof expressions.FilterQuery) {
    return onlyValue(nodesOf(expression, current, scope));
  }
  if (expression instanceof expressions.FunctionExtension) {
    return callFunction(expression, current, scope);
  }
  throw new Error(`A JSONPath expression that is not of RFC 9535: ${expression.constructor.name}`);
}

function nodesOf(expression: Expression, current: unknown, scope: Scope): unknown[] {
  if (!(expression instanceof expressions.FilterQuery)) return [];
  const isRoot = expression instanceof expressions.RootQuery;
  return scope.select(expression.path, isRoot ? scope.root : current);
}

const onlyValue = (nodes: unknown[]) => (nodes.length === 1 ? nodes[0] : NOTHING);

/** RFC 9535, 2.3.5.2.2: only numbers and strings have an order. */
function compare(left: unknown, operator: string, right: unknown, { budget }: Scope): boolean {
  const isEqual = () => jsonEqual(left, right, budget);
  switch (operator) {
    case '==':
      return isEqual();
    case '!=':
      return !isEqual();
    case '<':
      return isBefore(left, right);
    case '>':
      return isBefore(right, left);
    case '<=':
      return isBefore(left, right) || isEqual();
    case '>=':
      return isBefore(right, left) || isEqual();
    default:
      throw new Error(`A JSONPath operator that is not of RFC 9535: ${operator}`);
  }
}

function isBefore(left: unknown, right: unknown): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left < right;
  return typeof left === 'string' && typeof right === 'string' && left < right;
}

interface Arguments {
  /** The argument as a value; {@link NOTHING} where there is none. */
  value(index: number): unknown;
  /** The values that an argument selects. */
  nodes(index: number): unknown[];
  scope: Scope;
}

/** The functions of RFC 9535, 2.4.4 to 2.4.8. */
const FUNCTIONS: Readonly<Record<string, (given: Arguments) => unknown>> = {
  length: ({ value }) => lengthOf(value(0)),
  count: ({ nodes }) => nodes(0).length,
  value: ({ nodes }) => onlyValue(nodes(0)),
  match: (given) => matchPattern(given, 'whole'),
  search: (given) => matchPattern(given, 'part'),
};

function callFunction(
  { name, args }: InstanceType<typeof expressions.FunctionExtension>,
  current: unknown,
  scope: Scope,
): unknown {
  const argument = (index: number) => {
    const given = args[index];
    if (given === undefined) throw new Error(`${name}() was parsed without its arguments.`);
    return given;
  };
  return FUNCTIONS[name]?.({
    value: (index) => operandOf(argument(index), current, scope),
    nodes: (index) => nodesOf(argument(index), current, scope),
    scope,
  });
}

function lengthOf(value: unknown): unknown {
  if (typeof value === 'string') return characterCount(value);
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : NOTHING;
}

function matchPattern({ value, scope }: Arguments, extent: 'whole' | 'part'): boolean {
  const [text, pattern] = [value(0), value(1)];
  if (typeof text !== 'string' || typeof pattern !== 'string') return false;
  return scope.matches(text, pattern, extent);
}
