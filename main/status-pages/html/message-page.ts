import type { StatusPage } from '#shared/status-pages/status-page.ts';
import { type Html, html } from './html.ts';
import { pageFrame } from './view.ts';

/** A short document of a status page: what came of a form, or the form itself. */
export interface Message {
  /** Its heading. */
  title: string;
  /** Plain text. */
  text: string;
  form?: Html;
  /** The page's own folder, relative to the document, with a slash at its end. */
  root: string;
}

/** A message in the frame of a page, with its name, logo and colours. */
export function messagePage(page: StatusPage, { title, text, form, root }: Message): Html {
  const main = html`<div class="stack"><h1 class="lead">${title}</h1><p>${text}</p>${form}</div>`;
  const links = { root, ending: '' } as const;
  return pageFrame({ page, links, isBare: true }, { title: `${title} · ${page.name}`, main });
}

/** Asks for the password of a private page, which is not named before. */
export function passwordPage(page: StatusPage, root: string, problem: string | null): Html {
  const form = html`<form class="form" method="post" action="${root}login">
${problem && html`<p class="problem" role="alert">${problem}</p>`}
<label>Password <input type="password" name="password" required maxlength="200" autocomplete="current-password" autofocus></label>
<button class="button" type="submit">Continue</button>
</form>`;
  return messagePage(page, {
    title: 'A private page',
    text: 'Its password opens it for 30 days on this device.',
    form,
    root,
  });
}
