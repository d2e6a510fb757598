import type { Clock } from '#shared/clock.ts';

/** What fires at one moment, in the milliseconds of `passedMs`. */
interface Step {
  at: number;
  due: Set<Handle>;
  timer: unknown;
}

interface Handle {
  step: Step;
  callback: () => void;
}

interface CoalescingParts {
  clock: Clock;
  /** Milliseconds of a clock that nobody sets: steps are counted by it. */
  passedMs(): number;
  stepMs: number;
  /** How many a step takes; more of them at once would keep the thread, and whoever they ask, too long. */
  most: number;
  /** The step of those beyond. */
  shortStepMs: number;
}

/**
 * A clock whose timers fire at steps only, so up to one step late, and those of a step together: to wake a thread, and
 * to hand work to another one, costs about as much as a small run.
 */
export function coalescingClock(parts: CoalescingParts): Clock {
  const { clock, passedMs, stepMs, most, shortStepMs } = parts;
  const steps = new Map<number, Step>();
  const stepAfter = (due: number, ms: number): Step => {
    const at = Math.ceil(due / ms) * ms;
    return steps.get(at) ?? open(at);
  };
  const open = (at: number): Step => {
    const step: Step = { at, due: new Set(), timer: undefined };
    steps.set(at, step);
    step.timer = clock.setTimeout(() => fire(step), at - passedMs());
    return step;
  };
  const fire = ({ at, due }: Step) => {
    steps.delete(at);
    // In the order in which they were asked for; one that another clears meanwhile is no longer among them.
    for (const { callback } of due) callback();
  };
  return {
    now: () => clock.now(),
    setTimeout: (callback, delayMs): Handle => {
      const due = passedMs() + Math.max(0, delayMs);
      const whole = stepAfter(due, stepMs);
      const step = whole.due.size < most ? whole : stepAfter(due, shortStepMs);
      const handle = { step, callback };
      step.due.add(handle);
      return handle;
    },
    clearTimeout: (handle) => {
      if (handle === undefined) return;
      const { step } = handle as Handle;
      step.due.delete(handle as Handle);
      if (step.due.size > 0 || steps.get(step.at) !== step) return;
      steps.delete(step.at);
      clock.clearTimeout(step.timer);
    },
  };
}
