import { checkEditor, form } from './en/check-editor.ts';
import { checkScripts } from './en/check-scripts.ts';
import { group } from './en/group.ts';

/** The texts of forms and of the editor of checks, which are loaded with them and not before. */
export const editorText = checkEditor;
export const formText = form;
export const checkScriptsText = checkScripts;
export const groupText = group;
