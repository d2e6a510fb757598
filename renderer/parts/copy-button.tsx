import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { text } from '#renderer/messages/messages.ts';
import { Button } from './button.tsx';
import { toastFailure } from './toast.tsx';

const SHOWN_MS = 2_000;

/** Copies a text, and says so for two seconds. */
export function CopyButton({ value, label = text.parts.copy }: { value: string; label?: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () => navigator.clipboard.writeText(value).then(() => setCopied(true), toastFailure);
  const Icon = isCopied ? Check : Copy;
  return (
    <Button onClick={() => void copy()}>
      <Icon size={16} strokeWidth={1.5} aria-hidden />
      {isCopied ? text.parts.copied : label}
    </Button>
  );
}
