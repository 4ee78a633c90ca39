import type { JarInput } from '../schema/scenario-schema.js';
import type { TemplateValue } from './expression.js';

/** An argument that the template cannot take. */
export class ArgumentError extends Error {
  constructor(argument: string, message: string) {
    super(`argument ${argument}: ${message}`);
  }
}

type ParameterType = JarInput['parameters'][string]['type'];

function parseNumber(text: string, whole: boolean): number | null {
  const pattern = whole ? /^[+-]?\d+$/ : /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
  return pattern.test(text) ? Number(text) : null;
}

function parseValue(name: string, type: ParameterType, text: string): TemplateValue {
  if (type === 'text') return text;
  const whole = type === 'integer' || type === 'integers';
  const parts = type === 'integers' || type === 'numbers' ? text.split(',') : [text];
  const values = parts.map((part) => {
    const value = parseNumber(part, whole);
    if (value === null) throw new ArgumentError(name, `found ${JSON.stringify(part)}; allowed: ${whole ? 'a whole number' : 'a number'}`);
    return value;
  });
  return type === 'integers' || type === 'numbers' ? values : values[0]!;
}

/** `--buffer-timeout` is `buffer_timeout` in an expression. */
export function scopeName(parameter: string): string {
  return parameter.replace(/^-+/, '').replace(/[-.]/g, '_');
}

/** Values of the parameters: program arguments come in pairs, the last of a name holds; the rest has its defaults. */
export function readParameters(parameters: JarInput['parameters'], args: readonly string[], parallelism: number): Record<string, TemplateValue> {
  const given = new Map<string, string>();
  for (let i = 0; i + 1 < args.length; i += 2) given.set(args[i]!, args[i + 1]!);
  const scope: Record<string, TemplateValue> = { parallelism };
  for (const [name, parameter] of Object.entries(parameters)) {
    const text = given.get(name) ?? (parameter.default === null ? null : String(parameter.default));
    scope[scopeName(name)] = text === null ? null : parseValue(name, parameter.type, text);
  }
  return scope;
}
