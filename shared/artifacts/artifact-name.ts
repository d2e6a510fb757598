import { MAX_ARTIFACT_NAME } from './artifact.ts';

/** Control characters, and those that turn the direction of a text, so that a name looks like another. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** A name without anything that leads out of a folder or hides what it says; `file` where nothing is left. */
export function artifactName(text: string): string {
  const segments = text
    .toWellFormed()
    .replace(UNSEEN, '_')
    .split(/[/\\]/)
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..');
  return shorten(segments.join('/'), MAX_ARTIFACT_NAME) || 'file';
}

/** The name, or where it is taken one that counts on: `a (2).png`. */
export function uniqueName(name: string, isTaken: (name: string) => boolean): string {
  let unique = name;
  for (let count = 2; isTaken(unique); count += 1) {
    const { stem, extension } = partsOf(name);
    const ending = ` (${count})${extension}`;
    unique = stem.slice(0, MAX_ARTIFACT_NAME - ending.length).toWellFormed() + ending;
  }
  return unique;
}

/** The extension stays: it says what the file is. */
function shorten(name: string, length: number): string {
  if (name.length <= length) return name;
  const { stem, extension } = partsOf(name);
  return stem.slice(0, length - extension.length).toWellFormed() + extension;
}

const EXTENSION = /\.[A-Za-z0-9]{1,10}$/;

function partsOf(name: string): { stem: string; extension: string } {
  const extension = EXTENSION.exec(name)?.[0] ?? '';
  return { stem: name.slice(0, name.length - extension.length), extension };
}
