import type { StatusPage } from '#shared/status-pages/status-page.ts';
import { frame } from './frame.ts';
import { type Html, html } from './html.ts';
import { backLink, pageFrame } from './view.ts';

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
export function messagePage(page: StatusPage, message: Message): Html {
  const links = { root: message.root, ending: '' } as const;
  return framed(page, message, backLink({ page, links }));
}

function framed(page: StatusPage, { title, text, form, root }: Message, back?: Html): Html {
  const main = html`<div class="stack message">${back}<h1 class="lead">${title}</h1><p>${text}</p>${form}</div>`;
  const links = { root, ending: '' } as const;
  return pageFrame({ page, links, isBare: true }, { title: `${title} · ${page.name}`, main });
}

/** Asks for the password of a private page: strangers see its name and colours, and nothing else of it. */
export function passwordPage(page: StatusPage, root: string, problem: string | null): Html {
  const form = html`<form class="form" method="post" action="${root}login">
${problem && html`<p class="problem" role="alert">${problem}</p>`}
<label>Password <input type="password" name="password" required maxlength="200" autocomplete="current-password" autofocus></label>
<button class="button" type="submit">Continue</button>
</form>`;
  return framed(page, {
    title: 'A private page',
    text: 'Its password opens it for 30 days on this device.',
    form,
    root,
  });
}

const ERRORS: Record<number, string> = {
  404: 'Nothing is here',
  429: 'Please wait a moment',
  503: 'Not right now',
};

/** What readers see in place of a document. @param root where `assets/` is, with a slash at its end */
export function errorPage(status: number, text: string, root: string): Html {
  const title = ERRORS[status] ?? 'This did not work';
  return frame({
    title,
    root,
    isUnlisted: true,
    header: html``,
    main: html`<div class="stack message"><h1 class="lead">${title}</h1><p>${text}.</p></div>`,
  });
}

/** The pages that everybody may know of. @param root of their folder, with a slash at its end */
export function pageList(pages: readonly StatusPage[], root: string): Html {
  const rows = pages.map(
    ({ name, url, description }) =>
      html`<li><a class="quiet" href="${root}${url}">${name}</a>${description && html`<p class="muted">${description}</p>`}</li>`,
  );
  const list =
    rows.length > 0
      ? html`<ul class="panel rows">${rows}</ul>`
      : html`<p class="muted">There are none yet.</p>`;
  return frame({
    title: 'Status pages',
    root,
    header: html`<span class="brand">Watchpost</span>`,
    main: html`<div class="stack"><h1 class="lead">Status pages</h1>${list}</div>`,
  });
}
