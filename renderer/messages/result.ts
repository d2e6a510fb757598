import { result } from './en/result.ts';

/** The texts of what a run found, which are loaded with what shows it and not before. */
export const resultText = result;
