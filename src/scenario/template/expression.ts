/**
 * Expressions inside `${…}` of a job template: numbers, text, names of parameters, `a[0]`, `+ - * /`, comparisons, `&&`, `||`, `!`,
 * `a ?? b` and `c ? x : y`. Nothing else, so that a scenario is data and not a program.
 */
export type TemplateValue = string | number | boolean | null | readonly (string | number)[];

export class ExpressionError extends Error {}

type Token = { readonly kind: 'number' | 'text' | 'name' | 'operator' | 'end'; readonly text: string };

const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|'([^']*)'|([A-Za-z_]\w*)|(\?\?|&&|\|\||[<>=!]=|[-+*/()[\]<>!?:]))/y;

function tokens(source: string): Token[] {
  const found: Token[] = [];
  TOKEN.lastIndex = 0;
  const end = source.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(source);
    if (!match) throw new ExpressionError(`cannot be read at \`${source.slice(at).trim().slice(0, 10)}\``);
    const [, number, text, name, operator] = match;
    found.push(number !== undefined ? { kind: 'number', text: number } : text !== undefined ? { kind: 'text', text } : name !== undefined ? { kind: 'name', text: name } : { kind: 'operator', text: operator! });
  }
  return [...found, { kind: 'end', text: 'the end' }];
}

const PRECEDENCE: readonly (readonly string[])[] = [['??'], ['||'], ['&&'], ['==', '!='], ['<', '<=', '>', '>='], ['+', '-'], ['*', '/']];

function number(value: TemplateValue): number {
  if (typeof value !== 'number') throw new ExpressionError(`needs a number, found ${value === null ? 'nothing' : JSON.stringify(value)}`);
  return value;
}

function apply(operator: string, a: TemplateValue, b: TemplateValue): TemplateValue {
  switch (operator) {
    case '??':
      return a ?? b;
    case '||':
      return a ? a : b;
    case '&&':
      return a ? b : a;
    case '==':
      return a === b;
    case '!=':
      return a !== b;
    case '<':
      return number(a) < number(b);
    case '<=':
      return number(a) <= number(b);
    case '>':
      return number(a) > number(b);
    case '>=':
      return number(a) >= number(b);
    case '+':
      return typeof a === 'string' || typeof b === 'string' ? `${a}${b}` : number(a) + number(b);
    case '-':
      return number(a) - number(b);
    case '*':
      return number(a) * number(b);
    default:
      return number(a) / number(b);
  }
}

/** Value of an expression; throws an ExpressionError that says what is wrong. */
export function evaluate(source: string, scope: Readonly<Record<string, TemplateValue>>): TemplateValue {
  const list = tokens(source);
  let next = 0;
  const peek = (): string => (list[next]!.kind === 'operator' ? list[next]!.text : '');
  const expect = (text: string): void => {
    if (peek() !== text) throw new ExpressionError(`needs \`${text}\` before \`${list[next]!.text}\``);
    next++;
  };
  const primary = (): TemplateValue => {
    const token = list[next++]!;
    if (token.kind === 'number') return Number(token.text);
    if (token.kind === 'text') return token.text;
    if (token.text === '(') {
      const value = ternary();
      expect(')');
      return value;
    }
    if (token.text === '!') return !primary();
    if (token.text === '-') return -number(primary());
    if (token.kind !== 'name') throw new ExpressionError(`needs a value before \`${token.text}\``);
    const constant = { null: null, true: true, false: false }[token.text];
    if (constant !== undefined) return constant;
    if (!Object.hasOwn(scope, token.text)) throw new ExpressionError(`knows no parameter \`${token.text}\`; there are: ${Object.keys(scope).join(', ')}`);
    let value = scope[token.text]!;
    while (peek() === '[') {
      next++;
      const index = number(ternary());
      expect(']');
      if (!Array.isArray(value) || value[index] === undefined) throw new ExpressionError(`\`${token.text}\` has no entry ${index}`);
      value = (value as (string | number)[])[index]!;
    }
    return value;
  };
  const binary = (level: number): TemplateValue => {
    if (level === PRECEDENCE.length) return primary();
    let value = binary(level + 1);
    while (PRECEDENCE[level]!.includes(peek())) value = apply(list[next++]!.text, value, binary(level + 1));
    return value;
  };
  const ternary = (): TemplateValue => {
    const condition = binary(0);
    if (peek() !== '?') return condition;
    next++;
    const yes = ternary();
    expect(':');
    const no = ternary();
    return condition ? yes : no;
  };
  const value = ternary();
  if (list[next]!.kind !== 'end') throw new ExpressionError(`cannot go on at \`${list[next]!.text}\``);
  return value;
}
