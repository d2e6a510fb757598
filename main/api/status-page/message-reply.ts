import { documentHeaders } from '#main/status-pages/html/frame.ts';
import { html } from '#main/status-pages/html/html.ts';
import { messagePage } from '#main/status-pages/html/message-page.ts';
import type { ErrorStatus } from '#shared/api/errors.ts';
import type { StatusPage } from '#shared/status-pages/status-page.ts';
import type { Reply } from '../operation.ts';

/** What people are told in the frame of a status page. */
export interface PageMessage {
  title: string;
  text: string;
  /** What a button says that posts to the same address; none where it is left out. */
  button?: string;
  status?: ErrorStatus;
}

/** @param root the page's own folder, relative to the document, with a slash at its end */
export function messageReply(page: StatusPage, root: string, message: PageMessage): Reply {
  const { title, text, button, status } = message;
  const form =
    button !== undefined &&
    html`<form class="form" method="post"><button class="button" type="submit">${button}</button></form>`;
  const markup = messagePage(page, { title, text, root, ...(form && { form }) });
  return {
    ...(status && { status }),
    headers: documentHeaders([page.logo, page.logoDark, page.favicon]),
    content: { text: markup.text, type: 'text/html; charset=utf-8' },
  };
}
