import type { VariableName, VariableValue } from '#shared/notifications/variables.ts';
import { compileTemplate } from './compile.ts';
import type { Context } from './escape.ts';
import { renderTemplate } from './render.ts';
import { TemplateError } from './template-error.ts';

/** Fills in templates of texts that people read; null for a template that cannot be used. */
export function fillInWith(
  variables: Readonly<Record<VariableName, VariableValue>>,
): (template: string, context: Context) => string | null {
  return (template, context) => {
    try {
      return renderTemplate(compileTemplate(template), variables, { context, now: new Date() });
    } catch (error) {
      if (error instanceof TemplateError) return null;
      throw error;
    }
  };
}
