import { en } from './en.ts';

/** Every text of the interface. A translation is another object of the same type. */
export type Messages = typeof en;

/** The texts of the language that is spoken. */
export const text: Messages = en;
