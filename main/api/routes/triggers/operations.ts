import type { Operation } from '../../operation.ts';
import { callOperations } from './call.ts';
import { managementOperations } from './manage.ts';

export const triggerOperations: readonly Operation[] = [...managementOperations, ...callOperations];
