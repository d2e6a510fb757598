import { alerts } from './en/alerts.ts';
import { check } from './en/check.ts';
import { checks } from './en/checks.ts';
import { heartbeats } from './en/heartbeats.ts';
import { parts } from './en/parts.ts';
import { scripts } from './en/scripts.ts';
import { sessions } from './en/sessions.ts';
import { settings } from './en/settings.ts';
import { shell } from './en/shell.ts';
import { signIn } from './en/sign-in.ts';

/** English: a file for each screen, and those of the shell and the parts. */
export const en = {
  alerts,
  check,
  checks,
  heartbeats,
  parts,
  scripts,
  settings,
  sessions,
  shell,
  signIn,
};
