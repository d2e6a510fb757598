import { ScriptedForm } from '../files/scripted-form.tsx';
import { MULTI_STEP_TEMPLATES } from '../files/templates.ts';

/** A script of requests, without a browser. */
export function MultiStepForm() {
  return <ScriptedForm kind="multistep" templates={MULTI_STEP_TEMPLATES} />;
}
