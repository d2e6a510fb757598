import { snippets, used, variables } from './en/variables.ts';

/** The texts of variables and snippets, which are loaded with their pages and not before. */
export const variablesText = variables;
export const snippetsText = snippets;
export const usedText = used;
