import type { Operation } from '../../operation.ts';
import { cancelSession } from './cancel.ts';
import { completionOperations, readOperations } from './read.ts';
import { triggerOperations } from './trigger.ts';

export const checkSessionOperations: readonly Operation[] = [
  ...triggerOperations,
  ...readOperations,
  ...completionOperations,
  cancelSession,
];
