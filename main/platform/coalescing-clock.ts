import type { Clock } from '#shared/clock.ts';

/** What fires at one moment. */
interface Step {
  number: number;
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
}

/**
 * A clock whose timers fire at steps of `stepMs` only, so up to one step late, and those of a step together: to wake a
 * thread, and to hand work to another one, costs about as much as a small run.
 */
export function coalescingClock({ clock, passedMs, stepMs }: CoalescingParts): Clock {
  const steps = new Map<number, Step>();
  const open = (number: number): Step => {
    const step: Step = { number, due: new Set(), timer: undefined };
    steps.set(number, step);
    step.timer = clock.setTimeout(() => fire(step), number * stepMs - passedMs());
    return step;
  };
  const fire = ({ number, due }: Step) => {
    steps.delete(number);
    // In the order in which they were asked for; one that another clears meanwhile is no longer among them.
    for (const { callback } of due) callback();
  };
  return {
    now: () => clock.now(),
    setTimeout: (callback, delayMs): Handle => {
      const number = Math.ceil((passedMs() + Math.max(0, delayMs)) / stepMs);
      const step = steps.get(number) ?? open(number);
      const handle = { step, callback };
      step.due.add(handle);
      return handle;
    },
    clearTimeout: (handle) => {
      if (handle === undefined) return;
      const { step } = handle as Handle;
      step.due.delete(handle as Handle);
      if (step.due.size > 0 || steps.get(step.number) !== step) return;
      steps.delete(step.number);
      clock.clearTimeout(step.timer);
    },
  };
}
