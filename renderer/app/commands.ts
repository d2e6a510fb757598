import { useEffect, useRef } from 'react';
import { createStore, type Store } from '#renderer/api/store.ts';

/** Something that the palette offers on the screen that is open. */
export interface Command {
  label: string;
  run(): void;
}

export const commandsStore: Store<readonly (readonly Command[])[]> = createStore([]);

/** Offers commands in the palette for as long as the component is there. */
export function useCommands(commands: readonly Command[]): void {
  const latest = useRef(commands);
  latest.current = commands;
  const names = commands.map(({ label }) => label).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: what a command runs is read when it is chosen
  useEffect(() => {
    const mine = latest.current.map(({ label }, index) => ({
      label,
      run: () => latest.current[index]?.run(),
    }));
    commandsStore.set([...commandsStore.get(), mine]);
    return () => commandsStore.set(commandsStore.get().filter((other) => other !== mine));
  }, [names]);
}
