import './theme/tokens.css';
import './theme/base.css';
import { createRoot } from 'react-dom/client';
import { applyTheme } from './theme/theme.ts';

applyTheme();
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element for the interface.');
const reactRoot = createRoot(root);
// In a task of its own: on a phone React alone takes one.
void import('./interface.tsx').then(({ openInterface }) => openInterface(reactRoot));
