// What a page does more with a script: the reader's own colours and clock, the days by pointer and keys, and
// news as they come. Without it the page says the same, in UTC.

const THEME = 'watchpost-theme';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const STALE_MS = 15 * MINUTE_MS;
const root = document.documentElement;

/** The theme that the page asks for, before the reader's choice. */
const ownTheme = root.dataset.theme ?? 'auto';
applyTheme(storedTheme() ?? ownTheme);

document.addEventListener('DOMContentLoaded', () => {
  startThemes();
  enhance(document.querySelector('main'));
  if (document.querySelector('.updated') !== null) setInterval(refresh, MINUTE_MS);
});

function applyTheme(theme) {
  if (theme === 'auto') delete root.dataset.theme;
  else root.dataset.theme = theme;
}

/** Null where nothing was chosen, or where the browser stores nothing for us. */
function storedTheme() {
  try {
    const theme = localStorage.getItem(THEME);
    return ['auto', 'light', 'dark'].includes(theme) ? theme : null;
  } catch {
    return null;
  }
}

function startThemes() {
  const group = document.querySelector('.themes');
  if (group === null) return;
  group.hidden = false;
  const buttons = [...group.querySelectorAll('button')];
  const show = (theme) => {
    for (const button of buttons) {
      button.setAttribute('aria-pressed', String(button.dataset.choice === theme));
    }
  };
  show(storedTheme() ?? ownTheme);
  group.addEventListener('click', ({ target }) => {
    const { choice } = target.dataset;
    if (choice === undefined) return;
    applyTheme(choice);
    show(choice);
    try {
      localStorage.setItem(THEME, choice);
    } catch {
      // A browser that stores nothing has the choice for this page.
    }
  });
}

function enhance(part) {
  for (const time of part.querySelectorAll('time[data-form]')) localise(time);
  for (const picture of part.querySelectorAll('.days svg')) startDays(picture);
  showAge();
}

const FORMS = {
  clock: { hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  moment: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  full: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
};

/** In the reader's zone; what the page said, in UTC, stays as the title. */
function localise(time) {
  const utc = time.textContent;
  const text = new Date(time.dateTime).toLocaleString('en-GB', FORMS[time.dataset.form]);
  time.title = utc;
  time.textContent = time.dataset.utc === undefined ? text : `${text} (${utc})`;
}

function inWords(ms) {
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
}

/** Says so where the page is older than whoever reads it would think. */
function showAge() {
  const updated = document.querySelector('.updated time');
  const note = document.querySelector('.stale');
  if (updated === null || note === null) return;
  const ageMs = Date.now() - Date.parse(updated.dateTime);
  note.hidden = !(ageMs > STALE_MS);
  note.textContent = note.hidden ? '' : `This page was not refreshed for ${inWords(ageMs)}.`;
}

/** Asks for the page again; what the reader is in the middle of stays as it is. */
async function refresh() {
  showAge();
  const main = document.querySelector('main');
  if (document.hidden || main.contains(document.activeElement)) return;
  try {
    const answer = await fetch(location.href, { cache: 'no-cache' });
    if (!answer.ok || answer.redirected) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const next = fresh.querySelector('main');
    if (next === null || fresh.querySelector('.updated') === null) return;
    document.title = fresh.title;
    document.querySelector('main').replaceWith(next);
    hideTip();
    enhance(next);
  } catch {
    // Whoever is offline reads the page as it was, and how old it is.
  }
}

const tip = document.createElement('div');
tip.className = 'tip';
tip.hidden = true;

function hideTip() {
  tip.hidden = true;
}

/** A picture of days tells of each day: to the pointer, and as a slider to keys. */
function startDays(picture) {
  const first = Date.parse(picture.dataset.from);
  const empty = Number(picture.dataset.empty ?? 0);
  const days = Math.round(picture.viewBox.baseVal.width / 8);
  const told = new Map();
  for (const bar of picture.querySelectorAll('rect')) {
    const title = bar.querySelector('title');
    if (title === null) continue;
    // A bar stands for days that were alike. Its title names them all; the tip names the one.
    const text = title.textContent.split('\n').slice(1).join('\n');
    const from = Math.round(bar.x.baseVal.value / 8);
    const length = Math.round(bar.width.baseVal.value / 8);
    for (let day = from; day < from + length; day += 1) told.set(day, text);
    // The browser would show it a second time.
    title.remove();
  }
  const textOf = (day) => {
    const date = new Date(first + day * DAY_MS).toLocaleDateString('en-GB', {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
    });
    return `${date}\n${told.get(day) ?? (day < empty ? 'Not followed yet' : 'No trouble')}`;
  };
  const show = (day) => {
    const { left, top, width } = picture.getBoundingClientRect();
    tip.textContent = textOf(day);
    tip.hidden = false;
    document.body.append(tip);
    const middle = left + ((day + 0.5) / days) * width;
    const furthest = root.clientWidth - tip.offsetWidth - 8;
    tip.style.left = `${Math.max(8, Math.min(furthest, middle - tip.offsetWidth / 2)) + scrollX}px`;
    tip.style.top = `${top + scrollY - tip.offsetHeight - 6}px`;
  };
  const dayAt = ({ clientX }) => {
    const { left, width } = picture.getBoundingClientRect();
    return Math.max(0, Math.min(days - 1, Math.floor(((clientX - left) / width) * days)));
  };
  picture.addEventListener('pointermove', (event) => show(dayAt(event)));
  picture.addEventListener('pointerdown', (event) => show(dayAt(event)));
  picture.addEventListener('pointerleave', hideTip);

  let current = days - 1;
  const choose = (day) => {
    current = Math.max(0, Math.min(days - 1, day));
    picture.setAttribute('aria-valuenow', String(current + 1));
    picture.setAttribute(
      'aria-valuetext',
      textOf(current).replace('\n', ': ').replaceAll('\n', ', '),
    );
  };
  picture.setAttribute('role', 'slider');
  picture.setAttribute('tabindex', '0');
  picture.setAttribute('aria-valuemin', '1');
  picture.setAttribute('aria-valuemax', String(days));
  picture.setAttribute('aria-readonly', 'true');
  choose(current);
  picture.addEventListener('focus', () => show(current));
  picture.addEventListener('blur', hideTip);
  picture.addEventListener('keydown', (event) => {
    const steps = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowDown: -1,
      ArrowUp: 1,
      PageDown: -7,
      PageUp: 7,
    };
    const target = { Home: 0, End: days - 1 }[event.key] ?? current + (steps[event.key] ?? 0);
    if (event.key === 'Escape') return hideTip();
    if (!(event.key in steps) && event.key !== 'Home' && event.key !== 'End') return;
    event.preventDefault();
    choose(target);
    show(current);
  });
}
