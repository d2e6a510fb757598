import { ScriptedForm } from '../files/scripted-form.tsx';
import { BROWSER_TEMPLATES } from '../files/templates.ts';

/** A script in a real browser. */
export function BrowserForm() {
  return <ScriptedForm kind="browser" templates={BROWSER_TEMPLATES} />;
}
