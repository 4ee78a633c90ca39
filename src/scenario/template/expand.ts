import { evaluate, ExpressionError, type TemplateValue } from './expression.js';
import type { Path } from '../scenario-error.js';

/** A placeholder that cannot be filled in, and where it stands in the template. */
export class TemplateError extends Error {
  constructor(
    readonly path: Path,
    message: string,
  ) {
    super(message);
  }
}

function fill(text: string, path: Path, scope: Readonly<Record<string, TemplateValue>>): unknown {
  const value = (source: string): TemplateValue => {
    try {
      return evaluate(source, scope);
    } catch (error) {
      if (error instanceof ExpressionError) throw new TemplateError(path, `\`\${${source}}\` ${error.message}`);
      throw error;
    }
  };
  const whole = /^\$\{([^}]*)\}$/.exec(text);
  if (whole) return value(whole[1]!);
  return text.replace(/\$\{([^}]*)\}/g, (_, source: string) => String(value(source) ?? ''));
}

/** The template with every `${…}` filled in: one that is the whole text keeps its type, others become part of the text. */
export function expandTemplate(template: unknown, scope: Readonly<Record<string, TemplateValue>>, path: Path = []): unknown {
  if (typeof template === 'string') return template.includes('${') ? fill(template, path, scope) : template;
  if (Array.isArray(template)) return template.map((item, index) => expandTemplate(item, scope, [...path, index]));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, item]) => [key, expandTemplate(item, scope, [...path, key])]));
}
