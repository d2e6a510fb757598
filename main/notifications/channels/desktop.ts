import { messageOf } from '#shared/notifications/message.ts';
import { failed, succeeded } from './delivery.ts';
import { bodyText } from './message-text.ts';
import type { ChannelSender } from './sender.ts';

/** The notifications of the desktop; a server without one has none. */
export const desktop: ChannelSender<'DESKTOP'> = {
  async problems(_channel, ports) {
    if (ports.desktop !== null) return [];
    return [
      { path: 'type', message: 'DESKTOP needs the desktop app: Watchpost runs without one here' },
    ];
  },
  async send(_channel, notice, ports) {
    if (ports.desktop === null) return failed('There is no desktop here', { permanent: true });
    const message = messageOf(notice);
    await ports.desktop.show({ title: message.title, body: bodyText(message), link: message.link });
    return succeeded('Shown');
  },
};
