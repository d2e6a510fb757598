// Runs in a world of its own in the main frame of every page, where neither the page nor the script
// sees it, and tells the web vitals of the document as the browser measures them.
(() => {
  if (window !== window.top || window.__vitals || !/^https?:$/.test(location.protocol)) return;
  window.__vitals = true;

  const [navigation] = performance.getEntriesByType('navigation');
  const page = `${performance.timeOrigin}-${Math.random().toString(36).slice(2)}`;
  const url = location.href;
  const vitals = {};
  if (navigation?.responseStart > 0) vitals.TTFB = navigation.responseStart;

  // Without the noise of differences of doubles, which would cost twice the bytes to keep.
  const rounded = (_, value) => (typeof value === 'number' ? Math.round(value * 1e4) / 1e4 : value);
  const report = () => window.__report(JSON.stringify({ page, url, vitals }, rounded));

  const observers = [];
  const observe = (type, add) => {
    const take = (entries) => {
      for (const entry of entries) add(entry);
      if (entries.length > 0) report();
    };
    const observer = new PerformanceObserver((list) => take(list.getEntries()));
    observer.observe({ type, buffered: true });
    observers.push(() => take(observer.takeRecords()));
  };

  observe('paint', ({ name, startTime }) => {
    if (name !== 'first-contentful-paint') return;
    vitals.FCP = startTime;
    // Without a shift, or a long task, there is nothing else to tell.
    vitals.CLS ??= 0;
    vitals.TBT ??= 0;
    addTasks();
  });
  observe('largest-contentful-paint', ({ startTime }) => {
    vitals.LCP = startTime;
  });

  // The largest sum of shifts with less than a second between them, within five seconds.
  let shifts = { sum: 0, first: 0, last: 0 };
  observe('layout-shift', ({ hadRecentInput, startTime, value }) => {
    if (hadRecentInput) return;
    const goesOn = startTime - shifts.last < 1000 && startTime - shifts.first < 5000;
    shifts = goesOn
      ? { ...shifts, sum: shifts.sum + value, last: startTime }
      : { sum: value, first: startTime, last: startTime };
    vitals.CLS = Math.max(vitals.CLS ?? 0, shifts.sum);
  });

  // What tasks take beyond 50 ms, from the first paint until the page was quiet for five seconds.
  const tasks = [];
  const addTasks = () => {
    if (vitals.FCP === undefined) return;
    let blocked = 0;
    let quietSince = vitals.FCP;
    for (const { startTime, duration } of tasks) {
      if (startTime - quietSince > 5000) break;
      const end = startTime + duration;
      const counted = end - Math.max(startTime, vitals.FCP);
      if (counted > 50) blocked += counted - 50;
      quietSince = Math.max(quietSince, end);
    }
    vitals.TBT = blocked;
  };
  observe('longtask', ({ startTime, duration }) => {
    if (tasks.length >= 500) return;
    tasks.push({ startTime, duration });
    addTasks();
  });

  report();
  addEventListener('pagehide', () => {
    for (const take of observers) take();
  });
})();
